import type { Sql } from '../../kit/runtime/sql.ts'
import { sql } from '../../kit/runtime/sql.ts'
import type { SandboxCharge } from '../bank/store.ts'
import type { MdStatus } from './cards.ts'
import type { GateAuthentication, GateSession } from './session.ts'

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
    wrong_passcodes integer not null default 0,
    md text not null unique,
    xid text not null unique,
    opened_at timestamptz not null,
    md_status text,
    message text,
    eci text,
    cavv text,
    used_at timestamptz
  )`,
]

interface Row extends Omit<GateSession, 'authentication'> {
  mdStatus: MdStatus | null
  message: string | null
  eci: string | null
  cavv: string | null
}

const columns = sql`id, client_id as "clientId", oid, amount, currency, installments, language, address, fields, card,
  trick, code, fault, passcode, wrong_passcodes as "wrongPasscodes", md, xid, opened_at as "openedAt",
  md_status as "mdStatus", message, eci, cavv, used_at as "usedAt"`

export async function insertSession(database: Sql, session: GateSession): Promise<void> {
  const { id, clientId, oid, amount, currency, installments, language, address, fields } = session
  const { card, trick, code, fault, passcode, md, xid, openedAt, authentication, usedAt } = session
  await database.run(sql`
    insert into sandbox.gate_sessions (id, client_id, oid, amount, currency, installments, language, address, fields,
      card, trick, code, fault, passcode, md, xid, opened_at, md_status, message, eci, cavv, used_at)
    values (${id}, ${clientId}, ${oid}, ${amount}, ${currency}, ${installments}, ${language}, ${address},
      ${JSON.stringify(fields)}, ${card}, ${trick}, ${code}, ${fault}, ${passcode}, ${md}, ${xid}, ${openedAt},
      ${authentication?.mdStatus ?? null}, ${authentication?.message ?? null}, ${authentication?.eci ?? null}, ${authentication?.cavv ?? null},
      ${usedAt})`)
}

/** The session, locked until the transaction ends. */
export async function lockSession(database: Sql, id: string): Promise<GateSession | undefined> {
  return asSession(
    await database.maybe<Row>(sql`select ${columns} from sandbox.gate_sessions where id = ${id} for update`),
  )
}

/** The session with this `md`, locked until the transaction ends. */
export async function lockSessionByMd(
  database: Sql,
  clientId: string,
  md: string,
): Promise<GateSession | undefined> {
  return asSession(
    await database.maybe<Row>(sql`
      select ${columns} from sandbox.gate_sessions where md = ${md} and client_id = ${clientId} for update`),
  )
}

/** The session that paid for an order. */
export async function sessionOfOrder(
  database: Sql,
  clientId: string,
  oid: string,
): Promise<GateSession | undefined> {
  return asSession(
    await database.maybe<Row>(sql`
      select ${columns} from sandbox.gate_sessions
      where client_id = ${clientId} and oid = ${oid} and used_at is not null order by used_at limit 1`),
  )
}

function asSession(row: Row | undefined): GateSession | undefined {
  if (!row) return undefined
  const { mdStatus, message, eci, cavv, ...session } = row
  const authentication: GateAuthentication | undefined = mdStatus
    ? { mdStatus, message: message ?? '', eci: eci ?? '', cavv: cavv ?? '' }
    : undefined
  return { ...session, authentication }
}

export async function recordAuthentication(
  database: Sql,
  id: string,
  { mdStatus, message, eci, cavv }: GateAuthentication,
): Promise<void> {
  await database.run(sql`
    update sandbox.gate_sessions
    set md_status = ${mdStatus}, message = ${message}, eci = ${eci}, cavv = ${cavv} where id = ${id}`)
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
