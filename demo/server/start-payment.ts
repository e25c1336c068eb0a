import type { Language } from '../../kit/text/locale.ts'
import type { ShopOrder } from './order.ts'
import { paymentOptionsOf } from './order.ts'
import type { DemoShop } from './shop.ts'

export interface StartedPayment {
  transaction_id: number
  payment_page_url: string
}

/**
 * Starts the payment of an order with the secret key. The browser sends no amount, so it cannot change one.
 * Returns undefined if Vezne cannot be reached or refuses.
 */
export async function startPayment(
  { vezne, log, origin }: DemoShop,
  order: ShopOrder,
  language: Language,
): Promise<StartedPayment | undefined> {
  const body = { ...paymentOptionsOf(order, language), redirect_url: `${origin}/thanks` }
  const { visitor, id: idempotencyKey } = order
  try {
    const { status, json } = await vezne.send('POST', '/v1/payment/3ds', { body, idempotencyKey, visitor })
    if (status !== 200) throw new Error(`Vezne answered ${status}: ${json?.message}`)
    const page = new URL(json.data.payment_page_url)
    page.searchParams.set('lang', language)
    return { transaction_id: json.data.transaction_id, payment_page_url: page.href }
  } catch (err) {
    log.warn({ err }, 'the demo shop could not start a payment')
    return undefined
  }
}
