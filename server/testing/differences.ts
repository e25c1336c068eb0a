import type { Sql } from '../kit/sql.ts'
import { sql } from '../kit/sql.ts'
import type { Line } from '../sandbox/index.ts'
import { attemptIn } from './bank.ts'

interface Row {
  id: number
  paymentId: number
  state: string
  paymentState: string
  preAuth: boolean
  charged: number
  isAwaited: boolean
  isDue: boolean
  isForPeople: boolean
  posted: number
}

/**
 * Compares the bank's book with ours, when nothing is on its way any more. Answers every difference: a charge of the
 * bank that no approved attempt stands for, an approval that the bank does not have, a deed done twice, money posted that
 * was not taken or taken that was not posted, and an attempt that nobody owns. What waits for people is left out.
 */
export async function differences(database: Sql, book: readonly Line[]): Promise<string[]> {
  const rows =
    await database.many<Row>(sql`select a.id, a.payment_id as "paymentId", a.state, p.state as "paymentState",
      a.pre_auth as "preAuth", a.charged, coalesce(p.attempt_id = a.id, false) as "isAwaited",
      a.due_at is not null as "isDue", a.needs_person_at is not null as "isForPeople",
      (select coalesce(sum(amount), 0)::bigint from ledger_transfers t
        where t.merchant_id = a.merchant_id and t.payment_id = a.payment_id and t.debit = 'receivable') as posted
    from payment_attempts a join payments p on p.merchant_id = a.merchant_id and p.id = a.payment_id`)
  const lines = new Map(book.map((line) => [attemptIn(line), line]))
  const strange = book.filter((line) => !rows.some(({ id }) => String(id) === attemptIn(line)))
  return [
    ...strange.map(({ reference }) => `${reference} is known to the bank alone`),
    ...rows
      .filter(({ isForPeople }) => !isForPeople)
      .flatMap((row) => differencesOf(row, lines.get(String(row.id)))),
    ...doublePaid(rows),
  ]
}

function differencesOf(row: Row, line: Line | undefined): string[] {
  const isApproved = row.state === 'approved'
  const taken = isApproved && !row.preAuth ? row.charged : 0
  const held = isApproved && row.preAuth ? row.charged : 0
  const deeds = (line?.deeds ?? []).filter((deed) => deed === 'authorized' || deed === 'held')
  const says: [boolean, string][] = [
    [(line?.taken ?? 0) !== taken, `the bank has taken ${line?.taken ?? 0}, we say ${taken}`],
    [(line?.held ?? 0) !== held, `the bank holds ${line?.held ?? 0}, we say ${held}`],
    [deeds.length > 1, `the bank has done it ${deeds.length} times`],
    [row.state.endsWith('ing') && !row.isDue && row.state !== 'authenticating', 'nobody owns it'],
    [isApproved && !row.isAwaited, 'it is approved for a payment that another attempt paid'],
    [isApproved && row.posted !== taken, `${row.posted} is posted of ${taken}`],
    [
      isApproved !== ['paid', 'held'].includes(row.paymentState) && row.isAwaited,
      `its payment is ${row.paymentState}`,
    ],
  ]
  return says.filter(([isWrong]) => isWrong).map(([, what]) => `${row.id} (${row.state}): ${what}`)
}

function doublePaid(rows: readonly Row[]): string[] {
  const approved = rows.filter(({ state }) => state === 'approved').map(({ paymentId }) => paymentId)
  return approved
    .filter((id, index) => approved.indexOf(id) < index)
    .map((id) => `payment ${id} is paid twice`)
}
