import { largestMinor, smallestMinor } from '../kit/money.ts'
import type { Sql, Statement } from '../kit/sql.ts'
import { join, planAnew, sql } from '../kit/sql.ts'
import type { Balance } from './balance.ts'
import type { Finding, Section } from './section.ts'
import type { Transfer } from './transfer.ts'
import { accounts, reasons } from './transfer.ts'

/**
 * A part of the statement that moves a payment, whose `moved` has its merchant_id: the transfers are posted if the
 * payment moves, and not if it does not.
 */
export function transfersPart(transfers: readonly Transfer[]): Statement {
  const rows = transfers.map(
    (row) => sql`(${row.id}::bigint, ${row.cause}::text, ${row.reason}::text, ${row.paymentId}::bigint,
      ${row.currency}::text, ${row.debit}::text, ${row.credit}::text, ${row.amountMinor}::bigint,
      ${row.at}::timestamptz)`,
  )
  return sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit, credit, amount,
      created_at)
    select moved.merchant_id, row.* from moved, (values ${join(rows)}) as row`
}

/** The accounts of a merchant, folded from all of its transfers. */
export function balancesOf(database: Sql, merchantId: number): Promise<Balance[]> {
  return database.many<Balance>(foldOf(sql`merchant_id = ${merchantId}`))
}

/** What the transfers of a section add up to. */
export function balancesWithin(database: Sql, section: Section): Promise<Balance[]> {
  return database.many<Balance>(planAnew(foldOf(isWithin(section))))
}

function foldOf(condition: Statement): Statement {
  return sql`select merchant_id as "merchantId", currency, account, sum(debited)::bigint as "debitMinor",
      sum(credited)::bigint as "creditMinor"
    from (
      select merchant_id, currency, debit as account, amount as debited, 0 as credited
      from ledger_transfers where ${condition}
      union all
      select merchant_id, currency, credit, 0, amount from ledger_transfers where ${condition}
    ) as sides
    where account in (${join(accounts)})
    group by merchant_id, currency, account order by merchant_id, currency, account`
}

/** How many transfers a section has. */
export async function transfersWithin(database: Sql, section: Section): Promise<number> {
  const { count } = await database.one<{ count: number }>(
    planAnew(sql`select count(*)::integer as count from ledger_transfers where ${isWithin(section)}`),
  )
  return count
}

/** Transfers that none of ours is like, some of a section. The schema refuses most of it; a restored one may not. */
export function misshapenTransfers(database: Sql, section: Section, most: number): Promise<Finding[]> {
  const detail = sql`'transfer ' || id || ': ' || round(amount / 100.0, 2) || ' ' || currency || ' from ' || credit || ' to ' || debit
    || ', ' || reason || ', cause ' || cause`
  return database.many<Finding>(
    planAnew(sql`select merchant_id as "merchantId", payment_id as "paymentId", ${detail} as detail,
        count(*) over ()::integer as total
      from ledger_transfers
      where ${isWithin(section)} and (debit not in (${join(accounts)}) or credit not in (${join(accounts)})
        or debit = credit or amount not between ${smallestMinor} and ${largestMinor}
        or reason not in (${join(reasons)}) or cause <> reason || ' ' || payment_id
        or currency !~ '^[A-Z]{3}$')
      order by merchant_id, payment_id, id limit ${most}`),
  )
}

/** Payments with transfers in more than one currency, some of a section. */
export function mixedCurrencies(database: Sql, section: Section, most: number): Promise<Finding[]> {
  return database.many<Finding>(
    planAnew(sql`select merchant_id as "merchantId", payment_id as "paymentId",
        string_agg(distinct currency, ', ') as detail, count(*) over ()::integer as total
      from ledger_transfers where ${isWithin(section)}
      group by merchant_id, payment_id having count(distinct currency) > 1
      order by merchant_id, payment_id limit ${most}`),
  )
}

function isWithin({ merchantId, behind, upTo }: Section): Statement {
  return sql`merchant_id = ${merchantId} and payment_id > ${behind}::bigint and payment_id <= ${upTo}::bigint`
}

/** The first merchant behind an id that has transfers. */
export async function merchantWithTransfers(database: Sql, behind: number): Promise<number | undefined> {
  const { id } = await database.one<{ id: number | null }>(
    sql`select min(merchant_id) as id from ledger_transfers where merchant_id > ${behind}`,
  )
  return id ?? undefined
}
