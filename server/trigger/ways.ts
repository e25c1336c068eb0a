import type { EventKind } from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { VerifiedKind } from '../payments/index.ts'
import { maxAttempts, startPayment, verifyAtOnce } from '../payments/index.ts'
import { decideRefund } from '../refunds/index.ts'
import type { Services } from '../services.ts'
import type { MerchantClient, PaymentOrder, StartedPayment } from './merchant-client.ts'
import { madeBy } from './merchant-client.ts'
import { tryToPay } from './payer.ts'
import { waitFor } from './wait-for.ts'

/** Who acts, and what is bought. */
export interface Scene {
  services: Services
  merchant: Merchant
  client: MerchantClient
  order: PaymentOrder
}

/** Cards of the sandbox bank, by what it does with them; none of them is asked for a code by our own 3-D Secure. */
const cards = {
  good: '5200000000002235',
  declined: '4129111111111111',
  /** It is charged or held, and then neither captured nor given back. */
  final: '5406670000000009',
  /** Of the family whose POS answers without an amount: charged over 1.00 more, or short by 1.00 when it is given back. */
  more: '5451030000000406',
  short: '5451030000000422',
}

/** What has to happen for an event of each kind to follow. Each answers the id of the transaction that it happens to. */
export const ways: Readonly<Record<EventKind, (scene: Scene) => Promise<number>>> = {
  'payment.succeeded': (scene) => pay(scene, cards.good),
  'payment.failed': useUpAttempts,
  'payment.expired': runOut,
  'payment.pre_authorized': (scene) => hold(scene, cards.good),
  'pre_auth.completed': (scene) => capture(scene, cards.good),
  'pre_auth.failed': (scene) => capture(scene, cards.final),
  'refund.created': async (scene) => {
    const { id } = await refund(scene, cards.good)
    return id
  },
  'refund.executed': (scene) => refundAndJudge(scene, cards.good, 'approved'),
  'refund.rejected': (scene) => refundAndJudge(scene, cards.good, 'rejected'),
  'refund.failed': (scene) => refundAndJudge(scene, cards.final, 'approved'),
  'payment.amount_differs': (scene) => verified(scene, 'charge', pay(scene, cards.more)),
  'pre_auth.amount_differs': (scene) => verified(scene, 'hold', hold(scene, cards.more)),
  'refund.amount_differs': (scene) =>
    verified(scene, 'refund', refundAndJudge(scene, cards.short, 'approved')),
}

/** Does not wait for the minute after which an approval is verified. */
async function verified(
  { services, merchant }: Scene,
  kind: VerifiedKind,
  approving: Promise<number>,
): Promise<number> {
  const id = await approving
  const what = `a ${kind} of transaction ${id} that has to be verified (by a POS that answers without amounts)`
  await waitFor(services, what, async () =>
    (await verifyAtOnce(services, { merchantId: merchant.id, id }, kind)) ? true : undefined,
  )
  return id
}

async function pay(scene: Scene, number: string): Promise<number> {
  const started = await scene.client.start(scene.order, { preAuth: false })
  await mustBecome('paid', scene, started, number)
  return started.id
}

async function hold(scene: Scene, number: string): Promise<number> {
  const started = await scene.client.start(scene.order, { preAuth: true })
  await mustBecome('held', scene, started, number)
  return started.id
}

async function mustBecome(
  view: 'paid' | 'held',
  { services, order: { amount } }: Scene,
  { id, pageUrl }: StartedPayment,
  number: string,
): Promise<void> {
  const pageStatus = await tryToPay(services, pageUrl, { number, amount })
  if (pageStatus.view === view) return
  const message = [pageStatus.title, ...pageStatus.notice].filter((text) => text !== null).join(' ')
  throw new Error(`Transaction ${id} was not ${view}. Its page says: ${message}`)
}

/** Tries a card that the bank declines until the page takes no more. */
async function useUpAttempts({ services, client, order }: Scene): Promise<number> {
  const { id, pageUrl } = await client.start(order, { preAuth: false })
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    await tryToPay(services, pageUrl, { number: cards.declined, amount: order.amount })
  }
  return id
}

/** Starts a payment whose page can be used for no time at all: the service notices by itself that it has run out. */
async function runOut({ services, merchant, order }: Scene): Promise<number> {
  const { id } = await startPayment(services, { ...merchant, pageLifetimeMinutes: 0 }, order, 'secret')
  return id
}

async function capture(scene: Scene, number: string): Promise<number> {
  const id = await hold(scene, number)
  await scene.client.capture(id)
  return id
}

async function refund(scene: Scene, number: string): Promise<{ id: number; refundId: number }> {
  const id = await pay(scene, number)
  return { id, refundId: await scene.client.refund(id) }
}

/**
 * An operator decides about the refund at once: by the merchant's policy it may wait for the rules for long, or for a person.
 * By the usual policy of test merchants the rules approve it after two seconds, which is as good where it is to be approved.
 */
async function refundAndJudge(
  scene: Scene,
  number: string,
  verdict: 'approved' | 'rejected',
): Promise<number> {
  const { id, refundId } = await refund(scene, number)
  const { services, merchant } = scene
  const ownedId = { merchantId: merchant.id, id: refundId }
  const decided = await decideRefund(services, merchant, ownedId, { verdict, by: madeBy, reason: madeBy })
  if (!decided && verdict === 'rejected')
    throw new Error(`The rules were quicker and approved refund ${refundId}: try again.`)
  return id
}
