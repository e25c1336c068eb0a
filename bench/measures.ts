import { createMerchant } from '../server/merchants/index.ts'
import type { Services } from '../server/services.ts'
import type { Limit } from './limits.ts'
import { limitRequests } from './limits.ts'
import type { HttpRequest } from './request.ts'

/** One line of the result: how fast something is, beside the limit that it cannot pass on this machine. */
export interface Measure {
  name: string
  /** Who answers the requests: the service, or the plain server of the limits. */
  of: 'service' | 'bare'
  limit: Limit
  /** The least ratio that passes. Without one the line is there to be seen. */
  target?: number
  /** Makes what the requests need, then the requests themselves, which are sent in turn, over and over. */
  requests(services: Services): Promise<HttpRequest[]>
}

/** Everything that is measured. */
export const measures: Measure[] = [
  // A limit beside itself is 1 but for the noise: how far it is off says how far to trust the other lines.
  { name: 'bare', of: 'bare', limit: 'bare', requests: async () => limitRequests.bare },
  { name: 'bare_select', of: 'bare', limit: 'bare', requests: async () => limitRequests.bare_select },
  { name: 'bare_insert', of: 'bare', limit: 'bare', requests: async () => limitRequests.bare_insert },
  { name: 'get_token', of: 'service', limit: 'bare', target: 0.6, requests: getToken },
]

async function getToken(services: Services): Promise<HttpRequest[]> {
  const { secretKey } = await createMerchant(services, { name: 'Bench' })
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'accept-language': 'tr',
    'content-type': 'application/json',
  }
  return [{ method: 'POST', path: '/v1/token/get-token', headers }]
}
