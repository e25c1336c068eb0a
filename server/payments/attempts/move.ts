import type { SaltedCard } from '../../cards/index.ts'
import type { PaymentEvent } from '../../events/index.ts'
import type { Transfer } from '../../ledger/index.ts'
import { postingsOfTaking } from '../../ledger/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { Payment } from '../payment.ts'
import { edgeBetween } from '../states.ts'
import { shownTransaction } from '../transaction.ts'
import type { Attempt, BankCall } from './attempt.ts'
import { attemptEdges } from './attempt.ts'
import type { Decision, Situation } from './decide.ts'
import type { Change } from './store.ts'
import { noteAnswer, situationOf, write } from './store.ts'

/** What is to become of a payment and an attempt, and what happens with it. */
export interface Move
  extends Pick<Change, 'customer' | 'asks' | 'answered' | 'seals' | 'takesCardOf' | 'erasesCardOf' | 'also'> {
  before: { payment: Payment; attempt?: Attempt }
  /** Undefined if the payment stays as it is. */
  payment?: Payment | undefined
  /** Undefined if it stays as it is; a new one if there was none before. */
  attempt?: Attempt | undefined
}

export interface Moved {
  payment: Payment
  attempt: Attempt | undefined
  card: SaltedCard | undefined
}

type Needs = Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>

/**
 * Moves a payment, an attempt, or both: nothing else does. Guarantee: only along the edges of their graphs; with the
 * event and the transfers that belong to the edge, in one statement; and only from the very state that `before` says.
 * Undefined if that is no longer so: then nothing has happened.
 */
export async function move(services: Needs, merchant: Merchant, step: Move): Promise<Moved | undefined> {
  const { before, attempt, payment, ...rest } = step
  if (attempt) assertEdge(before.attempt, attempt)
  const after = payment && (await withEvent(services, merchant, before.payment, payment))
  const { isWritten, card } = await write(services.sql, {
    ...rest,
    ...(after && { payment: { before: before.payment, after: after.payment } }),
    ...(after?.event && { event: after.event }),
    ...(after && { transfers: await transfersOf(services, after.payment, attempt) }),
    ...(attempt && { attempt: { after: attempt, ...(before.attempt && { before: before.attempt }) } }),
  })
  if (!isWritten) return undefined
  if (after?.event) countEnd(services, after.payment)
  return {
    payment: after ? { ...after.payment, version: before.payment.version + 1 } : before.payment,
    attempt: attempt ? { ...attempt, version: (before.attempt?.version ?? 0) + 1 } : before.attempt,
    card,
  }
}

function countEnd({ metrics }: Needs, { state }: Payment): void {
  metrics.counts('vezne_payments_total', 'Payments that have ended, by how.', ['state']).inc({ state })
}

function assertEdge(before: Attempt | undefined, after: Attempt): void {
  const isNew = !before && after.state === 'authenticating'
  if (isNew || before?.state === after.state) return
  if (before && attemptEdges[before.state].includes(after.state)) return
  throw new Error(`an attempt does not go from ${before?.state} to ${after.state}`)
}

async function withEvent(
  { clock, ids }: Needs,
  merchant: Merchant,
  before: Payment,
  after: Payment,
): Promise<{ payment: Payment; event: PaymentEvent | undefined }> {
  const { event: kind } = edgeBetween(before.state, after.state)
  if (!kind) return { payment: after, event: undefined }
  const payment = { ...after, eventCount: before.eventCount + 1 }
  const data = shownTransaction(payment, merchant)
  return { payment, event: { id: await ids.next(), kind, data, at: clock.now() } }
}

/** Money is posted where a payment becomes paid, and nowhere else. */
async function transfersOf(
  { clock, ids }: Needs,
  payment: Payment,
  attempt: Attempt | undefined,
): Promise<Transfer[]> {
  if (payment.state !== 'paid') return []
  if (attempt?.state !== 'approved') throw new Error('a payment is paid by an attempt that was approved')
  const { chargedMinor, commissionMinor, currency } = attempt
  const postings = postingsOfTaking({ paymentId: payment.id, currency, chargedMinor, commissionMinor })
  const transferIds = await ids.some(postings.length)
  const at = clock.now()
  return postings.map((posting, index) => ({ ...posting, id: transferIds[index] ?? 0, at }))
}

/** What keeps us from acting on what was said must not keep it from being written down. */
async function attempted<Result>(
  { sql }: Needs,
  answered: BankCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    await noteAnswer(sql, answered).catch(() => undefined)
    throw error
  }
}

/** More often than this nobody else gets ahead of us on one payment. */
const mostRounds = 20

/**
 * Lets what a bank said take effect on whatever stands by then. Guarantee: it is decided on the state that it changes,
 * however many others change it meanwhile; and that it was said is written down in any case.
 */
export async function takeEffect(
  services: Needs,
  merchant: Merchant,
  seen: Situation,
  answered: BankCall,
  decide: (situation: Situation) => Decision,
): Promise<Situation> {
  let situation = seen
  for (let round = 1; round <= mostRounds; round++) {
    const moved = await attempted(services, answered, () =>
      move(services, merchant, { before: situation, ...decide(situation), answered }),
    )
    if (moved) return { payment: moved.payment, attempt: moved.attempt ?? situation.attempt }
    const now = await situationOf(services.sql, situation.attempt)
    if (!now) throw new Error('an attempt does not go away')
    situation = now
  }
  await noteAnswer(services.sql, answered)
  throw new Error('others change the payment all the time')
}
