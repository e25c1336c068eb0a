import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { empty, jsonRowColumn, rowFromJson, sql } from '../../kit/runtime/sql.ts'
import type { PackedCard, SealedCardWithKey } from '../cards/index.ts'
import { sealedCardColumn, sealedCardIn } from '../cards/index.ts'
import type { Contact } from '../customers/index.ts'
import { contactColumn } from '../customers/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantColumn, merchantFromRow } from '../merchants/index.ts'
import type {
  PageVisit,
  PaymentWithLastAttempt,
  PaymentWithLastAttemptRow,
} from '../payments/for-three-ds.ts'
import { buildPaymentPageQuery, paymentWithLastAttemptFromRow } from '../payments/for-three-ds.ts'
import type { SealedPos } from '../pos/index.ts'
import { sealedPosColumn, sealedPosIn } from '../pos/index.ts'
import type { Authentication, OwnedAttemptId } from './authentication.ts'

const columns = sql`merchant_id as "merchantId", attempt_id as "attemptId", payment_id as "paymentId", mode, state, version,
  amount as "amountMinor", currency, server_trans_id as "serverTransId", acs_trans_id as "acsTransId", ds_trans_id as "dsTransId", protocol,
  scheme, method_url as "methodUrl", method_completed_at as "methodCompletedAt", acs_url as "acsUrl", status, reason, cancel, eci,
  holder_text as "holderText", proof as "proofBytes", proof_key_id as "proofKey", began_at as "beganAt",
  asked_at as "askedAt", challenged_at as "challengedAt", returned_at as "returnedAt", ended_at as "endedAt",
  due_at as "dueAt"`

type Row = Omit<Authentication, 'proof'> & { proofBytes: Buffer | null; proofKey: string | null }

function authenticationOf({ proofBytes, proofKey, ...row }: Row): Authentication {
  return { ...row, proof: proofBytes && { bytes: proofBytes, keyId: proofKey ?? '' } }
}

/** Column for a query about a payment `p`: the authentication of its last attempt. */
export const lastAuthenticationJsonColumn = jsonRowColumn(
  'authentication',
  sql`select ${columns} from authentications where merchant_id = p.merchant_id and attempt_id = p.attempt_id`,
)

export function authenticationFromRow(row: { authentication: object | null }): Authentication | undefined {
  if (!row.authentication) return undefined
  const milestones = { methodCompletedAt: true, askedAt: true, challengedAt: true, returnedAt: true } as const
  const times = { ...milestones, beganAt: true, endedAt: true, dueAt: true } as const
  return authenticationOf(rowFromJson<Row>(row.authentication, times, { proofBytes: true }))
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

interface AuthenticationContextRow extends PaymentWithLastAttemptRow {
  authentication: object | null
  merchant: unknown[]
  card: PackedCard | null
  pos: unknown[] | null
  contact: Contact | null
}

const selectAuthenticationContext = buildPaymentPageQuery([
  lastAuthenticationJsonColumn,
  merchantColumn,
  sealedCardColumn,
  sealedPosColumn,
  contactColumn,
])

/** Context of a page visit, read in one query. */
export async function authenticationContextOfVisit(
  database: Sql,
  lookup: PageVisit,
): Promise<AuthenticationContext | undefined> {
  const row = await database.maybe<AuthenticationContextRow>(selectAuthenticationContext(lookup))
  return (
    row && {
      ...paymentWithLastAttemptFromRow(row, lookup),
      authentication: authenticationFromRow(row),
      merchant: merchantFromRow(row),
      card: sealedCardIn(row),
      pos: sealedPosIn(row),
      contact: row.contact ?? undefined,
    }
  )
}

export async function authenticationOfAttempt(
  database: Sql,
  { merchantId, attemptId }: OwnedAttemptId,
): Promise<Authentication | undefined> {
  const row = await database.maybe<Row>(sql`select ${columns} from authentications
    where merchant_id = ${merchantId} and attempt_id = ${attemptId}`)
  return row && authenticationOf(row)
}

/** Authentications of all attempts of a payment of any merchant, oldest first. */
export async function authenticationsOfPayment(database: Sql, paymentId: number): Promise<Authentication[]> {
  const rows = await database.many<Row>(sql`select ${columns} from authentications
    where merchant_id = any(array(select id from merchants)) and payment_id = ${paymentId} order by began_at, attempt_id`)
  return rows.map(authenticationOf)
}

/** Fragment for the query that begins an attempt. `transition` holds the merchant_id. At most one per attempt. */
export function insertAuthenticationPart(a: Authentication): SqlFragment {
  return sql`insert into authentications (merchant_id, attempt_id, payment_id, mode, state, version, amount, currency,
      server_trans_id, protocol, scheme, method_url, status, reason, eci, proof, proof_key_id, began_at, ended_at, due_at)
    select merchant_id, ${a.attemptId}::bigint, ${a.paymentId}::bigint, ${a.mode}::text, ${a.state}::text,
      ${a.version}::integer, ${a.amountMinor}::bigint, ${a.currency}::text, ${a.serverTransId}::text, ${a.protocol}::text,
      ${a.scheme}::text, ${a.methodUrl}::text, ${a.status}::text, ${a.reason}::text, ${a.eci}::text,
      ${a.proof?.bytes ?? null}::bytea, ${a.proof?.keyId ?? null}::text, ${a.beganAt}::timestamptz,
      ${a.endedAt}::timestamptz, ${a.dueAt}::timestamptz from transition
    on conflict (merchant_id, attempt_id) do nothing`
}

/** Inserts an authentication unless the attempt already has one. Returns whether it was inserted. */
export async function insertAuthentication(database: Sql, authentication: Authentication): Promise<boolean> {
  const count = await database.run(sql`with
    transition as (select ${authentication.merchantId}::bigint as merchant_id) ${insertAuthenticationPart(authentication)}`)
  return count === 1
}

/**
 * Writes the changeable columns, and in the same query `traced`, a part that selects from `transition`.
 * Guarantee: of two concurrent changes to the same version one is written; the other returns false.
 */
export async function updateAuthentication(
  database: Sql,
  after: Authentication,
  traced?: SqlFragment,
): Promise<boolean> {
  const a = after
  const { count } = await database.one<{ count: number }>(sql`with transition as (
      update authentications set state = ${a.state}, version = version + 1,
        acs_trans_id = ${a.acsTransId}, ds_trans_id = ${a.dsTransId}, method_completed_at = ${a.methodCompletedAt},
        acs_url = ${a.acsUrl}, status = ${a.status}, reason = ${a.reason}, cancel = ${a.cancel}, eci = ${a.eci},
        holder_text = ${a.holderText}, proof = ${a.proof?.bytes ?? null}, proof_key_id = ${a.proof?.keyId ?? null},
        asked_at = ${a.askedAt}, challenged_at = ${a.challengedAt}, returned_at = ${a.returnedAt},
        ended_at = ${a.endedAt}, due_at = ${a.dueAt}
      where merchant_id = ${a.merchantId} and attempt_id = ${a.attemptId} and version = ${a.version}
      returning merchant_id)
    ${traced ? sql`, inserted_trace as (${traced})` : empty} select count(*)::int as count from transition`)
  return count === 1
}

/** Records the end of the 3DS Method of this transaction, once, and only before the AReq is sent. */
export async function saveMethodCompletion(
  database: Sql,
  { merchantId, attemptId }: OwnedAttemptId,
  serverTransId: string,
  now: Date,
): Promise<void> {
  await database.run(sql`update authentications set method_completed_at = ${now}, version = version + 1
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and state = 'begun'
      and server_trans_id = ${serverTransId} and method_completed_at is null`)
}

/** Fragment for the query that records the bank call, after which cryptogram and due time are not needed. */
export function eraseProofAndDueAtPart({ attemptId }: OwnedAttemptId): SqlFragment {
  return sql`update authentications e set proof = null, proof_key_id = null, due_at = null, version = e.version + 1
    from transition where e.merchant_id = transition.merchant_id and e.attempt_id = ${attemptId}::bigint
      and (e.proof is not null or e.due_at is not null)`
}

/** Erases the cryptogram and the due time if the bank was called before or will never be called. */
export async function eraseProofAndDueAt(database: Sql, ownedId: OwnedAttemptId): Promise<void> {
  await database.run(sql`with transition as (select ${ownedId.merchantId}::bigint as merchant_id)
    ${eraseProofAndDueAtPart(ownedId)}`)
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
