import { sql } from '../../kit/runtime/sql.ts'
import type { TestAnswer } from '../harness/api.ts'
import { backendOf } from '../harness/backend.ts'
import { runTypedCommand } from '../harness/command-line.ts'
import type { Till } from './till.ts'

/** Cards of the sandbox: two approved ones, and one that refuses every refund, capture and release. */
export const bonusCard = '5400360000000003'
export const worldCard = '5451030000000000'
export const unrefundableCard = '5406670000000009'

export const preAuthForm = 'amount=10000&currency=TRY&pre_auth=true'

/** A refund as stored. */
export interface RefundRow {
  id: number
  state: string
  amount: number
  charged: number
  commission: number
}

/** Actions of refund tests. Most payments are of 100.00, with a commission of 1.79. */
export interface RefundActions {
  paid(pan?: string, form?: string): Promise<number>
  /**
   * A payment in three installments whose commission the payer bears: 104.45 is charged for 100.00, the
   * commission is 4.45.
   */
  paidInThree(): Promise<number>
  /** Requests a refund, by default in English. */
  ask(id: number, more?: Record<string, string>, headers?: Record<string, string>): Promise<TestAnswer>
  /** Requests a refund that must be accepted. */
  asked(id: number, amount?: number): Promise<void>
  /** Requests a refund, and passes the time that the rules and the bank need. */
  refunded(id: number, amount?: number): Promise<void>
  refundsOf(id: number): Promise<RefundRow[]>
  /** `payment_status` and `transaction_status`. */
  statusOf(id: number): Promise<[number, number]>
  /** Runs `work` while refunds go to manual review. */
  withManualReview<Result>(work: () => Promise<Result>): Promise<Result>
  /** Approves or rejects the refund of a payment in manual review. */
  decide(paymentId: number, verdict: 'approve' | 'reject', by?: string): Promise<string>
  /** Runs a `vezne refund` command. */
  command(...words: (string | number)[]): Promise<string>
}

export function refundActions(till: Till): RefundActions {
  const { services, merchant } = till
  const { sql: database } = services
  const backend = backendOf(till)
  const command: RefundActions['command'] = (...words) =>
    runTypedCommand(services, ['refund', ...words.map(String)])
  const ask: RefundActions['ask'] = (id, more = {}, headers = { 'accept-language': 'en' }) => {
    const fields = { transaction_id: String(id), description: 'Ürün iade edildi', ...more }
    return backend.form('/v1/transaction/refund', fields, headers)
  }
  const asked: RefundActions['asked'] = async (id, amount) => {
    const answer = await ask(id, amount === undefined ? {} : { amount: String(amount) })
    if (answer.status !== 200) throw new Error(answer.text)
  }
  return {
    paid: async (pan = bonusCard, form) => {
      const id = await till.start(form)
      await till.pay(id, pan)
      return id
    },
    paidInThree: async () => {
      const id = await till.start()
      const submitted = await till.submit(id, worldCard, { installment: 3, charged: 10_445 })
      if (submitted.outcome !== 'begun') throw new Error(submitted.outcome)
      await till.authorize(submitted.attempt.id)
      return id
    },
    ask,
    asked,
    refunded: async (id, amount) => {
      await asked(id, amount)
      await till.pass(3_000)
    },
    refundsOf: (id) =>
      database.many(sql`select id, state, amount, charged, commission from refunds where payment_id = ${id}
        order by requested_at, id`),
    statusOf: async (id) => {
      const { payment_status: payment, transaction_status: transaction } = await till.result(id)
      return [payment, transaction]
    },
    withManualReview: async (work) => {
      const set = (policy: string) => command('policy', merchant.id, '--policy', policy)
      await set('manual')
      try {
        return await work()
      } finally {
        await set('automatic')
      }
    },
    decide: async (paymentId, verdict, by = 'Ayşe Işık') => {
      const { id } = await database.one<{ id: number }>(
        sql`select id from refunds where payment_id = ${paymentId} and state = 'under_review'`,
      )
      return command(verdict, id, '--by', by, '--reason', 'Ürün geri gelmedi')
    },
    command,
  }
}
