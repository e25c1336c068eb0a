import type { SaltedCard, SealedCard } from '../../cards/index.ts'
import { eraseCardPart, saltOf, sealedCardPart, takenCardPart } from '../../cards/index.ts'
import type { CustomerChange } from '../../customers/index.ts'
import { changedCustomerPart, unchangedCustomerPart } from '../../customers/index.ts'
import type { PaymentEvent } from '../../events/index.ts'
import { eventPart } from '../../events/index.ts'
import type { Sql, Statement } from '../../kit/sql.ts'
import { empty, join, raw, rowColumn, rowIn, sql } from '../../kit/sql.ts'
import type { Transfer } from '../../ledger/index.ts'
import { transfersPart } from '../../ledger/index.ts'
import type { Payment } from '../payment.ts'
import type { Attempt, BankCall } from './attempt.ts'
import type { Situation } from './decide.ts'

export interface Whose {
  merchantId: number
  id: number
}

const attemptColumns = sql`a.merchant_id as "merchantId", a.id, a.payment_id as "paymentId", a.number, a.reference, a.state, a.version,
  a.pos_id as "posId", a.connector, a.pre_auth as "preAuth", a.currency, a.charged as "chargedMinor",
  a.commission as "commissionMinor", a.commission_id as "commissionId", a.installment, a.reason,
  a.card_masked as "cardMasked", a.card_fingerprint as "cardFingerprint", a.payer_address as "payerAddress", a.submission,
  a.began_at as "beganAt", a.asked_at as "askedAt", a.ended_at as "endedAt", a.code, a.message,
  a.decline_reason as "declineReason", a.bank_references as "bankReferences", a.due_at as "dueAt", a.tries,
  a.needs_person_at as "needsPersonAt"`

/** A column of a statement whose attempt, if there is one, is `a`. */
export const attemptColumn = rowColumn('attempt', sql`select ${attemptColumns} where a.id is not null`)

export function attemptIn({ attempt }: { attempt: object | null }): Attempt | undefined {
  if (!attempt) return undefined
  const times = { beganAt: true, askedAt: true, endedAt: true, dueAt: true, needsPersonAt: true } as const
  return rowIn<Attempt>(attempt, times, { cardFingerprint: true })
}

/** A column of a statement whose payment is `p`. */
export const packedPayment = sql`json_build_array(p.merchant_id, p.id, p.state, p.version, p.amount, p.currency, p.pre_auth,
  p.customer_id, p.items, p.metadata, p.description, p.redirect_url, p.started_by, p.created_at, p.expires_at,
  p.viewed_at, p.ended_at, p.due_at, p.attempt_count, p.attempt_id, p.event_count, p.installment_count, p.code,
  p.message, p.customer_by_page, p.language) as packed`

export interface PackedPayment {
  packed: [
    merchantId: number,
    id: number,
    state: Payment['state'],
    version: number,
    amountMinor: number,
    currency: string,
    preAuth: boolean,
    customerId: number | null,
    items: Payment['items'],
    metadata: Payment['metadata'],
    description: string | null,
    redirectUrl: string | null,
    startedBy: Payment['startedBy'],
    createdAt: string,
    expiresAt: string,
    viewedAt: string | null,
    endedAt: string | null,
    dueAt: string | null,
    attemptCount: number,
    attemptId: number | null,
    eventCount: number,
    installmentCount: number,
    code: string | null,
    message: string | null,
    customerByPage: boolean,
    language: Payment['language'],
  ]
}

export function paymentOf({ packed: row }: PackedPayment): Payment {
  return {
    merchantId: row[0],
    id: row[1],
    state: row[2],
    version: row[3],
    amountMinor: row[4],
    currency: row[5],
    preAuth: row[6],
    customerId: row[7],
    items: row[8],
    metadata: row[9],
    description: row[10],
    redirectUrl: row[11],
    startedBy: row[12],
    createdAt: new Date(row[13]),
    expiresAt: new Date(row[14]),
    viewedAt: row[15] === null ? null : new Date(row[15]),
    endedAt: row[16] === null ? null : new Date(row[16]),
    dueAt: row[17] === null ? null : new Date(row[17]),
    attemptCount: row[18],
    attemptId: row[19],
    eventCount: row[20],
    installmentCount: row[21],
    code: row[22],
    message: row[23],
    customerByPage: row[24],
    language: row[25],
  }
}

export async function paymentById(
  database: Sql,
  merchantId: number,
  id: number,
): Promise<Payment | undefined> {
  const row = await database.maybe<PackedPayment>(sql`select ${packedPayment} from payments p
    where p.merchant_id = ${merchantId} and p.id = ${id}`)
  return row && paymentOf(row)
}

/** An attempt with its payment, as both stand at one moment. */
export function situationOf(database: Sql, { merchantId, id }: Whose): Promise<Situation | undefined> {
  return situationWhere(database, sql`a.merchant_id = ${merchantId} and a.id = ${id}`)
}

/** The same of the attempt that this press of the button on a payment's page has begun. */
export function situationOfSubmission(
  database: Sql,
  { merchantId, id }: Whose,
  submission: string,
): Promise<Situation | undefined> {
  return situationWhere(
    database,
    sql`a.merchant_id = ${merchantId} and a.payment_id = ${id} and a.submission = ${submission}`,
  )
}

async function situationWhere(database: Sql, condition: Statement): Promise<Situation | undefined> {
  const row = await database.maybe<Attempt & PackedPayment>(sql`select ${attemptColumns}, ${packedPayment}
    from payment_attempts a join payments p on p.merchant_id = a.merchant_id and p.id = a.payment_id
    where ${condition}`)
  if (!row) return undefined
  const { packed, ...attempt } = row
  return { attempt, payment: paymentOf({ packed }) }
}

/** Those that somebody has to look at by now, the longest due first, and of each POS no more than so many. */
export function dueAttempts(
  database: Sql,
  now: Date,
  ofEachPos: number,
): Promise<(Whose & { posId: number })[]> {
  return database.many(sql`select merchant_id as "merchantId", id, pos_id as "posId" from (
      select merchant_id, id, pos_id, due_at, row_number() over (partition by pos_id order by due_at, id) as place
      from payment_attempts where due_at <= ${now}) due
    where place <= ${ofEachPos} order by due_at, id`)
}

/** Leaves a payment to a later round. */
export async function postponePayment(database: Sql, { merchantId, id }: Whose, dueAt: Date): Promise<void> {
  await database.run(sql`update payments set due_at = ${dueAt}
    where merchant_id = ${merchantId} and id = ${id} and due_at < ${dueAt}`)
}

export function duePayments(database: Sql, now: Date, limit: number): Promise<Whose[]> {
  return database.many(sql`select merchant_id as "merchantId", id from payments
    where due_at <= ${now} order by due_at limit ${limit}`)
}

/** What is written at once, or not at all. */
export interface Change {
  /** The payment as it was when this was decided, and as it is to be. */
  payment?: { before: Payment; after: Payment }
  /** The same of the attempt; of a new one there is no before. */
  attempt?: { before?: Attempt; after: Attempt }
  /** Who pays, where the page has asked. */
  customer?: CustomerChange | undefined
  event?: PaymentEvent
  transfers?: readonly Transfer[]
  asks?: BankCall
  answered?: BankCall
  seals?: SealedCard & { attemptId: number }
  /** The attempt whose card is handed out, for this one time. */
  takesCardOf?: number
  erasesCardOf?: number
  /** What other features write with it, each a part that selects from `moved`. */
  also?: readonly Statement[]
}

/**
 * Writes a change in one statement. Guarantee: it happens whole if payment, attempt and customer are still what they were
 * when it was decided, and otherwise not at all; says which. Of two changes decided on the same state one is made.
 */
export async function write(database: Sql, change: Change): Promise<Written> {
  const parts = partsOf(change)
  const { moved, bytes, keyId, hour, salt } = await database.one<Row>(sql`with ${join(parts, ', ')}
    select (select count(*)::int from moved) as moved, ${takenCard(change)}`)
  if (moved === 0) return { isWritten: false, card: undefined }
  return { isWritten: true, card: bytes ? { bytes, keyId, hour, salt } : undefined }
}

export interface Written {
  isWritten: boolean
  /** The sealed card that was handed out, with the salt of its hour. */
  card: SaltedCard | undefined
}

interface Row extends SaltedCard {
  moved: number
}

function takenCard({ takesCardOf }: Change): Statement {
  return takesCardOf === undefined
    ? sql`null as bytes`
    : sql`(select bytes from taken) as bytes, (select "keyId" from taken) as "keyId",
        (select hour from taken) as hour, ${saltOf(sql`(select hour from taken)`)} as salt`
}

/**
 * First the attempt and the customer are held, then the payment moves, always in this order; all else follows from the
 * payment's move.
 */
function partsOf(change: Change): Statement[] {
  const { attempt, payment, customer, event, transfers, asks, answered, seals } = change
  const { takesCardOf, erasesCardOf, also = [] } = change
  const named = (name: string, part: Statement | undefined) => (part ? [sql`${raw(name)} as (${part})`] : [])
  const before = attempt?.before
  const held = [...(before ? ['kept'] : []), ...(customer?.before ? ['unchanged'] : [])]
  return [
    ...named('kept', before && keptPart(before)),
    ...named('unchanged', customer?.before && unchangedCustomerPart(customer.before)),
    ...named('moved', payment ? movedPart(payment, held) : stayedPart(before)),
    ...named('payer', customer && changedCustomerPart(customer)),
    ...named('changed', attempt && (before ? updatePart(attempt.after) : insertPart(attempt.after))),
    ...named('told', event && eventPart(event)),
    ...named('posted', transfers && transfers.length > 0 ? transfersPart(transfers) : undefined),
    ...named('asked', asks && callPart(asks)),
    ...named('answered', answered && answeredPart(answered)),
    ...named('sealed', seals && sealedCardPart(seals.attemptId, seals)),
    ...named('taken', takesCardOf === undefined ? undefined : takenCardPart(takesCardOf)),
    ...named('erased', erasesCardOf === undefined ? undefined : eraseCardPart(erasesCardOf)),
    ...also.flatMap((part, index) => named(`also${index + 1}`, part)),
  ]
}

function keptPart({ merchantId, id, version }: Attempt): Statement {
  return sql`select merchant_id, payment_id from payment_attempts
    where merchant_id = ${merchantId} and id = ${id} and version = ${version} for update`
}

function stayedPart(attempt: Attempt | undefined): Statement {
  if (!attempt) throw new Error('a change is made to a payment or to an attempt that is there')
  return sql`select merchant_id, payment_id as id, 0 as event_count from kept`
}

function movedPart(
  { before, after }: { before: Payment; after: Payment },
  held: readonly string[],
): Statement {
  return sql`update payments set state = ${after.state}, version = version + 1, ended_at = ${after.endedAt},
      viewed_at = coalesce(viewed_at, ${after.viewedAt}), due_at = ${after.dueAt}, attempt_count = ${after.attemptCount},
      attempt_id = ${after.attemptId}, event_count = ${after.eventCount},
      installment_count = ${after.installmentCount}, code = ${after.code}, message = ${after.message},
      customer_id = ${after.customerId}, customer_by_page = ${after.customerByPage}
    where merchant_id = ${before.merchantId} and id = ${before.id} and version = ${before.version}
      ${join([empty, ...held.map((name) => sql`and exists (select from ${raw(name)})`)], ' ')}
    returning merchant_id, id, event_count`
}

function insertPart(a: Attempt): Statement {
  return sql`insert into payment_attempts (merchant_id, id, payment_id, number, reference, state, version, pos_id, connector,
      pre_auth, currency, charged, commission, commission_id, installment, reason, card_masked, card_fingerprint,
      payer_address, submission, began_at, tries)
    select merchant_id, ${a.id}::bigint, id, ${a.number}::int, ${a.reference}::text, ${a.state}::text, ${a.version}::int, ${a.posId}::bigint,
      ${a.connector}::text, ${a.preAuth}::boolean, ${a.currency}::text, ${a.chargedMinor}::bigint,
      ${a.commissionMinor}::bigint, ${a.commissionId}::bigint, ${a.installment}::int, ${JSON.stringify(a.reason)}::jsonb,
      ${a.cardMasked}::text, ${a.cardFingerprint}::bytea, ${a.payerAddress}::text, ${a.submission}::text,
      ${a.beganAt}::timestamptz, ${a.tries}::int from moved`
}

function updatePart(a: Attempt): Statement {
  return sql`update payment_attempts a set state = ${a.state}, version = a.version + 1, asked_at = ${a.askedAt},
      ended_at = ${a.endedAt}, code = ${a.code}, message = ${a.message}, decline_reason = ${a.declineReason},
      bank_references = ${a.bankReferences && JSON.stringify(a.bankReferences)}, due_at = ${a.dueAt},
      tries = ${a.tries}, needs_person_at = ${a.needsPersonAt}
    from moved where a.merchant_id = moved.merchant_id and a.id = ${a.id}`
}

function callPart(call: BankCall): Statement {
  return sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, operation, asked_at, answered_at, outcome,
      code, detail)
    select merchant_id, ${call.id}::bigint, ${call.paymentId}::bigint, ${call.attemptId}::bigint,
      ${call.operation}::text, ${call.askedAt}::timestamptz, ${call.answeredAt}::timestamptz, ${call.outcome}::text,
      ${call.code}::text, ${call.detail}::text from moved`
}

/** Nobody but who asked has the answer, and has but one: written again, it is the same. */
function answeredPart(call: BankCall): Statement {
  return sql`update bank_calls c set answered_at = ${call.answeredAt}, outcome = ${call.outcome}, code = ${call.code},
      detail = ${call.detail}
    from moved where c.merchant_id = moved.merchant_id and c.id = ${call.id}`
}

/** Notes what came of a call whose attempt has moved on without it. */
export async function noteAnswer(database: Sql, call: BankCall): Promise<void> {
  await database.run(sql`update bank_calls set answered_at = ${call.answeredAt}, outcome = ${call.outcome},
      code = ${call.code}, detail = ${call.detail}
    where merchant_id = ${call.merchantId} and id = ${call.id}`)
}

/** Whether a question was written down, for when the connection was lost while doing so. */
export async function isAsked(database: Sql, { merchantId, id }: Whose): Promise<boolean> {
  const row = await database.maybe(
    sql`select from bank_calls where merchant_id = ${merchantId} and id = ${id}`,
  )
  return row !== undefined
}

/** An attempt that is not settled, with what people need to know to settle it. */
export interface Unsettled extends Attempt {
  merchantName: string
  timeZone: string
  posName: string
  paymentState: Payment['state']
}

/** Those that people have to look at, or also those that the service still asks about; the oldest first. */
export function unsettledAttempts(
  database: Sql,
  { isAll, limit }: { isAll: boolean; limit: number },
): Promise<Unsettled[]> {
  return database.many(sql`select ${attemptColumns}, m.name as "merchantName", m.time_zone as "timeZone",
      c.name as "posName", p.state as "paymentState"
    from payment_attempts a
      join payments p on p.merchant_id = a.merchant_id and p.id = a.payment_id
      join pos_credentials c on c.merchant_id = a.merchant_id and c.id = a.pos_id
      join merchants m on m.id = a.merchant_id
    where ${isAll ? unsettled : forPeople} order by a.asked_at, a.id limit ${limit}`)
}

export async function countUnsettledAttempts(database: Sql, isAll: boolean): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    sql`select count(*)::int as count from payment_attempts a where ${isAll ? unsettled : forPeople}`,
  )
  return count
}

const forPeople = sql`a.needs_person_at is not null`
const unsettled = sql`(${forPeople} or (a.due_at is not null and a.state in ('authorizing', 'reversing')))`

/** By its id alone, as people are told it: merchants are few, and each is looked at by the primary key. */
export async function attemptPlace(
  database: Sql,
  id: number,
): Promise<(Whose & Pick<Attempt, 'paymentId' | 'reference'>) | undefined> {
  return database.maybe(sql`select a.merchant_id as "merchantId", a.id,
      a.payment_id as "paymentId", a.reference from merchants m
    join payment_attempts a on a.merchant_id = m.id and a.id = ${id}`)
}

/** Whether a bank was asked about it since then and has not answered. */
export async function isBeingAsked(database: Sql, { merchantId, id }: Whose, since: Date): Promise<boolean> {
  const open = await database.many(sql`select from bank_calls where merchant_id = ${merchantId}
    and attempt_id = ${id} and asked_at > ${since} and answered_at is null limit 1`)
  return open.length > 0
}

export function callsOf(database: Sql, { merchantId, id }: Whose): Promise<BankCall[]> {
  return database.many(sql`select merchant_id as "merchantId", id, payment_id as "paymentId",
      attempt_id as "attemptId", operation, asked_at as "askedAt", answered_at as "answeredAt", outcome, code, detail
    from bank_calls where merchant_id = ${merchantId} and attempt_id = ${id} order by asked_at, id`)
}

/** How many attempts are not settled, how many of them people have to look at, and since when the oldest was asked. */
export async function unsettledCounts(
  database: Sql,
): Promise<{ unknown: number; forPeople: number; oldestAskedAt: Date | null }> {
  return database.one(sql`select count(*) filter (where state in ('authorizing', 'reversing'))::int as unknown,
      count(*) filter (where needs_person_at is not null)::int as "forPeople",
      min(asked_at) filter (where state in ('authorizing', 'reversing')) as "oldestAskedAt"
    from payment_attempts where due_at is not null`)
}

/** Leaves it to a later round, and one that was asked before `since` to people as well. */
export async function postpone(
  database: Sql,
  { merchantId, id }: Whose,
  { dueAt, now, since }: { dueAt: Date; now: Date; since: Date },
): Promise<void> {
  await database.run(sql`update payment_attempts set due_at = ${dueAt}, needs_person_at =
      coalesce(needs_person_at, case when asked_at < ${since} then ${now}::timestamptz end)
    where merchant_id = ${merchantId} and id = ${id} and due_at < ${dueAt}`)
}
