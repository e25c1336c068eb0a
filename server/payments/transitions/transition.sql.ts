import type { CombinedWrite, Insert, Sql } from '../../../kit/runtime/sql.ts'
import { empty, join, raw, SqlFragment, sql } from '../../../kit/runtime/sql.ts'
import type { SealedCard, SealedCardWithKey } from '../../cards/index.ts'
import { eraseCardPart, hourKeyOf, sealedCardPart, takenCardPart } from '../../cards/index.ts'
import type { CustomerChange } from '../../customers/index.ts'
import { changedCustomerPart, newCustomerPart, unchangedCustomerPart } from '../../customers/index.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { PaymentEvent } from '../../events/index.ts'
import { eventParts } from '../../events/index.ts'
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
  /** True if the change may be lost by a crash of the database server, until the next one that may not. */
  commitsAsynchronously?: boolean
  /** Writes of other features: inserts, and parts that change rows if `transition` has a row. */
  extraWrites?: readonly (SqlFragment | Insert)[]
}

/**
 * Writes a transition. Guarantee: all of it is written if the payment, attempt, modification, verification and
 * customer are unchanged since the decision; otherwise nothing is. If two transitions were decided on the same
 * state, one is written.
 */
export async function writeTransition(
  database: Sql,
  owner: OwnedId,
  change: TransitionWrite,
): Promise<TransitionWriteResult> {
  const written = await database.write<SealedCardWithKey>({
    steps: [...stepsOf(owner, change)],
    gate: 'transition',
    storedGate: sql`(select merchant_id from payments
      where merchant_id = ${owner.merchantId} and id = ${owner.id}) as transition`,
    inserts: [...insertsOf(owner, change)],
    result: takenCard(change),
    commitsAsynchronously: change.commitsAsynchronously,
  })
  if (!written) return { isWritten: false, card: undefined }
  const { bytes, keyId, hour, hourKey } = written
  return { isWritten: true, card: bytes ? { bytes, keyId, hour, hourKey } : undefined }
}

export interface TransitionWriteResult {
  isWritten: boolean
  /** The sealed card that was taken, with its hour key. */
  card: SealedCardWithKey | undefined
}

function takenCard({ cardToTake }: TransitionWrite): SqlFragment {
  return cardToTake === undefined
    ? sql`null as bytes`
    : sql`(select bytes from taken_card) as bytes, (select "keyId" from taken_card) as "keyId",
        (select hour from taken_card) as hour, ${hourKeyOf(sql`(select hour from taken_card)`)} as "hourKey"`
}

type Step = CombinedWrite['steps'][number]

/**
 * Locks the attempt, modification, verification and customer, then updates the payment, always in this order.
 * All other writes depend on the payment's update.
 */
function* stepsOf({ merchantId }: OwnedId, change: TransitionWrite): Iterable<Step> {
  const { attempt, modification, verification, payment, customer, answeredCall, extraWrites = [] } = change
  const { activeMerchantId, claim, cardToTake, cardToErase } = change
  if (attempt?.before) yield ['locked_attempt', lockWorkPart(attemptTable, attempt.before)]
  if (modification) yield ['locked_modification', lockWorkPart(modificationTable, modification.before)]
  if (verification) yield ['locked_verification', lockWorkPart(verificationTable, verification.before)]
  if (activeMerchantId !== undefined) yield ['active_merchant', activeMerchantPart(activeMerchantId)]
  if (verification && claim)
    yield ['claimed_inquiry', consumeInquiryRateLimitPart(verification.before, claim)]
  if (customer?.before) yield ['locked_customer', unchangedCustomerPart(customer.before)]
  const locked = lockedPartsOf(change)
  yield ['transition', payment ? updatePaymentPart(payment, locked) : unchangedPaymentPart(locked)]
  if (customer?.before) yield ['updated_customer', changedCustomerPart(customer.after)]
  if (attempt?.before)
    yield [
      'updated_attempt',
      updateWorkPart(attemptTable, attempt.after, changingAttemptColumns.assignments(attempt.after)),
    ]
  if (modification)
    yield [
      'updated_modification',
      updateWorkPart(
        modificationTable,
        modification.after,
        changingModificationColumns.assignments(modification.after),
      ),
    ]
  if (verification)
    yield [
      'updated_verification',
      updateWorkPart(
        verificationTable,
        verification.after,
        changingVerificationColumns.assignments(verification.after),
      ),
    ]
  if (answeredCall) yield ['updated_bank_call', recordAnsweredCallPart(answeredCall)]
  if (cardToTake !== undefined) yield ['taken_card', takenCardPart(merchantId, cardToTake)]
  if (cardToErase !== undefined) yield ['erased_card', eraseCardPart(merchantId, cardToErase)]
  for (const [index, write] of extraWrites.entries())
    if (write instanceof SqlFragment) yield [`extra_write_${index + 1}`, write]
}

/** A row comes before the rows that refer to it. */
function* insertsOf(owner: OwnedId, change: TransitionWrite): Iterable<Insert> {
  const { payment, attempt, newModification, newVerification, customer, event, transfers } = change
  const { bankCall, sealedCard, extraWrites = [] } = change
  const { merchantId } = owner
  if (customer && !customer.before) yield newCustomerPart(customer.after)
  if (attempt && !attempt.before) {
    yield insertInstrumentPart(attempt.after)
    yield insertAttemptPart(attempt.after)
  }
  if (newModification) yield insertModificationPart(newModification)
  if (newVerification) {
    yield insertVerificationPart(newVerification)
    yield insertInquiryRateLimitRowPart(newVerification)
  }
  if (event && payment)
    yield* eventParts({ ...event, merchantId, paymentId: owner.id, number: payment.after.eventCount })
  if (transfers && transfers.length > 0) yield transfersPart(merchantId, transfers)
  if (bankCall) yield insertBankCallPart(bankCall)
  if (sealedCard) yield sealedCardPart(merchantId, sealedCard.attemptId, sealedCard)
  for (const write of extraWrites) if (!(write instanceof SqlFragment)) yield write
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
  return sql`select merchant_id from ${raw(locked)} where true ${allLocked(others)}`
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
    returning merchant_id`
}
