import type { ApiRoute } from '../../api.ts'
import { apiRoutes } from '../../api.ts'
import type { Merchant } from '../../merchants/index.ts'
import { createMerchant } from '../../merchants/index.ts'
import type { TestAnswer, TestApi, TestRequest } from '../api.ts'

/** A merchant with a token, in front of a running API. */
export interface Shop {
  api: TestApi
  merchant: Merchant
  /** Every route that the API has. */
  routes: readonly ApiRoute[]
  /** Calls with the credential that the route asks for. */
  call(route: ApiRoute, request?: Partial<TestRequest>): Promise<TestAnswer>
}

/** The merchant that the API was made with. */
export function firstShop(api: TestApi, beside: readonly ApiRoute[] = []): Promise<Shop> {
  return shopOf(api, api, beside)
}

/** Another merchant of the same API. */
export async function anotherShop(api: TestApi): Promise<Shop> {
  return shopOf(api, await createMerchant(api.services, { name: 'Komşu Mağaza' }), [])
}

async function shopOf(
  api: TestApi,
  { merchant, secretKey }: { merchant: Merchant; secretKey: string },
  beside: readonly ApiRoute[],
): Promise<Shop> {
  const token = await api.token(secretKey)
  return {
    api,
    merchant,
    routes: [...apiRoutes, ...beside],
    call: ({ method, url, credential }, request) =>
      api.call({ method, url, token: credential === 'key' ? secretKey : token, ...request }),
  }
}
