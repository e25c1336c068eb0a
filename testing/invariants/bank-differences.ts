import { sql } from '../../kit/runtime/sql.ts'
import type { ChargeSummary } from '../../sandbox/index.ts'
import type { Services } from '../../server/services.ts'
import type { TestBank } from '../harness/bank.ts'
import { attemptIdOf } from '../harness/bank.ts'

/** A modification as stored. */
export interface ModificationRow {
  kind: 'capture' | 'release' | 'refund'
  state: 'doing' | 'done' | 'refused'
  operation: 'capture' | 'void' | 'refund' | null
  /** The amount that the bank took or returned: the verified one if known, else the requested one. */
  bankAmount: number
  isAsked: boolean
  needsReview: boolean
}

/** Column for a query with attempt `a`: the modifications of its charge, oldest first. */
export const modificationsColumn = sql`(select coalesce(json_agg(json_build_object('kind', d.kind, 'state', d.state, 'operation', d.operation,
    'bankAmount', coalesce((select v.bank_amount from verifications v
      where v.merchant_id = d.merchant_id and v.id = d.id), d.amount), 'isAsked', d.asked_at is not null,
    'needsReview', d.needs_review_at is not null) order by d.began_at, d.id), '[]')
  from modifications d where d.merchant_id = a.merchant_id and d.payment_id = a.payment_id and d.attempt_id = a.id) as modifications`

/**
 * Columns for a query with attempt `a`: the amounts that the bank charged and holds, with found differences.
 */
export const bankAmountColumns = sql`coalesce(a.bank_charged, a.charged) as "chargedAtBank", coalesce((select v.bank_amount
  from verifications v where v.merchant_id = a.merchant_id and v.id = a.id and v.kind = 'hold'), a.charged) as "heldAtBank"`

export interface BankAmounts {
  preAuth: boolean
  chargedAtBank: number
  heldAtBank: number
}

/**
 * Amounts that the bank must have for an approved charge, from its finished modifications and found
 * differences.
 */
export function expectedAtBank(
  { preAuth, chargedAtBank, heldAtBank }: BankAmounts,
  modifications: readonly ModificationRow[],
): Pick<ChargeSummary, 'held' | 'taken' | 'refunded'> {
  const done = modifications.filter(({ state }) => state === 'done')
  const isDone = (kind: ModificationRow['kind']) => done.some((modification) => modification.kind === kind)
  const isTaken = !preAuth || isDone('capture')
  const given = done.filter(({ kind }) => kind === 'refund')
  return {
    held: isTaken || isDone('release') ? 0 : heldAtBank,
    taken: isTaken ? chargedAtBank - sumOf(given) : 0,
    // In the bank's records a void is not a refund.
    refunded: sumOf(given.filter(({ operation }) => operation === 'refund')),
  }
}

function sumOf(modifications: readonly ModificationRow[]): number {
  return modifications.reduce((sum, { bankAmount }) => sum + bankAmount, 0)
}

interface Row extends BankAmounts {
  id: number
  state: string
  needsReview: boolean
  receivable: number
  modifications: ModificationRow[]
}

/**
 * Compares the bank's records with ours when no work is in progress. Returns every difference:
 * - a charge without an approved attempt
 * - an approval or a modification that the bank does not have, or has twice
 * - money posted but not taken, or taken but not posted
 *
 * Items in manual review are left out. `integrityViolations` compares our own tables with each other.
 */
export async function bankDifferences({
  services,
  bank,
}: {
  services: Pick<Services, 'sql'>
  bank: Pick<TestBank, 'book'>
}): Promise<string[]> {
  const book = await bank.book()
  const rows =
    await services.sql.many<Row>(sql`select a.id, a.state, a.pre_auth as "preAuth", ${bankAmountColumns},
      a.needs_review_at is not null as "needsReview", ${modificationsColumn},
      (select coalesce(sum(case when t.debit = 'receivable' then amount else -amount end), 0)::bigint
        from ledger_transfers t where t.merchant_id = a.merchant_id and t.payment_id = a.payment_id
          and 'receivable' in (t.debit, t.credit)) as receivable
    from payment_attempts a`)
  const lines = new Map(book.map((line) => [attemptIdOf(line), line]))
  const attemptIds = new Set(rows.map(({ id }) => String(id)))
  const strange = book.filter((line) => !attemptIds.has(attemptIdOf(line)))
  return [
    ...strange.map(({ reference }) => `${reference} is known to the bank alone`),
    ...rows
      .filter(
        ({ needsReview, modifications }) =>
          !needsReview && !modifications.some((modification) => modification.needsReview),
      )
      .flatMap((row) => differencesOf(row, lines.get(String(row.id)))),
  ]
}

const nothing = { held: 0, taken: 0, refunded: 0 }

function differencesOf(row: Row, line: ChargeSummary | undefined): string[] {
  const isApproved = row.state === 'approved'
  const has = line ?? nothing
  const must = isApproved ? expectedAtBank(row, row.modifications) : nothing
  const charges = (line?.operations ?? []).filter(
    (operation) => operation === 'authorized' || operation === 'held',
  )
  const checks: [boolean, string][] = [
    [has.taken !== must.taken, `the bank has taken ${has.taken}, we say ${must.taken}`],
    [has.held !== must.held, `the bank holds ${has.held}, we say ${must.held}`],
    // A reversal can also be a refund at the bank, so only approved attempts are compared.
    [
      isApproved && has.refunded !== must.refunded,
      `the bank has refunded ${has.refunded}, we say ${must.refunded}`,
    ],
    [charges.length > 1, `the bank has done it ${charges.length} times`],
    [isApproved && row.receivable !== must.taken, `${row.receivable} is posted of ${must.taken}`],
  ]
  return checks.filter(([isWrong]) => isWrong).map(([, what]) => `${row.id} (${row.state}): ${what}`)
}
