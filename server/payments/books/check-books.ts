import { signedText } from '../../kit/money.ts'
import type { Balance, BalanceSheet, Finding, Section } from '../../ledger/index.ts'
import {
  balancesWithin,
  isBalanced,
  merchantWithTransfers,
  misshapenTransfers,
  mixedCurrencies,
  postingsOfTaking,
  sheetsOf,
  transfersWithin,
} from '../../ledger/index.ts'
import type { Services } from '../../services.ts'
import { edges } from '../states.ts'
import { shownStatus } from '../transaction.ts'
import type { Outcomes, Posted, PostedTransfer } from './store.ts'
import {
  checksOf,
  endOfSection,
  findings,
  merchantWithPayments,
  paymentsWithin,
  postedWithin,
} from './store.ts'

/** What of one kind was found: how often, and the first of them. */
export interface Problem {
  what: string
  isWarning: boolean
  total: number
  first: Finding[]
}

export interface CheckedBooks {
  payments: number
  transfers: number
  sheets: BalanceSheet[]
  problems: Problem[]
}

/** How many of a kind are told one by one. */
const told = 20
const overdueMs = 60 * 60 * 1000

/** What each state that a payment ends in tells the merchant, once, and how it is shown there. */
const outcomes: Outcomes = [
  ...new Map(edges.flatMap(({ to, event }) => (event ? [[to, event] as const] : []))),
].map(([state, kind]) => ({ state, kind, shown: shownStatus(state) }))

/**
 * Proves that payments, attempts, transfers and events agree. It reads section by section, so that memory and statements
 * stay small however much there is, and may run beside the service: each statement sees one moment, and what belongs
 * together is written in one.
 */
export async function checkBooks(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  sectionSize = 5_000,
): Promise<CheckedBooks> {
  const checks = checksOf(outcomes, new Date(clock.now().getTime() - overdueMs))
  const problems = new Map<string, Problem>()
  const note = (what: string, found: readonly Finding[], isWarning = false) => {
    const [any] = found
    if (!any) return
    const problem = problems.get(what) ?? { what, isWarning, total: 0, first: [] }
    problem.total += any.total
    problem.first.push(...found.slice(0, told - problem.first.length))
    problems.set(what, problem)
  }
  const books: CheckedBooks = { payments: 0, transfers: 0, sheets: [], problems: [] }
  let balances: Balance[] = []
  for await (const section of sections({ sql }, sectionSize)) {
    books.payments += await paymentsWithin(sql, section)
    books.transfers += await transfersWithin(sql, section)
    balances = folded([...balances, ...(await balancesWithin(sql, section))])
    note('has a transfer that is not well-formed', await misshapenTransfers(sql, section, told))
    note('has transfers in several currencies', await mixedCurrencies(sql, section, told))
    for (const check of checks) {
      note(check.what, await findings(sql, check, section, told), check.isWarning)
    }
    for (const [what, found] of wronglyPosted(await postedWithin(sql, section))) note(what, found)
  }
  books.sheets = sheetsOf(balances)
  note('has accounts that do not balance', unbalanced(books.sheets))
  books.problems = [...problems.values()]
  return books
}

/** Before every id, also before those that nobody has: what belongs to them must be found. */
const beforeAll = Number.MIN_SAFE_INTEGER

/**
 * All sections, those of one merchant after those of another. The first one of each has all that is before its payments,
 * and the last one all that is behind them.
 */
async function* sections({ sql }: Pick<Services, 'sql'>, size: number): AsyncIterable<Section> {
  for (let merchantId: number | undefined = beforeAll; ; ) {
    merchantId = await nextMerchant({ sql }, merchantId)
    if (merchantId === undefined) return
    for (let behind: number | undefined = beforeAll; behind !== undefined; ) {
      const last: number | undefined = await endOfSection(sql, { merchantId, behind }, size)
      yield { merchantId, behind, upTo: last ?? Number.MAX_SAFE_INTEGER }
      behind = last
    }
  }
}

async function nextMerchant({ sql }: Pick<Services, 'sql'>, behind: number): Promise<number | undefined> {
  const ids = [await merchantWithPayments(sql, behind), await merchantWithTransfers(sql, behind)]
  const known = ids.filter((id) => id !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** One balance per account, so that no more are held than there are accounts. */
function folded(balances: readonly Balance[]): Balance[] {
  const accounts = new Map<string, Balance>()
  for (const balance of balances) {
    const name = `${balance.merchantId} ${balance.currency} ${balance.account}`
    const known = accounts.get(name)
    if (known) {
      known.debitMinor += balance.debitMinor
      known.creditMinor += balance.creditMinor
    } else accounts.set(name, { ...balance })
  }
  return [...accounts.values()]
}

/** A paid payment has the transfers of its taking, each once; any other has none. */
function wronglyPosted(posted: readonly Posted[]): [what: string, found: Finding[]][] {
  const paid = posted.filter((payment) => payment.state === 'paid' && !isPostedAsTaken(payment))
  const others = posted.filter(({ state }) => state !== 'paid')
  const found = (payments: readonly Posted[]): Finding[] =>
    payments.map((payment) => ({
      merchantId: payment.merchantId,
      paymentId: payment.paymentId,
      detail: `${payment.state}, ${inWords(payment.transfers)}; due: ${inWords(dueOf(payment))}`,
      total: payments.length,
    }))
  return [
    ['is paid, but its transfers are not those of its taking', found(paid)],
    ['is not paid, but has transfers', found(others)],
  ]
}

function isPostedAsTaken(payment: Posted): boolean {
  const sorted = (list: readonly PostedTransfer[]) => list.map((each) => JSON.stringify(each)).toSorted()
  return (
    payment.attempt !== null &&
    JSON.stringify(sorted(dueOf(payment))) === JSON.stringify(sorted(payment.transfers))
  )
}

/** The transfers that a payment must have. */
function dueOf({ paymentId, state, attempt }: Posted): PostedTransfer[] {
  if (state !== 'paid' || !attempt) return []
  return postingsOfTaking({ paymentId, ...attempt }).map(
    ({ cause, reason, currency, debit, credit, amountMinor }): PostedTransfer => [
      cause,
      reason,
      currency,
      debit,
      credit,
      amountMinor,
    ],
  )
}

function inWords(transfers: readonly PostedTransfer[]): string {
  const words = transfers.map(
    ([, reason, currency, debit, credit, amountMinor]) =>
      `${reason} ${signedText(amountMinor, '.')} ${currency} from ${credit} to ${debit}`,
  )
  return words.join(', ') || 'no transfers'
}

function unbalanced(sheets: readonly BalanceSheet[]): Finding[] {
  const wrong = sheets.filter((sheet) => !isBalanced(sheet))
  return wrong.map(({ merchantId, currency, receivable, balance, commission }) => ({
    merchantId,
    paymentId: null,
    detail: `receivable ${signedText(receivable, '.')} ${currency}, but balance ${signedText(balance, '.')} and commission ${signedText(commission, '.')} make ${signedText(balance + commission, '.')} ${currency}`,
    total: wrong.length,
  }))
}
