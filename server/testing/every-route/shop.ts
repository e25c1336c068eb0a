import type { ApiRoute } from '../../api.ts'
import { apiRoutes } from '../../api.ts'
import type { Merchant } from '../../merchants/index.ts'
import { createMerchant } from '../../merchants/index.ts'
import { ensureDemoPos } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import type { TestAnswer, TestApi, TestRequest } from '../api.ts'
import { plantTaking } from '../plant-money.ts'

/** A merchant with a token, in front of a running API. */
export interface Shop {
  api: TestApi
  merchant: Merchant
  /** Every route that the API has. */
  routes: readonly ApiRoute[]
  /** Calls with the credential that the route asks for. */
  call(route: ApiRoute, request?: Partial<TestRequest>): Promise<TestAnswer>
}

/** Where the cursors of lists are tried. Every shop has a transfer of this id and of that moment. */
export const anyPlace = { createdAt: new Date('2026-11-15T06:00:00Z'), id: 99_999_999_999_998 }

/** Makes what a merchant has before anybody calls, and what no route makes. */
type Preparation = (services: Services, merchant: Merchant) => Promise<void>

/** What every shop is given once, so that answers about it are not empty. */
const preparations: readonly Preparation[] = [ensureDemoPos, takeMoney]

async function takeMoney(services: Services, merchant: Merchant): Promise<void> {
  const clock = { ...services.clock, now: () => anyPlace.createdAt }
  await plantTaking({ ...services, clock }, merchant, { id: anyPlace.id })
}

const prepared = new WeakSet<Merchant>()

/** The merchant that the API was made with. */
export function firstShop(api: TestApi, beside: readonly ApiRoute[] = []): Promise<Shop> {
  return shopOf(api, api, beside)
}

/** Another merchant of the same API. */
export async function anotherShop(api: TestApi, beside: readonly ApiRoute[] = []): Promise<Shop> {
  return shopOf(api, await createMerchant(api.services, { name: 'Komşu Mağaza' }), beside)
}

async function shopOf(
  api: TestApi,
  { merchant, secretKey }: { merchant: Merchant; secretKey: string },
  beside: readonly ApiRoute[],
): Promise<Shop> {
  await prepare(api.services, merchant)
  const token = await api.token(secretKey)
  return {
    api,
    merchant,
    routes: [...apiRoutes, ...beside],
    // Of keys and POS nothing changes here after this, and there are tens of thousands of calls.
    call: ({ method, url, credential }, request) =>
      api.callAtOnce({ method, url, token: credential === 'key' ? secretKey : token, ...request }),
  }
}

async function prepare(services: Services, merchant: Merchant): Promise<void> {
  if (prepared.has(merchant)) return
  prepared.add(merchant)
  for (const preparation of preparations) await preparation(services, merchant)
}
