import type { Merchant } from '../merchants/index.ts'
import { AccessTokens, keysOfMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { requestJson } from './send-request.ts'

/** Backend of a merchant. */
export type MerchantClient = Awaited<ReturnType<typeof openMerchantClient>>

interface Price {
  amount: number
  currency: string
}

/** Order with all details, so that no merchant's settings require more. */
export interface PaymentOrder extends Price {
  customer_id: number
  products: { product_name: string; price: number }[]
  description: string
}

/** Opens a client with an access token, as the merchant's backend gets one for its secret key. */
export async function openMerchantClient(services: Services, merchant: Merchant) {
  const { sql, clock, keyring } = services
  const keys = await keysOfMerchant(sql, merchant.id)
  const key = keys.find(({ scope, revokedAt }) => scope === 'secret' && revokedAt === null)
  if (!key) {
    throw new Error(
      `Merchant ${merchant.id} has no secret key. To create one: vezne key create ${merchant.id} --scope secret`,
    )
  }
  const { text: token } = AccessTokens.of(keyring).issue(merchant.id, key.id, 'secret', clock.now())
  const call = callerOf(services, token)
  return {
    /** Makes an order of a new customer. */
    createOrder: async (price: Price): Promise<PaymentOrder> => {
      const { id } = await call<{ id: number }>('/v1/customers', buyer)
      const products = [{ product_name: triggerLabel, price: price.amount }]
      return { ...price, customer_id: id, products, description: triggerLabel }
    },
    startPayment: async (order: PaymentOrder, { preAuth }: { preAuth: boolean }) => {
      type Answer = { data: { transaction_id: number; payment_page_url: string } }
      const { data } = await call<Answer>('/v1/payment/3ds', { ...order, pre_auth: preAuth })
      return { id: data.transaction_id, pageUrl: data.payment_page_url }
    },
    capture: async (id: number) => {
      await call('/v1/transaction/resolve-pre-auth', { transaction_id: id, status: true })
    },
    /** Requests a full refund; returns the id of the refund. */
    refund: async (id: number) => {
      await call('/v1/transaction/refund', { transaction_id: id, description: triggerLabel })
      const [refund] = await call<{ id: number }[]>(`/v1/transaction/${id}/refunds`)
      if (!refund) throw new Error(`The refund of transaction ${id} is not in the list of its refunds.`)
      return refund.id
    },
  }
}

export const triggerLabel = 'vezne trigger'

/** Customer with all details, so that no merchant's page asks for them. */
const buyer = {
  name: 'Ayşe',
  lastname: 'Deneme',
  email: 'ayse.deneme@example.com',
  phone: '+905321234567',
}

/** Calls the API of the running service. A refusal is thrown with the service's text. */
function callerOf(services: Services, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'en' }
  return async <Answer>(path: string, body?: object): Promise<Answer> => {
    const url = `${services.config.apiUrl}${path}`
    const { status, json } = await requestJson<unknown>(services, 'service', url, { headers, body })
    if (status === 200) return json as Answer
    const { message = '', errors = {} } = (json ?? {}) as Failure
    const details = Object.entries(errors).map(([name, sentences]) => `${name}: ${sentences.join(' ')}`)
    throw new Error([`The service refuses ${path} (${status}).`, message, ...details].join(' ').trim())
  }
}

interface Failure {
  message?: string
  errors?: Record<string, string[]>
}
