import { cards } from './cards.ts'
import { checkout } from './checkout.ts'
import { connectors } from './connectors.ts'
import { deadlines } from './deadlines.ts'
import { demoShop } from './demo-shop.ts'
import { idempotency } from './idempotency.ts'
import { instances } from './instances.ts'
import { merchants } from './merchants.ts'
import type { Area, Mutation } from './mutation.ts'
import { payments } from './payments.ts'
import { pictures } from './pictures.ts'
import { refunds } from './refunds.ts'
import { threeDs } from './three-ds.ts'
import { webhooks } from './webhooks.ts'

export const areas: Readonly<Record<string, Area>> = {
  payments,
  refunds,
  idempotency,
  deadlines,
  webhooks,
  cards,
  checkout,
  instances,
  merchants,
  connectors,
  pictures,
  'demo-shop': demoShop,
  'three-ds': threeDs,
}

export interface NamedMutation extends Mutation {
  /** Area and name: `refunds/one-at-a-time`. */
  name: string
}

export const mutations: readonly NamedMutation[] = Object.entries(areas).flatMap(([area, entries]) =>
  Object.entries(entries).map(([name, mutation]) => ({ name: `${area}/${name}`, ...mutation })),
)
