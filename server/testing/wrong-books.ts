import type { Statement } from '../kit/sql.ts'
import { sql } from '../kit/sql.ts'
import { checkLedgerCommand } from '../payments/check-ledger.ts'
import { testApi } from './api.ts'
import { typed } from './command-line.ts'
import type { Planted } from './plant-payment.ts'
import { plantPayment } from './plant-payment.ts'

/** An attempt that was approved, with what the bank keeps of it. */
export const approved = { state: 'approved', chargedMinor: 10_000, commissionMinor: 179 }

/** Books of their own, in which anything can be planted, and the command that looks for what is wrong in them. */
export async function books() {
  const api = await testApi()
  const { services, merchant } = api
  const check = () => typed(services, [checkLedgerCommand], ['ledger', 'check'])
  const run = (statement: Statement) => services.sql.run(statement)
  const plant = (planted: Planted) => plantPayment(services, merchant, planted)
  return { ...api, check, run, plant }
}

export type Books = Awaited<ReturnType<typeof books>>

/** Plants something wrong; answers the id of the payment that it is about. */
export type Plant = (api: Books) => Promise<number>

async function noChecks({ run }: Books): Promise<void> {
  await run(sql`alter table ledger_transfers drop constraint ledger_transfers_check,
    drop constraint ledger_transfers_debit_check, drop constraint ledger_transfers_credit_check,
    drop constraint ledger_transfers_amount_check`)
}

export const paid = (api: Books) => api.plant({ state: 'paid', attempts: [approved] })

export function changedTransfers(change: Statement): Plant {
  return async (api) => {
    const { id } = await paid(api)
    await noChecks(api)
    await api.run(
      sql`update ledger_transfers set ${change} where payment_id = ${id} and reason = 'commission'`,
    )
    return id
  }
}

export function changed(planted: Planted, change: Statement): Plant {
  return async (api) => {
    const { id } = await api.plant(planted)
    await api.run(sql`update payments set ${change} where id = ${id}`)
    return id
  }
}

export function changedAttempts(planted: Planted, change: Statement): Plant {
  return async (api) => {
    const { id } = await api.plant(planted)
    await api.run(sql`update payment_attempts set ${change} where payment_id = ${id} and number = 1`)
    return id
  }
}
