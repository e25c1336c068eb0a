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

/** A merchant with a token and a running API. */
export interface TestShop {
  api: TestApi
  merchant: Merchant
  /** All routes of the API. */
  routes: readonly ApiRoute[]
  /** Ids of the prepared records by parameter name, for paths with more than one id. */
  owned: Readonly<Record<string, number>>
  /** Calls a route with the credential that it requires. */
  call(route: ApiRoute, request?: Partial<TestRequest>): Promise<TestAnswer>
}

/** The limits are raised, because the tests send many requests and create many webhooks. */
export const unlimitedEnv = { RATE_LIMIT_PER_SECOND: '0', WEBHOOKS_PER_MERCHANT: '10000' }

/** Position for tests of list cursors. Every shop has a transfer with this id and time. */
export const anyCursor = { createdAt: new Date('2026-11-15T06:00:00Z'), id: 99_999_999_999_998 }

/** Creates records of a merchant before the first call, also those that no route creates. */
type Preparation = (services: Services, merchant: Merchant) => Promise<void>

/** Records that every shop gets once, so that its lists are not empty. */
const preparations: readonly Preparation[] = [ensureDemoPos, takeMoney, letHappen]

async function takeMoney(services: Services, merchant: Merchant): Promise<void> {
  const clock = { ...services.clock, now: () => anyCursor.createdAt }
  await seedChargeTransfers({ ...services, clock }, merchant, { id: anyCursor.id })
}

async function letHappen(services: Services, merchant: Merchant): Promise<void> {
  await seedPayment(services, merchant, { state: 'expired' })
  await assignAllPositions(services.sql, merchant)
}

/** Prepared records of each merchant. */
const prepared = new WeakMap<Merchant, TestShop['owned']>()

/** The first merchant of the API. */
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
  const secretToken = await api.token(secretKey)
  return {
    api,
    merchant,
    routes: [...apiRoutes, ...beside],
    owned,
    // Keys and POS do not change from here on, so tens of thousands of calls need no cache refresh.
    call: (route, request) => {
      const { method, url, credential } = route
      const token = credential === 'key' ? secretKey : secretToken
      return api.callAtOnce({ method, url, token, ...withFile(route, request) })
    },
  }
}

const smallPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEULX/+7DnwtAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NgoA4AAABIAAH/myMhAAAAAElFTkSuQmCC',
  'base64',
)

/** Gives a request without a body the file that its route expects. */
function withFile({ rawBody }: ApiRoute, request: Partial<TestRequest> = {}): Partial<TestRequest> {
  const { body, json, form, headers } = request
  if (!rawBody || (body ?? json ?? form) !== undefined) return request
  return { ...request, body: smallPng, headers: { 'content-type': 'image/png', ...headers } }
}

async function prepare(services: Services, merchant: Merchant): Promise<TestShop['owned']> {
  const known = prepared.get(merchant)
  if (known) return known
  for (const preparation of preparations) await preparation(services, merchant)
  const owned = { webhook_id: (await newTestWebhook(services, merchant)).id }
  prepared.set(merchant, owned)
  return owned
}
