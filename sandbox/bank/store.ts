import type { Sql } from '../../kit/runtime/sql.ts'
import { empty, sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineTable, integer, text, timestamptz } from '../../kit/runtime/table.ts'
import type { ResponseCode } from '../cards/response-codes.ts'

export type ChargeKind = 'sale' | 'pre-authorization'

export const sandboxCharges = defineTable('sandbox.charges', {
  terminal: text(),
  reference: text(),
  kind: text<ChargeKind>(),
  /** Minor units, as the bank charged it. */
  amount: bigint(),
  currency: text(),
  installments: integer(),
  /** Masked. */
  card: text(),
  fault: text().orNull(),
  code: text<ResponseCode>(),
  authCode: text().orNull(),
  hostReference: text(),
  askedAt: timestamptz(),
  /** Time from which the bank knows the charge. */
  doneAt: timestamptz(),
})

/** A charge request, approved or declined. The row is written once and never changed. */
export type SandboxCharge = RowOf<typeof sandboxCharges>

export const chargeOperations = defineTable('sandbox.charge_operations', {
  terminal: text(),
  reference: text(),
  /** Place among the operations of the charge, from 1. */
  number: integer(),
  kind: text<'authorized' | 'held' | 'captured' | 'voided' | 'refunded'>(),
  amount: bigint(),
  /** Distinguishes the refunds of one charge. */
  part: text().orNull(),
  at: timestamptz(),
})

const operationsOfCharge = chargeOperations.omit('terminal', 'reference', 'number')
const operationsOfTerminal = chargeOperations.omit('terminal')
/** Key of an operation within its terminal. The order of the columns is that of a statement. */
const operationCursors = chargeOperations.pick('at', 'reference', 'number')

/**
 * Operation on a charge, done or due later. One that is impossible when it becomes due has no effect.
 * Operations are appended and never changed.
 */
export type ChargeOperation = RowOf<typeof operationsOfCharge>

export const terminals = defineTable('sandbox.terminals', {
  terminal: text(),
  salt: bytea(),
  passwordHash: bytea(),
  enrolledAt: timestamptz(),
})
type Terminal = RowOf<typeof terminals>

export function terminalByName(database: Sql, terminal: string): Promise<Terminal | undefined> {
  return database.maybe(
    sql`select ${terminals.columns()} from sandbox.terminals where terminal = ${terminal}`,
  )
}

/** If two requests enrol a terminal at the same time, the first one succeeds. */
export async function enrolTerminal(database: Sql, terminal: Terminal): Promise<void> {
  await database.run(sql`insert into sandbox.terminals (${terminals.names})
    values (${terminals.values(terminal)}) on conflict do nothing`)
}

/** Writes a charge and its first operation in one query. False if the reference exists. */
export async function insertCharge(
  database: Sql,
  charge: SandboxCharge,
  operation: ChargeOperation | undefined,
): Promise<boolean> {
  const operationPart = operation
    ? sql`, done as (
        insert into sandbox.charge_operations (terminal, reference, number, ${operationsOfCharge.names})
        select terminal, reference, 1, ${operationsOfCharge.values(operation)} from charged
      )`
    : empty
  const { count } = await database.one<{ count: number }>(sql`
    with charged as (
      insert into sandbox.charges (${sandboxCharges.names}) values (${sandboxCharges.values(charge)})
      on conflict do nothing
      returning terminal, reference
    )${operationPart}
    select count(*) as count from charged`)
  return count === 1
}

/** The charge, even if it is not due yet, locked until the transaction ends. */
export function lockCharge(
  database: Sql,
  terminal: string,
  reference: string,
): Promise<SandboxCharge | undefined> {
  return database.maybe(sql`
    select ${sandboxCharges.columns()} from sandbox.charges
    where terminal = ${terminal} and reference = ${reference} for update`)
}

export function chargeByReference(
  database: Sql,
  terminal: string,
  reference: string,
): Promise<SandboxCharge | undefined> {
  return database.maybe(sql`
    select ${sandboxCharges.columns()} from sandbox.charges where terminal = ${terminal} and reference = ${reference}`)
}

/** Operations on a charge, done or due later, in the order of their requests. */
export function operationsOf(
  database: Sql,
  { terminal, reference }: SandboxCharge,
): Promise<ChargeOperation[]> {
  return database.many(sql`
    select ${operationsOfCharge.columns()} from sandbox.charge_operations
    where terminal = ${terminal} and reference = ${reference} order by number`)
}

/** The caller must hold the lock of the charge, so that no two operations get the same number. */
export async function insertOperation(
  database: Sql,
  { terminal, reference }: SandboxCharge,
  number: number,
  operation: ChargeOperation,
): Promise<void> {
  const row = { terminal, reference, number, ...operation }
  await database.run(sql`
    insert into sandbox.charge_operations (${chargeOperations.names}) values (${chargeOperations.values(row)})`)
}

/** Cursor over the operations of a terminal. */
export type OperationCursor = RowOf<typeof operationCursors>

/** One page of a terminal's operations after the cursor and before `until`, in order. */
export function operationsAfter(
  database: Sql,
  terminal: string,
  cursor: OperationCursor,
  { until, limit }: { until: Date; limit: number },
): Promise<OperationCursor[]> {
  return database.many(sql`
    select ${operationCursors.columns()} from sandbox.charge_operations
    where terminal = ${terminal} and at < ${until}
      and (${operationCursors.names}) > (${operationCursors.values(cursor)})
    order by ${operationCursors.names} limit ${limit}`)
}

/** An operation with its key within the terminal. */
export type StatementOperation = RowOf<typeof operationsOfTerminal> & Pick<SandboxCharge, 'currency'>

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
      select ${operationsOfTerminal.columns('d')}, c.currency
      from sandbox.charges c join sandbox.charge_operations d on d.terminal = c.terminal and d.reference = c.reference
      where c.terminal = ${terminal} and c.reference = wanted.reference order by d.number) found`)
}

export const faultOccurrences = defineTable('sandbox.fault_occurrences', {
  terminal: text(),
  reference: text(),
  kind: text<ChargeOperation['kind']>(),
  /** Distinguishes requests of one kind. */
  asking: text(),
  at: timestamptz(),
})

/** The first request of an operation, which has the fault. */
export type FaultOccurrence = Omit<RowOf<typeof faultOccurrences>, 'terminal' | 'reference'>

/** Records the first request. False if it is recorded already. */
export async function insertFirstFault(
  database: Sql,
  { terminal, reference }: SandboxCharge,
  occurrence: FaultOccurrence,
): Promise<boolean> {
  const row = { terminal, reference, ...occurrence }
  const count = await database.run(sql`insert into sandbox.fault_occurrences (${faultOccurrences.names})
    values (${faultOccurrences.values(row)}) on conflict do nothing`)
  return count === 1
}

export async function lastFaultAt(
  database: Sql,
  { terminal, reference }: SandboxCharge,
): Promise<Date | null> {
  const { at } = await database.one<{ at: Date | null }>(sql`
    select max(at) as at from sandbox.fault_occurrences where terminal = ${terminal} and reference = ${reference}`)
  return at
}

const listedCharges = sandboxCharges.pick('terminal', 'reference', 'kind', 'code')

/** Every charge with its operations. */
export async function allCharges(
  database: Sql,
): Promise<(RowOf<typeof listedCharges> & { operations: ChargeOperation[] })[]> {
  const charges = await database.many<RowOf<typeof listedCharges>>(
    sql`select ${listedCharges.columns()} from sandbox.charges order by asked_at, terminal, reference`,
  )
  const operations = await database.many<RowOf<typeof chargeOperations>>(
    sql`select ${chargeOperations.columns()} from sandbox.charge_operations order by terminal, reference, number`,
  )
  const byCharge = Map.groupBy(operations, ({ terminal, reference }) => `${terminal} ${reference}`)
  return charges.map((charge) => ({
    ...charge,
    operations: byCharge.get(`${charge.terminal} ${charge.reference}`) ?? [],
  }))
}
