import type { Sql } from '../../kit/runtime/sql.ts'
import { join, sql } from '../../kit/runtime/sql.ts'
import type { ResponseCode } from '../cards/response-codes.ts'

export type ChargeKind = 'sale' | 'pre-authorization'

/** A charge request, approved or declined. The row is written once and never changed. */
export interface SandboxCharge {
  terminal: string
  reference: string
  kind: ChargeKind
  /** Minor units, as the bank charged it. */
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
  /** Time from which the bank knows the charge. */
  doneAt: Date
}

/**
 * Operation on a charge, done or due later. One that is impossible when it becomes due has no effect.
 * Operations are appended and never changed.
 */
export interface ChargeOperation {
  kind: 'authorized' | 'held' | 'captured' | 'voided' | 'refunded'
  amount: number
  /** Distinguishes the refunds of one charge. */
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

/** If two requests enrol a terminal at the same time, the first one succeeds. */
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

/** Writes a charge and its first operation in one query. False if the reference exists. */
export async function insertCharge(
  database: Sql,
  charge: SandboxCharge,
  operation: ChargeOperation | undefined,
): Promise<boolean> {
  const { terminal, reference, kind, amount, currency, installments, card, fault } = charge
  const { code, authCode, hostReference, askedAt, doneAt } = charge
  const operationPart = operation
    ? sql`, done as (
        insert into sandbox.charge_operations (terminal, reference, number, kind, amount, part, at)
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

/** The charge, even if it is not due yet, locked until the transaction ends. */
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

/** Operations on a charge, done or due later, in the order of their requests. */
export function operationsOf(
  database: Sql,
  { terminal, reference }: SandboxCharge,
): Promise<ChargeOperation[]> {
  return database.many(sql`
    select kind, amount, part, at from sandbox.charge_operations
    where terminal = ${terminal} and reference = ${reference} order by number`)
}

/** The caller must hold the lock of the charge, so that no two operations get the same number. */
export async function insertOperation(
  database: Sql,
  { terminal, reference }: SandboxCharge,
  number: number,
  { kind, amount, part, at }: ChargeOperation,
): Promise<void> {
  const values = [terminal, reference, number, kind, amount, part, at]
  await database.run(sql`
    insert into sandbox.charge_operations (terminal, reference, number, kind, amount, part, at) values (${join(values)})`)
}

/** Cursor over the operations of a terminal. */
export interface OperationCursor {
  at: Date
  reference: string
  number: number
}

/** One page of a terminal's operations after the cursor and before `until`, in order. */
export function operationsAfter(
  database: Sql,
  terminal: string,
  { at, reference, number }: OperationCursor,
  { until, limit }: { until: Date; limit: number },
): Promise<OperationCursor[]> {
  return database.many(sql`
    select at, reference, number from sandbox.charge_operations
    where terminal = ${terminal} and at < ${until}
      and (at, reference, number) > (${at}::timestamptz, ${reference}::text, ${number}::integer)
    order by at, reference, number limit ${limit}`)
}

/** An operation with its key within the terminal. */
export type StatementOperation = ChargeOperation &
  Pick<OperationCursor, 'reference' | 'number'> &
  Pick<SandboxCharge, 'currency'>

/**
 * Operations on these charges, done or due later, for each charge in the order of their requests. The lateral
 * join makes PostgreSQL look up each charge by its index, whatever row count the planner estimates.
 */
export function operationsOfCharges(
  database: Sql,
  terminal: string,
  references: string[],
): Promise<StatementOperation[]> {
  return database.many(sql`
    select found.* from unnest(${references}::text[]) as wanted(reference) cross join lateral (
      select d.reference, d.number, d.kind, d.amount, d.part, d.at, c.currency
      from sandbox.charges c join sandbox.charge_operations d on d.terminal = c.terminal and d.reference = c.reference
      where c.terminal = ${terminal} and c.reference = wanted.reference order by d.number) found`)
}

/** The first request of an operation, which has the fault. */
export interface FaultOccurrence {
  kind: ChargeOperation['kind']
  /** Distinguishes requests of one kind. */
  asking: string
  at: Date
}

/** Records the first request. False if it is recorded already. */
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

/** Every charge with its operations. */
export async function allCharges(
  database: Sql,
): Promise<
  { reference: string; terminal: string; kind: ChargeKind; code: string; operations: ChargeOperation[] }[]
> {
  const charges = await database.many<SandboxCharge>(
    sql`select ${chargeColumns} from sandbox.charges order by asked_at, terminal, reference`,
  )
  const operations = await database.many<ChargeOperation & { terminal: string; reference: string }>(
    sql`select terminal, reference, kind, amount, part, at from sandbox.charge_operations order by terminal, reference, number`,
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
