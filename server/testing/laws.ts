import assert from 'node:assert/strict'
import type { Sql } from '../kit/sql.ts'
import { sql } from '../kit/sql.ts'
import type { Line } from '../sandbox/index.ts'
import { attemptIn } from './bank.ts'

interface PaymentRow {
  state: string
  attemptId: number | null
  attemptCount: number
  eventCount: number
  isDue: boolean
  isEnded: boolean
}

interface AttemptRow {
  id: number
  number: number
  state: string
  preAuth: boolean
  charged: number
  commission: number
  isDue: boolean
  isForPeople: boolean
  hasCard: boolean
}

const kinds: Readonly<Record<string, string>> = {
  paid: 'payment.succeeded',
  held: 'payment.pre_authorized',
  failed: 'payment.failed',
  expired: 'payment.expired',
}

/** What holds of a payment at any moment, whatever is on its way. Throws at the first law that is broken. */
export async function assertLaws(database: Sql, book: readonly Line[], id: number): Promise<void> {
  const payment = await database.one<PaymentRow>(sql`select state, attempt_id as "attemptId",
      attempt_count as "attemptCount", event_count as "eventCount", due_at is not null as "isDue",
      ended_at is not null as "isEnded" from payments where id = ${id}`)
  const attempts =
    await database.many<AttemptRow>(sql`select id, number, state, pre_auth as "preAuth", charged,
      commission, due_at is not null as "isDue", needs_person_at is not null as "isForPeople",
      exists (select from sealed_cards c where c.attempt_id = a.id) as "hasCard"
    from payment_attempts a where payment_id = ${id} order by number`)
  assertAttempts(payment, attempts)
  for (const attempt of attempts)
    assertOwned(
      attempt,
      book.find((line) => attemptIn(line) === String(attempt.id)),
    )
  await assertEvents(database, payment, id)
  await assertPostings(database, payment, attempts, id)
}

function assertAttempts(payment: PaymentRow, attempts: readonly AttemptRow[]): void {
  assert.deepEqual(
    attempts.map(({ number }) => number),
    attempts.map((_, index) => index + 1),
  )
  assert.equal(attempts.length, payment.attemptCount)
  assert.ok(attempts.length <= 5, 'at most five attempts')
  const isTaken = payment.state === 'paid' || payment.state === 'held'
  const approved = attempts.filter(({ state }) => state === 'approved').map((each) => each.id)
  assert.deepEqual(approved, isTaken ? [payment.attemptId] : [], 'a payment is taken by one attempt')
  const current = attempts.find((attempt) => attempt.id === payment.attemptId)
  if (payment.state.endsWith('ing')) assert.equal(current?.state, payment.state)
  else assert.ok(!attempts.some(({ state }) => state === 'authenticating' || state === 'authorizing'))
  assert.equal(payment.isDue, payment.state === 'open' || payment.state === 'authenticating')
  assert.equal(payment.isEnded, payment.state in kinds)
}

/** What the bank may have is approved, or somebody is on the way to find out or to undo it. A card waits only to be proven. */
function assertOwned({ state, isDue, hasCard, ...attempt }: AttemptRow, line: Line | undefined): void {
  if (state === 'authorizing' || state === 'reversing') assert.ok(isDue, `${state} is owned`)
  if ((line?.taken ?? 0) + (line?.held ?? 0) > 0)
    assert.ok(state === 'approved' || isDue || attempt.isForPeople, `the bank has what is ${state}`)
  if (state === 'approved') assert.equal((attempt.preAuth ? line?.held : line?.taken) ?? 0, attempt.charged)
  if (hasCard) assert.equal(state, 'authenticating')
}

async function assertEvents(database: Sql, payment: PaymentRow, id: number): Promise<void> {
  const events = await database.many<{ kind: string; number: number }>(
    sql`select kind, number from events where payment_id = ${id} order by number`,
  )
  const kind = kinds[payment.state]
  assert.deepEqual(events, kind ? [{ kind, number: 1 }] : [], 'an end is told once, and nothing else')
  assert.equal(payment.eventCount, events.length)
}

async function assertPostings(
  database: Sql,
  { state, attemptId }: PaymentRow,
  attempts: readonly AttemptRow[],
  id: number,
): Promise<void> {
  const posted = await database.one<{ receivable: number; commission: number; balance: number }>(
    sql`select coalesce(sum(amount) filter (where debit = 'receivable'), 0)::bigint as receivable,
        coalesce(sum(amount) filter (where credit = 'commission'), 0)::bigint as commission,
        coalesce(sum(amount) filter (where credit = 'balance'), 0)::bigint as balance
      from ledger_transfers where payment_id = ${id}`,
  )
  const by = state === 'paid' ? attempts.find((attempt) => attempt.id === attemptId) : undefined
  const { charged = 0, commission = 0 } = by ?? {}
  assert.deepEqual(posted, { receivable: charged, commission, balance: charged - commission })
}
