import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { createMerchant } from '../merchants/index.ts'
import { ensureDemoPos } from '../pos/index.ts'
import type { PaymentState } from './records/states.ts'
import { paymentStates } from './records/states.ts'

const api = await testApi()
await ensureDemoPos(api.services, api.merchant)
const backend = backendOf(api)
const { sql: database } = api.services

async function started(more: Record<string, unknown> = {}): Promise<number> {
  const answer = await backend.json('/v1/payment/3ds', { amount: 1234567, currency: 'TRY', ...more })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data.transaction_id
}

const read = (id: number | string) => backend.get(`/v1/transaction/${id}`)

/** Sets the state of a payment, as attempts would. */
async function put(id: number, state: PaymentState): Promise<void> {
  const resolution = { capturing: 'capture', releasing: 'release' }[String(state)] ?? null
  const share = { partly_refunded: 2, refunded: 1 }[String(state)]
  await database.run(sql`update payments set state = ${state}, resolution = ${resolution},
    refunded = ${share === undefined ? sql`0` : sql`amount / ${share}::int`} where id = ${id}`)
}

describe('200', () => {
  it('a new payment is waiting and pending, with everything the merchant sent', async () => {
    const id = await started({ metadata: [{ key: 'order', value: 'A-1001' }] })
    const { status, json } = await read(id)
    assert.equal(status, 200)
    assert.deepEqual(json, {
      transaction_id: id,
      amount: 1234567,
      currency_code: 'TRY',
      installment_count: 1,
      payment_status: 0,
      payment_status_text: 'waiting',
      transaction_status: 1,
      transaction_status_text: 'pending',
      transaction_message: null,
      transaction_code: null,
      payment_method: 1,
      payment_method_text: 'is_3d',
      pre_auth: false,
      created_at: '2026-11-15T09:30:00+03:00',
      start_at: '2026-11-15T09:30:00+03:00',
      end_at: null,
      metadata: [{ key: 'order', value: 'A-1001' }],
      formatted_amount: '12345.67',
    })
  })

  const expected: Record<PaymentState, [number, string, number, string]> = {
    open: [0, 'waiting', 1, 'pending'],
    authenticating: [0, 'waiting', 1, 'pending'],
    authorizing: [0, 'waiting', 1, 'pending'],
    reversing: [0, 'waiting', 1, 'pending'],
    paid: [1, 'success', 2, 'completed'],
    held: [3, 'pre_authorized', 2, 'completed'],
    capturing: [3, 'pre_authorized', 2, 'completed'],
    releasing: [3, 'pre_authorized', 2, 'completed'],
    partly_refunded: [5, 'partially_refunded', 2, 'completed'],
    refunded: [4, 'refunded', 2, 'completed'],
    failed: [2, 'failed', 3, 'failed'],
    expired: [2, 'failed', 4, 'expired'],
  }
  for (const state of paymentStates) {
    it(`a payment that is ${state} has the numbers and texts of the contract’s tables`, async () => {
      const id = await started()
      await put(id, state)
      const { json } = await read(id)
      assert.deepEqual(
        [
          json.payment_status,
          json.payment_status_text,
          json.transaction_status,
          json.transaction_status_text,
        ],
        expected[state],
      )
    })
  }

  it('a paid payment has the bank’s answer, the installments, and the times of the first view and the end', async () => {
    const id = await started()
    const viewedAt = new Date('2026-11-15T06:31:02.900Z')
    const endedAt = new Date('2026-11-15T21:00:00Z')
    await put(id, 'paid')
    await database.run(sql`update payments set viewed_at = ${viewedAt}, ended_at = ${endedAt}, code = '00',
      message = 'Onaylandı', installment_count = 6 where id = ${id}`)
    const { json } = await read(id)
    assert.deepEqual(
      [json.created_at, json.start_at, json.end_at],
      ['2026-11-15T09:30:00+03:00', '2026-11-15T09:31:02+03:00', '2026-11-16T00:00:00+03:00'],
    )
    assert.deepEqual(
      [json.transaction_code, json.transaction_message, json.installment_count],
      ['00', 'Onaylandı', 6],
    )
  })

  it('a pre-authorization is marked as one in every state', async () => {
    const id = await started({ pre_auth: true })
    for (const state of paymentStates) {
      await put(id, state)
      assert.equal((await read(id)).json.pre_auth, true, state)
    }
  })
})

describe('403', () => {
  it('a token of a public key cannot read a transaction', async () => {
    const id = await started()
    const token = await api.token(api.publicKey)
    const { status, json } = await api.call({ url: `/v1/transaction/${id}`, token })
    assert.deepEqual([status, json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('another merchant’s id, an unknown id and an invalid id get exactly the same answer', async () => {
    const neighbour = await createMerchant(api.services, { name: 'Komşu' })
    const id = await started()
    const token = await api.token(neighbour.secretKey)
    const answers = await Promise.all(
      [id, 99_999_999_999_999, 'me', '1'].map((each) => api.call({ url: `/v1/transaction/${each}`, token })),
    )
    for (const { status, text, json } of answers) {
      assert.deepEqual([status, json.error_code], [404, 920])
      assert.equal(text, answers[0]?.text)
    }
  })
})
