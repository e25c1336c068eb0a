import type { Insert, Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { parameter, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { PackedCard, SealedCardWithKey } from '../cards/index.ts'
import { sealedCardColumn, sealedCardIn } from '../cards/index.ts'
import type { Contact } from '../customers/index.ts'
import { contactColumn, contactFromRow } from '../customers/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantColumn, merchantFromRow } from '../merchants/index.ts'
import type {
  PageVisit,
  PaymentWithLastAttempt,
  PaymentWithLastAttemptRow,
} from '../payments/for-three-ds.ts'
import {
  buildPaymentPageQuery,
  paymentWithLastAttemptFromRow,
  readPageRow,
} from '../payments/for-three-ds.ts'
import type { SealedPos } from '../pos/index.ts'
import { sealedPosColumn, sealedPosIn } from '../pos/index.ts'
import type { Authentication, OwnedAttemptId } from './authentication.ts'
import { authentications } from './authentication.ts'

type Row = RowOf<typeof authentications>

function authenticationOf({ proof, proofKeyId, ...row }: Row): Authentication {
  return { ...row, proof: proof && { bytes: proof, keyId: proofKeyId ?? '' } }
}

function rowOf({ proof, ...authentication }: Authentication): Row {
  return { ...authentication, proof: proof?.bytes ?? null, proofKeyId: proof?.keyId ?? null }
}

/** Column for a query about a merchant's payment `p`: the authentication of its last attempt. */
export function lastAuthenticationJsonColumn(merchantId: SqlFragment): SqlFragment {
  return sql`(select ${authentications.packed()} from authentications
    where merchant_id = ${merchantId} and attempt_id = p.attempt_id) as authentication`
}

export interface LastAuthenticationRow {
  authentication: unknown[] | null
}

export function authenticationFromRow({ authentication }: LastAuthenticationRow): Authentication | undefined {
  return authentication ? authenticationOf(authentications.unpack(authentication)) : undefined
}

/** Payment with all data needed to send its AReq. */
export interface AuthenticationContext extends PaymentWithLastAttempt {
  authentication: Authentication | undefined
  merchant: Merchant
  /** Sealed card. Reading it does not remove it. */
  card: SealedCardWithKey | undefined
  pos: SealedPos | undefined
  contact: Contact | undefined
}

interface AuthenticationContextRow extends PaymentWithLastAttemptRow, LastAuthenticationRow {
  merchant: unknown[]
  card: PackedCard | null
  pos: unknown[] | null
  contact: unknown[] | null
}

const ofMerchant = parameter('merchantId')

const selectAuthenticationContext = buildPaymentPageQuery([
  lastAuthenticationJsonColumn(ofMerchant),
  merchantColumn,
  sealedCardColumn(ofMerchant),
  sealedPosColumn(ofMerchant),
  contactColumn(ofMerchant),
])

/** Context of a page visit, read in one query. */
export async function authenticationContextOfVisit(
  database: Sql,
  lookup: PageVisit,
): Promise<AuthenticationContext | undefined> {
  const row = await readPageRow<AuthenticationContextRow>(database, selectAuthenticationContext, lookup)
  return (
    row && {
      ...paymentWithLastAttemptFromRow(row, lookup),
      authentication: authenticationFromRow(row),
      merchant: merchantFromRow(row),
      card: sealedCardIn(row),
      pos: sealedPosIn(row),
      contact: contactFromRow(row),
    }
  )
}

export async function authenticationOfAttempt(
  database: Sql,
  { merchantId, attemptId }: OwnedAttemptId,
): Promise<Authentication | undefined> {
  const row = await database.maybe<Row>(sql`select ${authentications.columns()} from authentications
    where merchant_id = ${merchantId} and attempt_id = ${attemptId}`)
  return row && authenticationOf(row)
}

/** Authentications of all attempts of a payment of any merchant, oldest first. */
export async function authenticationsOfPayment(database: Sql, paymentId: number): Promise<Authentication[]> {
  const rows = await database.many<Row>(sql`select ${authentications.columns()} from authentications
    where merchant_id = any(array(select id from merchants)) and attempt_id = any(array(select id from payment_attempts
      where merchant_id = any(array(select id from merchants)) and payment_id = ${paymentId}))
    order by began_at, attempt_id`)
  return rows.map(authenticationOf)
}

const unlessKnown = sql`on conflict (merchant_id, attempt_id) do nothing`

/** Part of the transition that begins an attempt. At most one per attempt. */
export function insertAuthenticationPart(authentication: Authentication): Insert {
  return authentications.insert(rowOf(authentication), unlessKnown)
}

/** Inserts an authentication unless the attempt already has one. */
export async function insertAuthentication(database: Sql, authentication: Authentication): Promise<void> {
  await database.run(sql`insert into authentications (${authentications.names})
    values (${authentications.values(rowOf(authentication))}) ${unlessKnown}`)
}

const changeable = authentications.omit(
  'merchantId',
  'attemptId',
  'paymentId',
  'mode',
  'version',
  'amountMinor',
  'currency',
  'serverTransId',
  'protocol',
  'scheme',
  'methodUrl',
  'beganAt',
)

/**
 * Writes the changeable columns, and with them `traced`. Guarantee: of two concurrent changes to the same
 * version one is written and returned with its new version; the other returns undefined.
 */
export async function updateAuthentication(
  database: Sql,
  after: Authentication,
  { traced, commitsAsynchronously }: { traced?: Insert | undefined; commitsAsynchronously?: boolean } = {},
): Promise<Authentication | undefined> {
  const { merchantId, attemptId, version } = after
  const written = await database.write({
    steps: [
      [
        'transition',
        sql`update authentications set version = version + 1, ${changeable.assignments(rowOf(after))}
          where merchant_id = ${merchantId} and attempt_id = ${attemptId} and version = ${version}
          returning merchant_id`,
      ],
    ],
    gate: 'transition',
    storedGate: sql`(select merchant_id from authentications
      where merchant_id = ${merchantId} and attempt_id = ${attemptId}) as transition`,
    inserts: traced ? [traced] : [],
    commitsAsynchronously,
  })
  return written && { ...after, version: after.version + 1 }
}

/**
 * Changes an authentication; after a concurrent change `next` decides again. Returns the written state,
 * undefined if `next` wants no change.
 */
export async function changeAuthentication(
  database: Sql,
  stored: Authentication,
  next: (current: Authentication) => Authentication | undefined,
): Promise<Authentication | undefined> {
  const after = next(stored)
  if (!after) return undefined
  const written = await updateAuthentication(database, after)
  if (written) return written
  const current = await authenticationOfAttempt(database, stored)
  return current && changeAuthentication(database, current, next)
}

/**
 * Records the end of the 3DS Method of this transaction, once, and only before the AReq is sent. It does not wait
 * for the disk: recording the AReq does.
 */
export async function saveMethodCompletion(
  database: Sql,
  { merchantId, attemptId }: OwnedAttemptId,
  serverTransId: string,
  now: Date,
): Promise<void> {
  const completed = sql`update authentications set method_completed_at = ${now}, version = version + 1
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and state = 'begun'
      and server_trans_id = ${serverTransId} and method_completed_at is null
    returning merchant_id`
  const steps = [['completed', completed]] as const
  await database.write({ steps, gate: 'completed', inserts: [], commitsAsynchronously: true })
}

/** Fragment for the query that records the bank call, after which cryptogram and due time are not needed. */
export function eraseProofAndDueAtPart(ownedId: OwnedAttemptId): SqlFragment {
  return sql`${erasedProofAndDueAt(ownedId)} and exists (select from transition)`
}

/** Erases the cryptogram and the due time if the bank was called before or will never be called. */
export async function eraseProofAndDueAt(database: Sql, ownedId: OwnedAttemptId): Promise<void> {
  await database.run(erasedProofAndDueAt(ownedId))
}

/** An authentication whose result was lost in a crash of the database server keeps its due time, and ends by it. */
function erasedProofAndDueAt({ merchantId, attemptId }: OwnedAttemptId): SqlFragment {
  return sql`update authentications set proof = null, proof_key_id = null, due_at = null, version = version + 1
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and (proof is not null or due_at is not null)
      and state in ('proven', 'refused')`
}

/** Due times of authentications until a time. */
export function dueAuthentications(until: Date): SqlFragment {
  return sql`select merchant_id, due_at from authentications where due_at <= ${until}`
}

/** Due authentications, longest due first. */
export function dueAuthenticationIds(database: Sql, now: Date, limit: number): Promise<OwnedAttemptId[]> {
  return database.many(sql`select merchant_id as "merchantId", attempt_id as "attemptId" from authentications
    where due_at <= ${now} order by due_at limit ${limit}`)
}

/** Postpones an authentication to a later run of the job. */
export async function postponeAuthentication(
  database: Sql,
  { merchantId, attemptId }: OwnedAttemptId,
  dueAt: Date,
): Promise<void> {
  await database.run(sql`update authentications set due_at = ${dueAt}
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and due_at < ${dueAt}`)
}

/** Makes authentications due now whose due time is beyond the longest wait. Returns their number. */
export function resetAuthenticationDueTimesAfter(database: Sql, now: Date, latest: Date): Promise<number> {
  return database.run(sql`update authentications set due_at = ${now} where due_at > ${latest}`)
}
