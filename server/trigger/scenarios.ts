import type { EventKind } from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { VerificationKind } from '../payments/index.ts'
import { maxAttempts, schedulePaymentVerificationsNow, startPayment } from '../payments/index.ts'
import { decideRefund } from '../refunds/index.ts'
import type { Services } from '../services.ts'
import type { MerchantClient, PaymentOrder, StartedPayment } from './merchant-client.ts'
import { triggerLabel } from './merchant-client.ts'
import { payOnPage } from './pay-on-page.ts'
import { waitFor } from './wait-for.ts'

/** Services, merchant and order of a scenario. */
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
  /**
   * Cards of the family whose POS answers without an amount: charged 1.00 too much, or refunded 1.00 too
   * little.
   */
  more: '5451030000000406',
  short: '5451030000000422',
}

/** Steps that lead to an event of each kind. Each returns the id of its transaction. */
export const scenarios: Readonly<Record<EventKind, (context: TriggerContext) => Promise<number>>> = {
  'payment.succeeded': (context) => pay(context, cards.good),
  'payment.failed': useUpAttempts,
  'payment.expired': runOut,
  'payment.pre_authorized': (context) => hold(context, cards.good),
  'pre_auth.completed': (context) => capture(context, cards.good),
  'pre_auth.failed': (context) => capture(context, cards.final),
  'refund.created': async (context) => {
    const { id } = await refund(context, cards.good)
    return id
  },
  'refund.executed': (context) => refundAndDecide(context, cards.good, 'approved'),
  'refund.rejected': (context) => refundAndDecide(context, cards.good, 'rejected'),
  'refund.failed': (context) => refundAndDecide(context, cards.final, 'approved'),
  'payment.amount_differs': (context) => verified(context, 'charge', pay(context, cards.more)),
  'pre_auth.amount_differs': (context) => verified(context, 'hold', hold(context, cards.more)),
  'refund.amount_differs': (context) =>
    verified(context, 'refund', refundAndDecide(context, cards.short, 'approved')),
}

/** Schedules the verification now instead of waiting a minute for it. */
async function verified(
  { services, merchant }: TriggerContext,
  kind: VerificationKind,
  approving: Promise<number>,
): Promise<number> {
  const id = await approving
  const what = `a ${kind} of transaction ${id} that has to be verified (by a POS that answers without amounts)`
  await waitFor(services, what, async () =>
    (await schedulePaymentVerificationsNow(services, { merchantId: merchant.id, id }, kind))
      ? true
      : undefined,
  )
  return id
}

async function pay(context: TriggerContext, number: string): Promise<number> {
  const started = await context.client.startPayment(context.order, { preAuth: false })
  await mustBecome('paid', context, started, number)
  return started.id
}

async function hold(context: TriggerContext, number: string): Promise<number> {
  const started = await context.client.startPayment(context.order, { preAuth: true })
  await mustBecome('held', context, started, number)
  return started.id
}

async function mustBecome(
  view: 'paid' | 'held',
  { services, order: { amount } }: TriggerContext,
  { id, pageUrl }: StartedPayment,
  number: string,
): Promise<void> {
  const pageStatus = await payOnPage(services, pageUrl, { number, amount })
  if (pageStatus.view === view) return
  const message = [pageStatus.title, ...pageStatus.notice].filter((text) => text !== null).join(' ')
  throw new Error(`Transaction ${id} was not ${view}. Its page shows: ${message}`)
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
  const id = await hold(context, number)
  await context.client.capture(id)
  return id
}

async function refund(context: TriggerContext, number: string): Promise<{ id: number; refundId: number }> {
  const id = await pay(context, number)
  return { id, refundId: await context.client.refund(id) }
}

/**
 * Decides the refund immediately as an operator, because the merchant's policy may delay it. Test merchants'
 * default rules approve after two seconds; if they are faster, an approval has the same result.
 */
async function refundAndDecide(
  context: TriggerContext,
  number: string,
  verdict: 'approved' | 'rejected',
): Promise<number> {
  const { id, refundId } = await refund(context, number)
  const { services, merchant } = context
  const ownedId = { merchantId: merchant.id, id: refundId }
  const decided = await decideRefund(services, merchant, ownedId, {
    verdict,
    by: triggerLabel,
    reason: triggerLabel,
  })
  if (!decided && verdict === 'rejected')
    throw new Error(`The rules approved refund ${refundId} before the command could decide. Try again.`)
  return id
}
