import type { EventKind } from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { VerificationKind } from '../payments/index.ts'
import { maxAttempts, schedulePaymentVerificationsNow, startPayment } from '../payments/index.ts'
import { decideRefund } from '../refunds/index.ts'
import type { Services } from '../services.ts'
import type { MerchantClient, PaymentOrder } from './merchant-client.ts'
import { triggerLabel } from './merchant-client.ts'
import { payOnPage } from './pay-on-page.ts'
import { waitFor } from './wait-for.ts'

export interface TriggerContext {
  services: Services
  merchant: Merchant
  client: MerchantClient
  order: PaymentOrder
}

/** Cards of the sandbox bank, by their effect. Our own 3-D Secure asks none of them for a code. */
const cards = {
  good: '5200000000002235',
  declined: '4129111111111111',
  /** Is charged or held, but cannot be captured or refunded. */
  final: '5406670000000009',
  /** Their POS answers without an amount: charged 1.00 too much, or refunded 1.00 too little. */
  more: '5451030000000406',
  short: '5451030000000422',
}

/** Steps that lead to an event of each kind. Each returns the id of its transaction. */
export const scenarios: Readonly<Record<EventKind, (context: TriggerContext) => Promise<number>>> = {
  'payment.succeeded': (context) => pay(context, cards.good),
  'payment.failed': useUpAttempts,
  'payment.expired': runOut,
  'payment.pre_authorized': (context) => pay(context, cards.good, 'held'),
  'pre_auth.completed': (context) => capture(context, cards.good),
  'pre_auth.failed': (context) => capture(context, cards.final),
  'refund.created': (context) => refund(context, cards.good),
  'refund.executed': (context) => refund(context, cards.good, 'approved'),
  'refund.rejected': (context) => refund(context, cards.good, 'rejected'),
  'refund.failed': (context) => refund(context, cards.final, 'approved'),
  'payment.amount_differs': (context) => verified(context, 'charge', pay(context, cards.more)),
  'pre_auth.amount_differs': (context) => verified(context, 'hold', pay(context, cards.more, 'held')),
  'refund.amount_differs': (context) => verified(context, 'refund', refund(context, cards.short, 'approved')),
}

/** Schedules the verification now instead of waiting a minute for it. */
async function verified(
  { services, merchant }: TriggerContext,
  kind: VerificationKind,
  approving: Promise<number>,
): Promise<number> {
  const id = await approving
  const what = `a ${kind} of transaction ${id} that has to be verified (by a POS that answers without amounts)`
  const ownedId = { merchantId: merchant.id, id }
  await waitFor(
    services,
    what,
    async () => (await schedulePaymentVerificationsNow(services, ownedId, kind)) || undefined,
  )
  return id
}

async function pay(
  { services, client, order }: TriggerContext,
  number: string,
  outcome: 'paid' | 'held' = 'paid',
): Promise<number> {
  const { id, pageUrl } = await client.startPayment(order, { preAuth: outcome === 'held' })
  const { view, title, notice } = await payOnPage(services, pageUrl, { number, amount: order.amount })
  if (view === outcome) return id
  const message = [title, ...notice].filter((text) => text !== null).join(' ')
  throw new Error(`Transaction ${id} was not ${outcome}. Its page shows: ${message}`)
}

/** Uses a declined card until the page accepts no more attempts. */
async function useUpAttempts({ services, client, order }: TriggerContext): Promise<number> {
  const { id, pageUrl } = await client.startPayment(order, { preAuth: false })
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    await payOnPage(services, pageUrl, { number: cards.declined, amount: order.amount })
  }
  return id
}

/** Starts a payment whose page expires immediately; the service notices that by itself. */
async function runOut({ services, merchant, order }: TriggerContext): Promise<number> {
  const { id } = await startPayment(services, { ...merchant, pageLifetimeMinutes: 0 }, order, 'secret')
  return id
}

async function capture(context: TriggerContext, number: string): Promise<number> {
  const id = await pay(context, number, 'held')
  await context.client.capture(id)
  return id
}

/**
 * Requests a refund. A verdict is given immediately as an operator, because the merchant's policy may delay
 * it. Test merchants' default rules approve after two seconds; if they are faster, an approval has the same
 * result.
 */
async function refund(
  context: TriggerContext,
  number: string,
  verdict?: 'approved' | 'rejected',
): Promise<number> {
  const { services, merchant, client } = context
  const id = await pay(context, number)
  const ownedId = { merchantId: merchant.id, id: await client.refund(id) }
  if (!verdict) return id
  const decision = { verdict, by: triggerLabel, reason: triggerLabel }
  const isDecided = await decideRefund(services, merchant, ownedId, decision)
  if (!isDecided && verdict === 'rejected')
    throw new Error(`The rules approved refund ${ownedId.id} before the command could decide. Try again.`)
  return id
}
