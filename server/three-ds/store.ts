import type { Sql } from '../kit/sql.ts'
import { join, sql } from '../kit/sql.ts'
import type { Authentication, Whose } from './authentication.ts'

const columns = sql`merchant_id as "merchantId", attempt_id as "attemptId", payment_id as "paymentId", way, state, version,
  amount as "amountMinor", currency, server_id as "serverId", acs_id as "acsId", directory_id as "directoryId", protocol,
  scheme, method_url as "methodUrl", method_heard_at as "methodHeardAt", acs_url as "acsUrl", status, reason, cancel, eci,
  holder_text as "holderText", proof as "proofBytes", proof_key as "proofKey", began_at as "beganAt",
  asked_at as "askedAt", challenged_at as "challengedAt", returned_at as "returnedAt", ended_at as "endedAt",
  due_at as "dueAt"`

type Row = Omit<Authentication, 'proof'> & { proofBytes: Buffer | null; proofKey: string | null }

function authenticationOf({ proofBytes, proofKey, ...row }: Row): Authentication {
  return { ...row, proof: proofBytes && { bytes: proofBytes, keyId: proofKey ?? '' } }
}

export async function authenticationOfAttempt(
  database: Sql,
  { merchantId, attemptId }: Whose,
): Promise<Authentication | undefined> {
  const row = await database.maybe<Row>(sql`select ${columns} from authentications
    where merchant_id = ${merchantId} and attempt_id = ${attemptId}`)
  return row && authenticationOf(row)
}

/** Those of all attempts of a payment, in their order. */
export async function authenticationsOfPayment(database: Sql, paymentId: number): Promise<Authentication[]> {
  const rows = await database.many<Row>(sql`select ${columns} from authentications
    where payment_id = ${paymentId} order by began_at, attempt_id`)
  return rows.map(authenticationOf)
}

/** Writes a new one, unless the attempt has one already; says whether it did. */
export async function insertAuthentication(database: Sql, a: Authentication): Promise<boolean> {
  const values = [
    ...[a.merchantId, a.attemptId, a.paymentId, a.way, a.state, a.version, a.amountMinor, a.currency],
    ...[a.serverId, a.protocol, a.scheme, a.methodUrl, a.status, a.reason, a.eci],
    ...[a.proof?.bytes ?? null, a.proof?.keyId ?? null, a.beganAt, a.endedAt, a.dueAt],
  ]
  const count =
    await database.run(sql`insert into authentications (merchant_id, attempt_id, payment_id, way, state,
      version, amount, currency, server_id, protocol, scheme, method_url, status, reason, eci, proof, proof_key,
      began_at, ended_at, due_at)
    values (${join(values)}) on conflict (merchant_id, attempt_id) do nothing`)
  return count === 1
}

/**
 * Writes what may change. Guarantee: only if nobody has changed it since it was read, so that of two who decided at the
 * same moment one is refused; says whether it did.
 */
export async function updateAuthentication(database: Sql, after: Authentication): Promise<boolean> {
  const a = after
  const count = await database.run(sql`update authentications set state = ${a.state}, version = version + 1,
      acs_id = ${a.acsId}, directory_id = ${a.directoryId}, method_heard_at = ${a.methodHeardAt},
      acs_url = ${a.acsUrl}, status = ${a.status}, reason = ${a.reason}, cancel = ${a.cancel}, eci = ${a.eci},
      holder_text = ${a.holderText}, proof = ${a.proof?.bytes ?? null}, proof_key = ${a.proof?.keyId ?? null},
      asked_at = ${a.askedAt}, challenged_at = ${a.challengedAt}, returned_at = ${a.returnedAt},
      ended_at = ${a.endedAt}, due_at = ${a.dueAt}
    where merchant_id = ${a.merchantId} and attempt_id = ${a.attemptId} and version = ${a.version}`)
  return count === 1
}

/** The bank has been asked, or will never be: the cryptogram goes, and nobody has to look any more. */
export async function forgetProof(database: Sql, { merchantId, attemptId }: Whose): Promise<void> {
  await database.run(sql`update authentications
    set proof = null, proof_key = null, due_at = null, version = version + 1
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and (proof is not null or due_at is not null)`)
}

/** Those that somebody has to look at by now, the longest due first. */
export function dueAuthentications(database: Sql, now: Date, limit: number): Promise<Whose[]> {
  return database.many(sql`select merchant_id as "merchantId", attempt_id as "attemptId" from authentications
    where due_at <= ${now} order by due_at limit ${limit}`)
}

/** Leaves one to a later round. */
export async function postponeAuthentication(
  database: Sql,
  { merchantId, attemptId }: Whose,
  dueAt: Date,
): Promise<void> {
  await database.run(sql`update authentications set due_at = ${dueAt}
    where merchant_id = ${merchantId} and attempt_id = ${attemptId} and due_at < ${dueAt}`)
}
