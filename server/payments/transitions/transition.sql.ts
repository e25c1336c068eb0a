import type { Sql, SqlFragment } from '../../../kit/runtime/sql.ts'
import { empty, join, raw, sql } from '../../../kit/runtime/sql.ts'
import type { SealedCard, SealedCardWithKey } from '../../cards/index.ts'
import { eraseCardPart, hourKeyOf, sealedCardPart, takenCardPart } from '../../cards/index.ts'
import type { CustomerChange } from '../../customers/index.ts'
import { changedCustomerPart, unchangedCustomerPart } from '../../customers/index.ts'
import type { PaymentEvent } from '../../events/index.ts'
import { eventPart, unassignedPositionPart } from '../../events/index.ts'
import type { Transfer } from '../../ledger/index.ts'
import { transfersPart } from '../../ledger/index.ts'
import { activeMerchantPart } from '../../merchants/index.ts'
import { changingAttemptColumns, insertAttemptPart, insertInstrumentPart } from '../records/attempt.sql.ts'
import type { Attempt } from '../records/attempt.ts'
import { insertBankCallPart, recordAnsweredCallPart } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'
import {
  attemptTable,
  lockWorkPart,
  modificationTable,
  updateWorkPart,
  verificationTable,
} from '../records/bank-work.sql.ts'
import { changingModificationColumns, insertModificationPart } from '../records/modification.sql.ts'
import type { Modification } from '../records/modification.ts'
import type { Payment } from '../records/payment.ts'
import { payments } from '../records/payment.ts'
import type { InquiryRateLimitInput } from '../records/verification.sql.ts'
import {
  changingVerificationColumns,
  consumeInquiryRateLimitPart,
  insertInquiryRateLimitRowPart,
  insertVerificationPart,
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
  /** Merchant that must be active; otherwise the write fails. */
  activeMerchantId?: number
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
  /** Writes of other features; each part selects from `transition`. */
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
    select (select count(*)::int from transition) as "updatedCount", ${takenCard(change)}`)
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
    : sql`(select bytes from taken_card) as bytes, (select "keyId" from taken_card) as "keyId",
        (select hour from taken_card) as hour, ${hourKeyOf(sql`(select hour from taken_card)`)} as "hourKey"`
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
    ...namedPart('locked_attempt', before && lockWorkPart(attemptTable, before)),
    ...namedPart('locked_modification', modification && lockWorkPart(modificationTable, modification.before)),
    ...namedPart(
      'locked_verification',
      change.verification && lockWorkPart(verificationTable, change.verification.before),
    ),
    ...namedPart(
      'active_merchant',
      change.activeMerchantId !== undefined && activeMerchantPart(change.activeMerchantId),
    ),
    ...namedPart('claimed_inquiry', claimPart(change)),
    ...namedPart('locked_customer', customer?.before && unchangedCustomerPart(customer.before)),
    ...namedPart('transition', payment ? updatePaymentPart(payment, locked) : unchangedPaymentPart(locked)),
    ...namedPart('written_customer', customer && changedCustomerPart(customer)),
    ...namedPart('inserted_instrument', attempt && !before && insertInstrumentPart(attempt.after)),
    ...namedPart(
      'written_attempt',
      attempt &&
        (before
          ? updateWorkPart(attemptTable, attempt.after.id, changingAttemptColumns.assignments(attempt.after))
          : insertAttemptPart(attempt.after)),
    ),
    ...namedPart(
      'updated_modification',
      modification &&
        updateWorkPart(
          modificationTable,
          modification.after.id,
          changingModificationColumns.assignments(modification.after),
        ),
    ),
    ...namedPart('inserted_modification', newModification && insertModificationPart(newModification)),
    ...verificationParts(change),
    ...namedPart('inserted_event', event && eventPart(event)),
    ...namedPart('inserted_position', event && unassignedPositionPart(event)),
    ...namedPart(
      'inserted_transfers',
      transfers && transfers.length > 0 ? transfersPart(transfers) : undefined,
    ),
    ...namedPart('inserted_bank_call', bankCall && insertBankCallPart(bankCall)),
    ...namedPart('updated_bank_call', answeredCall && recordAnsweredCallPart(answeredCall)),
    ...cardParts(change),
    ...extraWrites.flatMap((part, index) => namedPart(`extra_write_${index + 1}`, part)),
  ]
}

function namedPart(name: string, part: SqlFragment | false | undefined): SqlFragment[] {
  return part ? [sql`${raw(name)} as (${part})`] : []
}

function claimPart({ verification, claim }: TransitionWrite): SqlFragment | undefined {
  return verification && claim && consumeInquiryRateLimitPart(verification.before, claim)
}

function verificationParts({ verification, newVerification }: TransitionWrite): SqlFragment[] {
  return [
    ...namedPart(
      'updated_verification',
      verification &&
        updateWorkPart(
          verificationTable,
          verification.after.id,
          changingVerificationColumns.assignments(verification.after),
        ),
    ),
    ...namedPart('inserted_verification', newVerification && insertVerificationPart(newVerification)),
    ...namedPart('inserted_inquiry_limit', newVerification && insertInquiryRateLimitRowPart(newVerification)),
  ]
}

function cardParts({ sealedCard, cardToTake, cardToErase }: TransitionWrite): SqlFragment[] {
  return [
    ...namedPart('inserted_card', sealedCard && sealedCardPart(sealedCard.attemptId, sealedCard)),
    ...namedPart('taken_card', cardToTake === undefined ? undefined : takenCardPart(cardToTake)),
    ...namedPart('erased_card', cardToErase === undefined ? undefined : eraseCardPart(cardToErase)),
  ]
}

/** Names of the parts whose rows a transition needs: most lock a row if it is unchanged. */
function lockedPartsOf({
  attempt,
  modification,
  verification,
  activeMerchantId,
  claim,
  customer,
}: TransitionWrite): string[] {
  return [
    ...(attempt?.before ? ['locked_attempt'] : []),
    ...(modification ? ['locked_modification'] : []),
    ...(verification ? ['locked_verification'] : []),
    ...(activeMerchantId === undefined ? [] : ['active_merchant']),
    ...(claim ? ['claimed_inquiry'] : []),
    ...(customer?.before ? ['locked_customer'] : []),
  ]
}

function unchangedPaymentPart([locked, ...others]: readonly string[]): SqlFragment {
  if (locked === undefined || locked === 'locked_customer')
    throw new Error(
      'a change is made to a payment, or to an attempt, a modification or a verification that is there',
    )
  return sql`select merchant_id, payment_id as id, 0 as event_count from ${raw(locked)} where true ${allLocked(others)}`
}

function allLocked(names: readonly string[]): SqlFragment {
  return join([empty, ...names.map((name) => sql`and exists (select from ${raw(name)})`)], ' ')
}

/** Columns that a transition changes. */
const changing = payments.pick(
  'state',
  'endedAt',
  'dueAt',
  'attemptCount',
  'attemptId',
  'eventCount',
  'installmentCount',
  'code',
  'message',
  'customerId',
  'customerByPage',
  'resolution',
  'resolvedBy',
  'resolvedAt',
  'refundedMinor',
  'refundId',
)

function updatePaymentPart(
  { before, after }: { before: Payment; after: Payment },
  locked: readonly string[],
): SqlFragment {
  return sql`update payments set ${changing.assignments(after)}, version = version + 1,
      viewed_at = coalesce(viewed_at, ${after.viewedAt})
    where merchant_id = ${before.merchantId} and id = ${before.id} and version = ${before.version}
      ${allLocked(locked)}
    returning merchant_id, id, event_count`
}
