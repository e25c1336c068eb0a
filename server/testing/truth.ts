import { sql } from '../kit/sql.ts'
import { checkBooks } from '../payments/books/check-books.ts'
import { attemptIn } from './bank.ts'
import type { Till } from './till.ts'

/**
 * Everything that is not true after hours in which all that was due was done. Answers what is wrong: beside the
 * differences of the books, what is stuck, done twice, told twice or not at all, posted without being taken, or left of
 * a card; and payments that the merchant reads otherwise than the bank has it. What waits for people is left out.
 */
export async function untruths(till: Till): Promise<string[]> {
  return [
    ...(await till.differences()),
    ...(await stuck(till)),
    ...(await doneTwice(till)),
    ...(await toldWrongly(till)),
    ...(await postedWrongly(till)),
    ...(await readWrongly(till)),
    ...(await foundByTheCommand(till)),
  ]
}

/** Nothing is on its way any more, nothing is due but one more look at what was undone, and no card is left. */
async function stuck({ services }: Till): Promise<string[]> {
  const rows = await services.sql.many<{ what: string }>(sql`
    select 'payment ' || p.id || ' stays ' || p.state as what from payments p
      where (p.state like '%ing' or p.due_at is not null) and not exists (select from payment_attempts a
        where a.merchant_id = p.merchant_id and a.payment_id = p.id and a.needs_person_at is not null)
    union all select 'attempt ' || id || ' stays ' || state from payment_attempts
      where (state like '%ing' or (due_at is not null and state <> 'reversed')) and needs_person_at is null
    union all select 'the card of attempt ' || attempt_id || ' is left' from sealed_cards
    union all select 'the proof of attempt ' || attempt_id || ' is left' from authentications where proof is not null
    union all select 'the authentication of attempt ' || attempt_id || ' stays ' || state from authentications
      where state like '%ing' or due_at is not null`)
  return rows.map(({ what }) => what)
}

/** A bank is asked for money once per attempt, and does every deed once. */
async function doneTwice({ services, bank }: Till): Promise<string[]> {
  const asked = await services.sql.many<{ what: string }>(sql`
    select 'the bank was asked ' || count(*) || ' times for attempt ' || attempt_id as what from bank_calls
    where operation in ('authorize', 'pre_authorize') group by attempt_id having count(*) > 1`)
  const done = (await bank.book()).flatMap(({ reference, deeds }) =>
    deeds
      .filter((deed, index) => deed !== 'refused' && deeds.indexOf(deed) < index)
      .map((deed) => `${reference} is ${deed} twice`),
  )
  return [...asked.map(({ what }) => what), ...done]
}

/** One event per payment that has ended, and none of any other. */
async function toldWrongly({ services }: Till): Promise<string[]> {
  const rows = await services.sql.many<{ what: string }>(sql`
    select 'payment ' || p.id || ' is ' || p.state || ' and has the events ' || coalesce(string_agg(e.kind, ', '), '')
      as what
    from payments p left join events e on e.merchant_id = p.merchant_id and e.payment_id = p.id
    group by p.merchant_id, p.id
    having coalesce(string_agg(e.kind, ', '), '') <> case p.state when 'paid' then 'payment.succeeded'
        when 'held' then 'payment.pre_authorized' when 'failed' then 'payment.failed'
        when 'expired' then 'payment.expired' else '' end
      or p.event_count <> count(e.id)`)
  return rows.map(({ what }) => what)
}

/** What is posted for a payment is what its approved attempt charged, and nothing where there is none. */
async function postedWrongly({ services }: Till): Promise<string[]> {
  const rows = await services.sql.many<{ what: string }>(sql`
    select 'payment ' || p.id || ' has ' || coalesce(t.posted, 0) || ' posted of ' || coalesce(a.charged, 0) as what
    from payments p
      left join (select merchant_id, payment_id, sum(charged) as charged from payment_attempts
        where state = 'approved' and not pre_auth group by 1, 2) a
        on a.merchant_id = p.merchant_id and a.payment_id = p.id
      left join (select merchant_id, payment_id, sum(amount) as posted from ledger_transfers
        where debit = 'receivable' group by 1, 2) t
        on t.merchant_id = p.merchant_id and t.payment_id = p.id
    where coalesce(t.posted, 0) <> coalesce(a.charged, 0)`)
  return rows.map(({ what }) => what)
}

/** A payment reads as paid exactly if the bank has its money. */
async function readWrongly(till: Till): Promise<string[]> {
  const taken = new Map((await till.bank.book()).map((line) => [attemptIn(line), line.taken + line.held]))
  const rows = await till.services.sql.many<{ id: number; attempts: string[]; isForPeople: boolean }>(sql`
    select p.id, array_remove(array_agg(a.id::text), null) as attempts,
      bool_or(a.needs_person_at is not null) is true as "isForPeople"
    from payments p left join payment_attempts a on a.merchant_id = p.merchant_id and a.payment_id = p.id
    group by p.merchant_id, p.id`)
  const wrong: string[] = []
  const token = await till.token()
  for (const { id, attempts, isForPeople } of rows) {
    const { payment_status_text: status, amount } = (
      await till.callAtOnce({ url: `/v1/transaction/${id}`, token })
    ).json
    const has = attempts.reduce((sum, reference) => sum + (taken.get(reference) ?? 0), 0)
    const isPaid = status === 'success' || status === 'pre_authorized'
    if (!isForPeople && has !== (isPaid ? amount : 0))
      wrong.push(`payment ${id} reads ${status}, the bank has ${has}`)
  }
  return wrong
}

/** What `vezne ledger check` finds. */
async function foundByTheCommand({ services }: Till): Promise<string[]> {
  const { problems } = await checkBooks(services)
  return problems.filter(({ isWarning }) => !isWarning).map(({ what, total }) => `${total} payments: ${what}`)
}
