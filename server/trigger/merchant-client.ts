import type { Merchant } from '../merchants/index.ts'
import { AccessTokens, keysOfMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { HttpPeer } from './send-request.ts'
import { parsedJson, sendRequest } from './send-request.ts'

/** Amount and currency of a payment. */
export interface Price {
  amount: number
  currency: string
}

/** Started payment with the address of its page. */
export interface StartedPayment {
  id: number
  pageUrl: string
}

/** Backend of a merchant. */
export interface MerchantClient {
  /** Creates a customer; returns the id. */
  createCustomer(): Promise<number>
  startPayment(order: PaymentOrder, options: { preAuth: boolean }): Promise<StartedPayment>
  /** Captures a pre-authorization. */
  capture(id: number): Promise<void>
  /** Requests a full refund; returns the id of the refund. */
  refund(id: number): Promise<number>
}

type Needs = Pick<Services, 'sql' | 'clock' | 'keyring' | 'http' | 'config'>

/** Opens a client with an access token, as the merchant's backend gets one for its secret key. */
export async function openMerchantClient(services: Needs, merchant: Merchant): Promise<MerchantClient> {
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
    createCustomer: async () => (await call<{ id: number }>('POST', '/v1/customers', buyer)).id,
    startPayment: async (order, { preAuth }) => {
      type Answer = { data: { transaction_id: number; payment_page_url: string } }
      const { data } = await call<Answer>('POST', '/v1/payment/3ds', { ...order, pre_auth: preAuth })
      return { id: data.transaction_id, pageUrl: data.payment_page_url }
    },
    capture: async (id) => {
      await call('POST', '/v1/transaction/resolve-pre-auth', { transaction_id: id, status: true })
    },
    refund: async (id) => {
      await call('POST', '/v1/transaction/refund', { transaction_id: id, description: triggerLabel })
      const [refund] = await call<{ id: number }[]>('GET', `/v1/transaction/${id}/refunds`)
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

/** Order with all details, so that no merchant's settings require more. */
export interface PaymentOrder extends Price {
  customer_id: number
  products: { product_name: string; price: number }[]
  description: string
}

export function newPaymentOrder(price: Price, customerId: number): PaymentOrder {
  const product = { product_name: triggerLabel, price: price.amount }
  return { ...price, customer_id: customerId, products: [product], description: triggerLabel }
}

const service: HttpPeer = { name: 'The service', advice: 'start it with vezne start, and check API_URL' }

/**
 * Returns a function that calls the API of the running service. A refusal is thrown with the service's text.
 */
function callerOf(services: Pick<Services, 'http' | 'config'>, token: string) {
  return async <Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> => {
    const response = await sendRequest(services, service, {
      method,
      url: `${services.config.apiUrl}${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        'accept-language': 'en',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (response.status === 200) return parsedJson<Answer>(response) as Answer
    const { message = '', errors = {} } = parsedJson<Failure>(response) ?? {}
    const details = Object.entries(errors).map(([name, sentences]) => `${name}: ${sentences.join(' ')}`)
    throw new Error(
      [`The service refuses ${path} (${response.status}).`, message, ...details].join(' ').trim(),
    )
  }
}

interface Failure {
  message?: string
  errors?: Record<string, string[]>
}
