import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { empty, join, raw, sql } from '../../../kit/runtime/sql.ts'
import type { SealedCard, SealedCardWithKey } from '../../cards/index.ts'
import { eraseCardPart, hourKeyOf, sealedCardPart, takenCardPart } from '../../cards/index.ts'
import type { CustomerChange } from '../../customers/index.ts'
import { changedCustomerPart, unchangedCustomerPart } from '../../customers/index.ts'
import type { PaymentEvent } from '../../events/index.ts'
import { eventPart } from '../../events/index.ts'
import type { Transfer } from '../../ledger/index.ts'
import { transfersPart } from '../../ledger/index.ts'
import { insertAttemptPart, lockAttemptPart, updateAttemptPart } from '../records/attempt.sql.ts'
import type { Attempt } from '../records/attempt.ts'
import { insertBankCallPart, recordAnsweredCallPart } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'
import {
  insertModificationPart,
  lockModificationPart,
  updateModificationPart,
} from '../records/modification.sql.ts'
import type { Modification } from '../records/modification.ts'
import type { Payment } from '../records/payment.ts'
import { storedPaymentStateOf } from '../records/states.ts'
import type { InquiryRateLimitInput } from '../records/verification.sql.ts'
import {
  consumeInquiryRateLimitPart,
  insertInquiryRateLimitRowPart,
  insertVerificationPart,
  lockVerificationPart,
  updateVerificationPart,
} from '../records/verification.sql.ts'
import type { Verification } from '../records/verification.ts'

/** Writes that happen together or not at all. */
export interface TransitionWrite {
  /** The payment at the decision, and its new state. */
  payment?: { before: Payment; after: Payment }
  /** The attempt at the decision, and its new state; a new attempt has no `before`. */
  attempt?: { before?: Attempt; after: Attempt }
  /** A modification at the decision, and its new state. */
  modification?: { before: Modification; after: Modification }
  newModification?: Modification | undefined
  /** A verification at the decision, and its new state. */
  verification?: { before: Verification; after: Verification }
  /** Counts an inquiry against the limit of its POS; the write fails if the limit is reached. */
  claim?: InquiryRateLimitInput | undefined
  /** An approval to verify. */
  newVerification?: Verification | undefined
  /** The payer's data, if the page asked for it. */
  customer?: CustomerChange | undefined
  event?: PaymentEvent
  transfers?: readonly Transfer[]
  bankCall?: BankCall
  answeredCall?: BankCall
  sealedCard?: SealedCard & { attemptId: number }
  /** Attempt whose sealed card is returned and erased. */
  cardToTake?: number
  cardToErase?: number
  /** Writes of other features; each part selects from `moved`. */
  extraWrites?: readonly SqlFragment[]
}

/**
 * Writes a transition in one query. Guarantee: all of it is written if the payment, attempt, modification,
 * verification and customer are unchanged since the decision; otherwise nothing is. If two transitions were
 * decided on the same state, one is written.
 */
export async function writeTransition(
  database: Sql,
  change: TransitionWrite,
): Promise<TransitionWriteResult> {
  const parts = partsOf(change)
  const { updatedCount, bytes, keyId, hour, hourKey } = await database.one<Row>(sql`with ${join(parts, ', ')}
    select (select count(*)::int from moved) as "updatedCount", ${takenCard(change)}`)
  if (updatedCount === 0) return { isWritten: false, card: undefined }
  return { isWritten: true, card: bytes ? { bytes, keyId, hour, hourKey } : undefined }
}

export interface TransitionWriteResult {
  isWritten: boolean
  /** The sealed card that was taken, with its hour key. */
  card: SealedCardWithKey | undefined
}

interface Row extends SealedCardWithKey {
  updatedCount: number
}

function takenCard({ cardToTake }: TransitionWrite): SqlFragment {
  return cardToTake === undefined
    ? sql`null as bytes`
    : sql`(select bytes from taken) as bytes, (select "keyId" from taken) as "keyId",
        (select hour from taken) as hour, ${hourKeyOf(sql`(select hour from taken)`)} as "hourKey"`
}

/**
 * Locks the attempt, modification, verification and customer, then updates the payment, always in this order.
 * All other writes depend on the payment's update.
 */
function partsOf(change: TransitionWrite): SqlFragment[] {
  const {
    attempt,
    modification,
    newModification,
    payment,
    customer,
    event,
    transfers,
    bankCall,
    answeredCall,
    extraWrites = [],
  } = change
  const before = attempt?.before
  const locked = lockedPartsOf(change)
  return [
    ...namedPart('kept', before && lockAttemptPart(before)),
    ...namedPart('kept_deed', modification && lockModificationPart(modification.before)),
    ...namedPart(
      'kept_verification',
      change.verification && lockVerificationPart(change.verification.before),
    ),
    ...namedPart('claimed', claimPart(change)),
    ...namedPart('unchanged', customer?.before && unchangedCustomerPart(customer.before)),
    ...namedPart('moved', payment ? updatePaymentPart(payment, locked) : unchangedPaymentPart(locked)),
    ...namedPart('payer', customer && changedCustomerPart(customer)),
    ...namedPart(
      'changed',
      attempt && (before ? updateAttemptPart(attempt.after) : insertAttemptPart(attempt.after)),
    ),
    ...namedPart('changed_deed', modification && updateModificationPart(modification.after)),
    ...namedPart('begun', newModification && insertModificationPart(newModification)),
    ...verificationParts(change),
    ...namedPart('told', event && eventPart(event)),
    ...namedPart('posted', transfers && transfers.length > 0 ? transfersPart(transfers) : undefined),
    ...namedPart('asked', bankCall && insertBankCallPart(bankCall)),
    ...namedPart('answered', answeredCall && recordAnsweredCallPart(answeredCall)),
    ...cardParts(change),
    ...extraWrites.flatMap((part, index) => namedPart(`also${index + 1}`, part)),
  ]
}

function namedPart(name: string, part: SqlFragment | undefined): SqlFragment[] {
  return part ? [sql`${raw(name)} as (${part})`] : []
}

function claimPart({ verification, claim }: TransitionWrite): SqlFragment | undefined {
  return verification && claim && consumeInquiryRateLimitPart(verification.before, claim)
}

function verificationParts({ verification, newVerification }: TransitionWrite): SqlFragment[] {
  return [
    ...namedPart('changed_verification', verification && updateVerificationPart(verification.after)),
    ...namedPart('verified', newVerification && insertVerificationPart(newVerification)),
    ...namedPart('paced', newVerification && insertInquiryRateLimitRowPart(newVerification)),
  ]
}

function cardParts({ sealedCard, cardToTake, cardToErase }: TransitionWrite): SqlFragment[] {
  return [
    ...namedPart('sealed', sealedCard && sealedCardPart(sealedCard.attemptId, sealedCard)),
    ...namedPart('taken', cardToTake === undefined ? undefined : takenCardPart(cardToTake)),
    ...namedPart('erased', cardToErase === undefined ? undefined : eraseCardPart(cardToErase)),
  ]
}

/** Names of the parts that lock a row if it is unchanged. */
function lockedPartsOf({ attempt, modification, verification, claim, customer }: TransitionWrite): string[] {
  return [
    ...(attempt?.before ? ['kept'] : []),
    ...(modification ? ['kept_deed'] : []),
    ...(verification ? ['kept_verification'] : []),
    ...(claim ? ['claimed'] : []),
    ...(customer?.before ? ['unchanged'] : []),
  ]
}

function unchangedPaymentPart([locked, ...others]: readonly string[]): SqlFragment {
  if (locked === undefined || locked === 'unchanged')
    throw new Error(
      'a change is made to a payment, or to an attempt, a modification or a verification that is there',
    )
  return sql`select merchant_id, payment_id as id, 0 as event_count from ${raw(locked)} where true ${allLocked(others)}`
}

function allLocked(names: readonly string[]): SqlFragment {
  return join([empty, ...names.map((name) => sql`and exists (select from ${raw(name)})`)], ' ')
}

function updatePaymentPart(
  { before, after }: { before: Payment; after: Payment },
  locked: readonly string[],
): SqlFragment {
  return sql`update payments set state = ${storedPaymentStateOf(after.state)}, version = version + 1, ended_at = ${after.endedAt},
      viewed_at = coalesce(viewed_at, ${after.viewedAt}), due_at = ${after.state === 'held' ? null : after.dueAt},
      deadline_at = ${after.state === 'held' ? after.dueAt : null}, attempt_count = ${after.attemptCount},
      attempt_id = ${after.attemptId}, event_count = ${after.eventCount},
      installment_count = ${after.installmentCount}, code = ${after.code}, message = ${after.message},
      customer_id = ${after.customerId}, customer_by_page = ${after.customerByPage},
      resolution = ${after.resolution}, resolved_by = ${after.resolvedBy}, resolved_at = ${after.resolvedAt},
      refunded = ${after.refundedMinor}, refund_id = ${after.refundId}
    where merchant_id = ${before.merchantId} and id = ${before.id} and version = ${before.version}
      ${allLocked(locked)}
    returning merchant_id, id, event_count`
}
