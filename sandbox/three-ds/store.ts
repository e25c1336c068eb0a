import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { AcsAuthentication, ChallengeEnding } from './authentication.ts'
import { acsAuthentications } from './authentication.ts'

/** Tables of the directory server and the ACS, in the bank's schema. */
export const authenticationTables = [
  sql`create table if not exists sandbox.authentications (
    acs_trans_id text primary key,
    server_trans_id text not null,
    ds_trans_id text not null,
    version text not null,
    card text not null,
    scheme text not null,
    merchant_name text not null,
    amount text not null,
    currency text not null,
    exponent integer not null,
    purchased_at timestamptz not null,
    language text not null,
    results_url text not null,
    notification_url text not null,
    initial_status text not null,
    meaning text,
    quirk text,
    code text,
    wrong_codes integer not null,
    asked_at timestamptz not null,
    came_at timestamptz,
    deadline_at timestamptz,
    ending jsonb,
    results_due_at timestamptz,
    results_tries integer not null,
    results_response text,
    error_code text
  )`,
  // For a bank that was started before it had this column.
  sql`alter table sandbox.authentications add column if not exists language text not null default 'tr'`,
  sql`create index if not exists authentications_of_server on sandbox.authentications (server_trans_id)`,
  sql`create index if not exists authentications_deadline on sandbox.authentications (deadline_at)
    where ending is null`,
  sql`create index if not exists authentications_due on sandbox.authentications (results_due_at)
    where results_due_at is not null`,
]

const columns = acsAuthentications.columns()
const newAuthentications = acsAuthentications.omit(
  'wrongCodes',
  'cameAt',
  'ending',
  'resultsDueAt',
  'resultsTries',
  'resultsResponse',
  'errorCode',
)
export type NewAuthentication = RowOf<typeof newAuthentications>

export async function insertAuthentication(database: Sql, authentication: NewAuthentication): Promise<void> {
  await database.run(sql`
    insert into sandbox.authentications (${newAuthentications.names}, wrong_codes, results_tries)
    values (${newAuthentications.values(authentication)}, 0, 0)`)
}

export function authenticationById(
  database: Sql,
  acsTransId: string,
): Promise<AcsAuthentication | undefined> {
  return database.maybe(
    sql`select ${columns} from sandbox.authentications where acs_trans_id = ${acsTransId}`,
  )
}

/** The authentication, locked until the transaction ends. */
export function lockAuthentication(
  database: Sql,
  acsTransId: string,
): Promise<AcsAuthentication | undefined> {
  return database.maybe(
    sql`select ${columns} from sandbox.authentications where acs_trans_id = ${acsTransId} for update`,
  )
}

/** Records the first opening of the challenge, unless it is too late. */
export async function recordArrival(
  database: Sql,
  acsTransId: string,
  at: Date,
  deadline: Date,
): Promise<void> {
  await database.run(sql`
    update sandbox.authentications set came_at = ${at}, deadline_at = ${deadline}
    where acs_trans_id = ${acsTransId} and came_at is null and ending is null and deadline_at > ${at}`)
}

export async function recordWrongCode(database: Sql, acsTransId: string): Promise<void> {
  await database.run(sql`
    update sandbox.authentications set wrong_codes = wrong_codes + 1 where acs_trans_id = ${acsTransId}`)
}

/** Ends a challenge, unless it has ended already. */
export async function recordEnding(
  database: Sql,
  acsTransId: string,
  ending: ChallengeEnding,
  resultsDueAt: Date | null,
): Promise<void> {
  await database.run(sql`
    update sandbox.authentications set ending = ${JSON.stringify(ending)}::jsonb, results_due_at = ${resultsDueAt}
    where acs_trans_id = ${acsTransId} and ending is null`)
}

/** Challenges past their deadline. */
export async function overdueChallenges(database: Sql, now: Date): Promise<string[]> {
  const rows = await database.many<{ id: string }>(sql`
    select acs_trans_id as id from sandbox.authentications
    where ending is null and deadline_at <= ${now} order by deadline_at limit 100`)
  return rows.map(({ id }) => id)
}

export async function dueResults(database: Sql, now: Date): Promise<string[]> {
  const rows = await database.many<{ id: string }>(sql`
    select acs_trans_id as id from sandbox.authentications
    where results_due_at <= ${now} order by results_due_at limit 100`)
  return rows.map(({ id }) => id)
}

/** Leases the due results to one caller until `until`; undefined for the others. */
export function claimResults(
  database: Sql,
  acsTransId: string,
  now: Date,
  until: Date,
): Promise<AcsAuthentication | undefined> {
  return database.maybe(sql`
    update sandbox.authentications set results_due_at = ${until}, results_tries = results_tries + 1
    where acs_trans_id = ${acsTransId} and results_due_at <= ${now} returning ${columns}`)
}

/** Records the answer to an attempt, and the time of the next attempt, if any. */
export async function recordResultsAttempt(
  database: Sql,
  acsTransId: string,
  dueAt: Date | null,
  response: string | null,
): Promise<void> {
  await database.run(sql`
    update sandbox.authentications set results_due_at = ${dueAt}, results_response = ${response}
    where acs_trans_id = ${acsTransId}`)
}

/** Records the error code that a 3DS Server reported. */
export async function recordComplaint(
  database: Sql,
  ids: { serverTransId: string | null; acsTransId: string | null; dsTransId: string | null },
  code: string,
): Promise<void> {
  const { serverTransId, acsTransId, dsTransId } = ids
  await database.run(sql`
    update sandbox.authentications set error_code = ${code}
    where acs_trans_id = ${acsTransId} or server_trans_id = ${serverTransId}
      or ds_trans_id = ${dsTransId}`)
}
