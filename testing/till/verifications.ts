import assert from 'node:assert/strict'
import { sql } from '../../kit/runtime/sql.ts'
import type { Bank } from '../../server/connectors/index.ts'
import { connectors } from '../../server/connectors/index.ts'
import { backendOf } from '../harness/backend.ts'
import { bankPageTill } from './pay-at-bank-page.ts'
import type { Till } from './till.ts'

/** Cards of the World family: charged exactly, 1.00 more, 1.00 less, or refunded 1.00 less. */
export const exactChargeCard = '5451030000000018'
export const overchargeCard = '5451030000000406'
export const underchargeCard = '5451030000000414'
export const shortRefundCard = '5451030000000422'

interface VerificationRow {
  kind: string
  state: string
  source: string | null
  bankAmount: number | null
}

function verificationRows({ services }: Till, paymentId: number): Promise<VerificationRow[]> {
  return services.sql.many(sql`select kind, state, source, bank_amount as "bankAmount" from verifications
    where payment_id = ${paymentId} order by approved_at, id`)
}

/** Verifications of a payment, each as `charge differs inquiry 10100`. */
export async function verificationLines(till: Till, paymentId: number): Promise<string[]> {
  const rows = await verificationRows(till, paymentId)
  return rows.map(({ kind, state, source, bankAmount }) =>
    [kind, state, source, bankAmount].filter((word) => word !== null).join(' '),
  )
}

/** Number of verification inquiries of a payment. */
export async function countVerifyCalls({ services }: Till, paymentId: number): Promise<number> {
  const { count } = await services.sql.one<{
    count: number
  }>(sql`select count(*)::int as count from bank_calls
    where payment_id = ${paymentId} and operation = 'verify'`)
  return count
}

/** Balance of a payment in the differences account. */
export async function postedDifference({ services }: Till, paymentId: number): Promise<number> {
  const { sum } = await services.sql.one<{
    sum: number
  }>(sql`select coalesce(sum(case when credit = 'differences'
      then amount else -amount end), 0)::bigint as sum
    from ledger_transfers where payment_id = ${paymentId} and 'differences' in (debit, credit)`)
  return sum
}

/** Captures or releases a hold, as the merchant. */
export async function requestPreAuthResolution(till: Till, id: number, isCaptured: boolean): Promise<void> {
  const fields = { transaction_id: String(id), status: String(isCaptured) }
  const { status, text } = await backendOf(till).form('/v1/transaction/resolve-pre-auth', fields)
  assert.equal(status, 200, text)
}

export type BankLies = {
  [Name in 'inquire' | 'capture' | 'void' | 'refund']?: (
    bank: Bank,
    request: Parameters<NonNullable<Bank[Name]>>[0],
  ) => ReturnType<NonNullable<Bank[Name]>>
}

/** Replaces answers of the till's bank. */
export function makeBankLie(till: Till, lies: BankLies): void {
  till.services.connectors = connectors.map((connector) => ({
    ...connector,
    open: (tools, access) => {
      const bank = connector.open(tools, access)
      return new Proxy(bank, {
        get: (target, name) => {
          const lie = Reflect.get(lies, name)
          if (lie) return (request: never) => lie(target, request)
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }))
}

/** A till whose bank gives another answer to inquiries. */
export async function tillWithLyingBank(inquire: NonNullable<BankLies['inquire']>): Promise<Till> {
  const till = await bankPageTill()
  makeBankLie(till, { inquire })
  return till
}
