import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { SandboxCharge } from '../bank/store.ts'
import type { GateAuthentication, GateSession } from './session.ts'
import { gateSessions } from './session.ts'

/** Tables of the gate in the bank's schema. */
export const gateSchema = [
  sql`create table if not exists sandbox.gate_sessions (
    id text primary key,
    client_id text not null,
    oid text not null,
    amount bigint not null,
    currency text not null,
    installments integer not null,
    language text not null,
    address text not null,
    fields jsonb not null,
    card text not null,
    trick text,
    code text not null,
    fault text,
    passcode text not null,
    wrong_passcodes integer not null,
    md text not null unique,
    xid text not null unique,
    opened_at timestamptz not null,
    authentication jsonb,
    used_at timestamptz
  )`,
]

export async function insertSession(database: Sql, session: GateSession): Promise<void> {
  await database.run(sql`
    insert into sandbox.gate_sessions (${gateSessions.names}) values (${gateSessions.values(session)})`)
}

/** The session, locked until the transaction ends. */
export function lockSession(database: Sql, id: string): Promise<GateSession | undefined> {
  return database.maybe(
    sql`select ${gateSessions.columns()} from sandbox.gate_sessions where id = ${id} for update`,
  )
}

/** The session with this `md`, locked until the transaction ends. */
export function lockSessionByMd(
  database: Sql,
  clientId: string,
  md: string,
): Promise<GateSession | undefined> {
  return database.maybe(sql`select ${gateSessions.columns()} from sandbox.gate_sessions
    where md = ${md} and client_id = ${clientId} for update`)
}

/** The session that paid for an order. */
export function sessionOfOrder(
  database: Sql,
  clientId: string,
  oid: string,
): Promise<GateSession | undefined> {
  return database.maybe(sql`select ${gateSessions.columns()} from sandbox.gate_sessions
    where client_id = ${clientId} and oid = ${oid} and used_at is not null order by used_at limit 1`)
}

export async function recordAuthentication(
  database: Sql,
  id: string,
  authentication: GateAuthentication,
): Promise<void> {
  await database.run(sql`
    update sandbox.gate_sessions set authentication = ${JSON.stringify(authentication)}::jsonb where id = ${id}`)
}

export async function recordWrongPasscode(database: Sql, id: string): Promise<void> {
  await database.run(sql`
    update sandbox.gate_sessions set wrong_passcodes = wrong_passcodes + 1 where id = ${id}`)
}

export async function recordSessionUse(database: Sql, id: string, at: Date): Promise<void> {
  await database.run(sql`update sandbox.gate_sessions set used_at = ${at} where id = ${id}`)
}

/** The order with this number of the bank. */
export function orderByHostReference(
  database: Sql,
  terminal: string,
  hostReference: string,
): Promise<Pick<SandboxCharge, 'reference'> | undefined> {
  return database.maybe(sql`
    select reference from sandbox.charges where terminal = ${terminal} and host_reference = ${hostReference}`)
}
