import type { Sql } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
import type { ResponseCode } from '../cards/response-codes.ts'

export type ChargeKind = 'sale' | 'pre-authorization'

/** A charge that the bank was asked for, approved or declined. It is written once and never changed. */
export interface SandboxCharge {
  terminal: string
  reference: string
  kind: ChargeKind
  /** In minor units, as the bank charged it. */
  amount: number
  currency: string
  installments: number
  /** Masked. */
  card: string
  fault: string | null
  code: ResponseCode
  authCode: string | null
  hostReference: string
  askedAt: Date
  /** From when on the bank knows of it. */
  doneAt: Date
}

/**
 * Operation on a charge: done, or to be done when its time has come, if it still can be then. Operations are appended and
 * never changed.
 */
export interface ChargeOperation {
  kind: 'authorized' | 'held' | 'captured' | 'voided' | 'refunded'
  amount: number
  /** Tells refunds of one charge apart. */
  part: string | null
  at: Date
}

export interface TerminalCredentials {
  salt: Buffer
  passwordHash: Buffer
}

export function credentialsOfTerminal(
  database: Sql,
  terminal: string,
): Promise<TerminalCredentials | undefined> {
  return database.maybe(
    sql`select salt, password_hash as "passwordHash" from sandbox.terminals where terminal = ${terminal}`,
  )
}

/** Of two who enrol one terminal at once the first wins. */
export async function enrolTerminal(
  database: Sql,
  terminal: string,
  { salt, passwordHash }: TerminalCredentials,
  at: Date,
): Promise<void> {
  await database.run(sql`
    insert into sandbox.terminals (terminal, salt, password_hash, enrolled_at)
    values (${terminal}, ${salt}, ${passwordHash}, ${at})
    on conflict do nothing`)
}

/** Writes a charge into the book with its first operation, in one query. False if its reference is taken. */
export async function insertCharge(
  database: Sql,
  charge: SandboxCharge,
  operation: ChargeOperation | undefined,
): Promise<boolean> {
  const { terminal, reference, kind, amount, currency, installments, card, fault } = charge
  const { code, authCode, hostReference, askedAt, doneAt } = charge
  const operationPart = operation
    ? sql`, done as (
        insert into sandbox.deeds (terminal, reference, number, kind, amount, part, at)
        select terminal, reference, 1, ${operation.kind}, ${operation.amount}::bigint, null, ${operation.at}::timestamptz from charged
      )`
    : sql``
  const { count } = await database.one<{ count: number }>(sql`
    with charged as (
      insert into sandbox.charges (terminal, reference, kind, amount, currency, installments, card, fault, code,
        auth_code, host_reference, asked_at, done_at)
      values (${terminal}, ${reference}, ${kind}, ${amount}, ${currency}, ${installments}, ${card}, ${fault},
        ${code}, ${authCode}, ${hostReference}, ${askedAt}, ${doneAt})
      on conflict do nothing
      returning terminal, reference
    )${operationPart}
    select count(*) as count from charged`)
  return count === 1
}

const chargeColumns = sql`terminal, reference, kind, amount, currency, installments, card, fault, code,
  auth_code as "authCode", host_reference as "hostReference", asked_at as "askedAt", done_at as "doneAt"`

/** The charge, though its time may not have come. In a transaction nobody else can do anything to it until the end. */
export function lockCharge(
  database: Sql,
  terminal: string,
  reference: string,
): Promise<SandboxCharge | undefined> {
  return database.maybe(sql`
    select ${chargeColumns} from sandbox.charges
    where terminal = ${terminal} and reference = ${reference} for update`)
}

export function chargeByReference(
  database: Sql,
  terminal: string,
  reference: string,
): Promise<SandboxCharge | undefined> {
  return database.maybe(sql`
    select ${chargeColumns} from sandbox.charges where terminal = ${terminal} and reference = ${reference}`)
}

/** What was done to a charge and what will be, in the order in which it was asked for. */
export function operationsOf(
  database: Sql,
  { terminal, reference }: SandboxCharge,
): Promise<ChargeOperation[]> {
  return database.many(sql`
    select kind, amount, part, at from sandbox.deeds
    where terminal = ${terminal} and reference = ${reference} order by number`)
}

/** To be called with the charge locked, so that no two operations get one number. */
export async function insertOperation(
  database: Sql,
  { terminal, reference }: SandboxCharge,
  number: number,
  { kind, amount, part, at }: ChargeOperation,
): Promise<void> {
  const values = [terminal, reference, number, kind, amount, part, at]
  await database.run(sql`
    insert into sandbox.deeds (terminal, reference, number, kind, amount, part, at) values (${join(values)})`)
}

/** Cursor in the operations of a terminal. */
export interface OperationCursor {
  at: Date
  reference: string
  number: number
}

/** Operations of a terminal after this position and before this time, in order, some at a time. */
export function operationsAfter(
  database: Sql,
  terminal: string,
  { at, reference, number }: OperationCursor,
  { until, limit }: { until: Date; limit: number },
): Promise<OperationCursor[]> {
  return database.many(sql`
    select at, reference, number from sandbox.deeds
    where terminal = ${terminal} and at < ${until}
      and (at, reference, number) > (${at}::timestamptz, ${reference}::text, ${number}::integer)
    order by at, reference, number limit ${limit}`)
}

/** An operation with what distinguishes it from all others of its terminal. */
export type StatementOperation = ChargeOperation &
  Pick<OperationCursor, 'reference' | 'number'> &
  Pick<SandboxCharge, 'currency'>

/**
 * What was done to these charges and what will be, of each in the order in which it was asked for. They are looked up one
 * by one, whatever the database believes of how many there are.
 */
export function operationsOfCharges(
  database: Sql,
  terminal: string,
  references: string[],
): Promise<StatementOperation[]> {
  return database.many(sql`
    select found.* from unnest(${references}::text[]) as wanted(reference) cross join lateral (
      select d.reference, d.number, d.kind, d.amount, d.part, d.at, c.currency
      from sandbox.charges c join sandbox.deeds d on d.terminal = c.terminal and d.reference = c.reference
      where c.terminal = ${terminal} and c.reference = wanted.reference order by d.number) found`)
}

/** Fault of an operation when it was first asked for. */
export interface FaultOccurrence {
  kind: ChargeOperation['kind']
  /** Distinguishes operations of one kind. */
  asking: string
  at: Date
}

/** Writes it down, unless it is there; says whether it was not. */
export async function insertFirstFault(
  database: Sql,
  { terminal, reference }: SandboxCharge,
  { kind, asking, at }: FaultOccurrence,
): Promise<boolean> {
  const values = [terminal, reference, kind, asking, at]
  const count = await database.run(sql`
    insert into sandbox.mishaps (terminal, reference, kind, asking, at) values (${join(values)}) on conflict do nothing`)
  return count === 1
}

export async function lastFaultAt(
  database: Sql,
  { terminal, reference }: SandboxCharge,
): Promise<Date | null> {
  const { at } = await database.one<{ at: Date | null }>(sql`
    select max(at) as at from sandbox.mishaps where terminal = ${terminal} and reference = ${reference}`)
  return at
}

/** Every charge of the book with what was done to it. */
export async function allCharges(
  database: Sql,
): Promise<
  { reference: string; terminal: string; kind: ChargeKind; code: string; operations: ChargeOperation[] }[]
> {
  const charges = await database.many<SandboxCharge>(
    sql`select ${chargeColumns} from sandbox.charges order by asked_at, terminal, reference`,
  )
  const operations = await database.many<ChargeOperation & { terminal: string; reference: string }>(
    sql`select terminal, reference, kind, amount, part, at from sandbox.deeds order by terminal, reference, number`,
  )
  const byCharge = Map.groupBy(operations, ({ terminal, reference }) => `${terminal} ${reference}`)
  return charges.map(({ terminal, reference, kind, code }) => ({
    terminal,
    reference,
    kind,
    code,
    operations: byCharge.get(`${terminal} ${reference}`) ?? [],
  }))
}
