import type { ApiRoute } from '../../server/api.ts'
import { apiRoutes } from '../../server/api.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import { createMerchant } from '../../server/merchants/index.ts'
import { ensureDemoPos } from '../../server/pos/index.ts'
import type { Services } from '../../server/services.ts'
import type { TestAnswer, TestApi, TestRequest } from '../harness/api.ts'
import { assignAllPositions } from '../seed/assign-all-positions.ts'
import { newTestWebhook } from '../seed/delivery.ts'
import { seedPayment } from '../seed/payment.ts'
import { seedChargeTransfers } from '../seed/transfers.ts'

/** A merchant with a token, in front of a running API. */
export interface TestShop {
  api: TestApi
  merchant: Merchant
  /** Every route that the API has. */
  routes: readonly ApiRoute[]
  /** The ids of what it was given, by their names: of what lies under them, more can be made. */
  owned: Readonly<Record<string, number>>
  /** Calls with the credential that the route asks for. */
  call(route: ApiRoute, request?: Partial<TestRequest>): Promise<TestAnswer>
}

/** So many requests are sent, and so many webhooks made, that limits would be in the way. */
export const unlimitedEnv = { RATE_LIMIT_PER_SECOND: '0', WEBHOOKS_PER_MERCHANT: '10000' }

/** Position at which the cursors of lists are tested. Every shop has a transfer of this id and of that moment. */
export const anyCursor = { createdAt: new Date('2026-11-15T06:00:00Z'), id: 99_999_999_999_998 }

/** Makes what a merchant has before anybody calls, and what no route makes. */
type Preparation = (services: Services, merchant: Merchant) => Promise<void>

/** What every shop is given once, so that answers about it are not empty. */
const preparations: readonly Preparation[] = [ensureDemoPos, takeMoney, letHappen]

async function takeMoney(services: Services, merchant: Merchant): Promise<void> {
  const clock = { ...services.clock, now: () => anyCursor.createdAt }
  await seedChargeTransfers({ ...services, clock }, merchant, { id: anyCursor.id })
}

async function letHappen(services: Services, merchant: Merchant): Promise<void> {
  await seedPayment(services, merchant, { state: 'expired' })
  await assignAllPositions(services.sql, merchant)
}

/** What each merchant was given that other things lie under. */
const prepared = new WeakMap<Merchant, TestShop['owned']>()

/** The merchant that the API was made with. */
export function firstShop(api: TestApi, beside: readonly ApiRoute[] = []): Promise<TestShop> {
  return shopOf(api, api, beside)
}

/** Another merchant of the same API. */
export async function anotherShop(api: TestApi, beside: readonly ApiRoute[] = []): Promise<TestShop> {
  return shopOf(api, await createMerchant(api.services, { name: 'Komşu Mağaza' }), beside)
}

async function shopOf(
  api: TestApi,
  { merchant, secretKey }: { merchant: Merchant; secretKey: string },
  beside: readonly ApiRoute[],
): Promise<TestShop> {
  const owned = await prepare(api.services, merchant)
  const token = await api.token(secretKey)
  return {
    api,
    merchant,
    routes: [...apiRoutes, ...beside],
    owned,
    // Of keys and POS nothing changes here after this, and there are tens of thousands of calls.
    call: ({ method, url, credential }, request) =>
      api.callAtOnce({ method, url, token: credential === 'key' ? secretKey : token, ...request }),
  }
}

async function prepare(services: Services, merchant: Merchant): Promise<TestShop['owned']> {
  const known = prepared.get(merchant)
  if (known) return known
  for (const preparation of preparations) await preparation(services, merchant)
  const owned = { webhook_id: (await newTestWebhook(services, merchant)).id }
  prepared.set(merchant, owned)
  return owned
}
