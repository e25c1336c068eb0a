import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { seedPayment } from '../../testing/seed/payment.ts'

const api = await testApi()
const { services, merchant } = api
const show = (id: number | string) => runTypedCommand(services, ['payment', 'show', String(id)])

it('a payment is shown with its items, its attempts and its history in the order of time', async () => {
  const createdAt = new Date('2026-11-15T06:30:00Z')
  const { id, attemptIds } = await seedPayment(services, merchant, {
    state: 'paid',
    createdAt,
    viewedAt: new Date('2026-11-15T06:30:05Z'),
    items: [
      { product_name: 'Kitap', price: 7_500, description: 'Ciltli' },
      { product_name: 'Defter', price: 2_500, description: null },
    ],
    metadata: [{ key: 'order', value: 'A-17' }],
    attempts: [
      {
        state: 'declined',
        card: '552879******0008',
        code: '51',
        message: 'Yetersiz bakiye',
        calls: [{ operation: 'authorize', outcome: 'declined', code: '51' }],
      },
      {
        state: 'approved',
        installment: 3,
        commissionMinor: 429,
        code: '00',
        message: 'Onaylandı',
        calls: [
          { operation: 'authorize', outcome: 'unknown', detail: 'no answer within 45000 ms' },
          { operation: 'inquiry', outcome: 'taken', code: '00' },
          { operation: 'inquiry' },
        ],
      },
    ],
  })
  const lines = (await show(id)).split('\n')
  const has = (line: string) => assert.ok(lines.includes(line), `${line}\n\n${lines.join('\n')}`)
  has(`id            ${id}`)
  has('state         paid (payment success, transaction completed)')
  has('amount        100.00 TRY')
  has('page expires  2026-11-15T10:00:00+03:00')
  has('bank answer   00 Onaylandı')
  has('metadata      order=A-17')
  has('75.00           Kitap   Ciltli')
  const why = 'takes cards of this family as its own; the lowest commission'
  has(
    `1        ${attemptIds[0]}  declined  552879******0008  1             100.00   0.00        51    1    ${why}`,
  )
  has(
    `2        ${attemptIds[1]}  approved  415565******6111  3             100.00   4.29        00    1    ${why}`,
  )
  assert.deepEqual(lines.slice(lines.findIndex((line) => line.startsWith('WHEN'))), [
    'WHEN                       WHAT',
    '2026-11-15T09:30:00+03:00  started with a secret key',
    '2026-11-15T09:30:05+03:00  payment page viewed',
    '2026-11-15T09:30:10+03:00  attempt 1 began: 552879******0008, single payment, through 1',
    '2026-11-15T09:30:11+03:00  attempt 2 began: 415565******6111, in 3 installments, through 1',
    '2026-11-15T09:30:11+03:00  attempt 1: bank request authorize, declined after 1.0 s: 51',
    '2026-11-15T09:30:12+03:00  attempt 2: bank request authorize, unknown after 1.0 s: no answer within 45000 ms',
    '2026-11-15T09:30:13+03:00  attempt 2: bank request inquiry, taken after 1.0 s: 00',
    '2026-11-15T09:30:13+03:00  attempt 1 ended: declined, 51 Yetersiz bakiye',
    '2026-11-15T09:30:14+03:00  attempt 2: bank request inquiry, no answer recorded',
    '2026-11-15T09:30:14+03:00  attempt 2 ended: approved, 00 Onaylandı',
    '2026-11-15T09:31:00+03:00  posted: payment 95.71 TRY (debit receivable, credit balance)',
    '2026-11-15T09:31:00+03:00  posted: commission 4.29 TRY (debit receivable, credit commission)',
    '2026-11-15T09:31:00+03:00  event 1: payment.succeeded',
    '',
    `Cardholder authentications: vezne authentication list ${id}`,
  ])
})

it('a new payment is shown without view time, bank answer, items and attempts', async () => {
  const { id } = await seedPayment(services, merchant)
  const text = await show(id)
  for (const part of ['viewed        not yet', 'bank answer   none yet', 'No items.', 'No attempts.']) {
    assert.ok(text.includes(part), text)
  }
})

it('an attempt in manual review is shown with the time since when', async () => {
  const { id } = await seedPayment(services, merchant, {
    state: 'reversing',
    attempts: [{ state: 'reversing' }],
  })
  await services.sql.run(
    sql`update payment_attempts set needs_review_at = '2026-11-15T12:00:00Z' where payment_id = ${id}`,
  )
  assert.match(await show(id), /^2026-11-15T15:00:00\+03:00 {2}attempt 1: needs manual review$/m)
})

it('a manual settlement is shown in place of the bank’s answer', async () => {
  const { id } = await seedPayment(services, merchant, {
    state: 'paid',
    attempts: [
      {
        state: 'approved',
        calls: [
          { operation: 'authorize', outcome: 'unknown', detail: 'no answer within 45000 ms' },
          { operation: 'manual', outcome: 'taken', detail: "Ayşe Işık: On today's statement: line 7." },
        ],
      },
    ],
  })
  const text = await show(id)
  assert.match(text, /^bank answer {3}none; Ayşe Işık settled it manually as taken$/m)
  assert.match(
    text,
    / {2}attempt 1: Ayşe Işık settled it manually as taken: On today's statement: line 7\.$/m,
  )
  assert.doesNotMatch(text, /asked to manual/)
})

it('an ended payment shows never and nothing instead of not yet', async () => {
  const { id } = await seedPayment(services, merchant, { state: 'expired' })
  await services.sql.run(sql`update payments set redirect_url = null where id = ${id}`)
  const text = await show(id)
  assert.match(text, /^redirect URL {2}our own result page$/m)
  assert.match(text, /^viewed {8}never$/m)
  assert.match(text, /^bank answer {3}none$/m)
  assert.match(text, /^next check {4}none$/m)
})

it('the next check is the earliest due time of the payment and its attempts', async () => {
  const { id } = await seedPayment(services, merchant, {
    createdAt: new Date('2026-11-15T06:30:00Z'),
    attempts: [{ state: 'reversed' }, { state: 'declined' }],
  })
  const dueAt = async (attempt: string, payment: string | null) => {
    await services.sql.run(
      sql`update payment_attempts set due_at = ${attempt} where payment_id = ${id} and number = 1`,
    )
    await services.sql.run(sql`update payments set due_at = ${payment} where id = ${id}`)
    return /^next check {4}(.*)$/m.exec(await show(id))?.[1]
  }
  const [early, late] = ['2026-11-15T07:00:00Z', '2026-11-15T08:00:00Z']
  assert.equal(await dueAt(late, null), '2026-11-15T11:00:00+03:00')
  assert.equal(await dueAt(early, late), '2026-11-15T10:00:00+03:00')
  assert.equal(await dueAt(late, early), '2026-11-15T10:00:00+03:00')
})

it('the id or the bank reference of an attempt shows the payment, and the output names the attempt', async () => {
  const { id, attemptIds } = await seedPayment(services, merchant, {
    attempts: [{ state: 'declined' }, { state: 'declined' }],
  })
  const attemptId = attemptIds[1] ?? 0
  const reference = `${attemptId}7KQ2VD`
  await services.sql.run(sql`update payment_attempts set reference = ${reference} where id = ${attemptId}`)
  for (const idOrReference of [attemptId, reference, reference.toLowerCase()]) {
    const [first, ...others] = (await show(idOrReference)).split('\n')
    assert.equal(first, `${reference} is attempt 2 of payment ${id}.`)
    assert.equal(others.slice(1).join('\n'), await show(id))
  }
  // The id is right but the rest of the reference is not: it may be from another installation.
  for (const wrong of [`${attemptId}000000`, `${id}7KQ2VD`, `${attemptId}7KQ`, 'x'])
    await assert.rejects(show(wrong), (error: { complaints?: Map<string, unknown> }) =>
      Boolean(error.complaints?.has('payment')),
    )
})

it('the id of a modification shows the payment, and the output names the modification', async () => {
  const attempts = [{ state: 'approved' as const }]
  const { id, modificationIds } = await seedPayment(services, merchant, { state: 'capturing', attempts })
  const [first, , ...others] = (await show(modificationIds[0] ?? 0)).split('\n')
  assert.equal(first, `${modificationIds[0]} is the id of a capture of payment ${id}.`)
  assert.equal(others.join('\n'), await show(id))
})

it('the page address, card numbers and terminal control characters are never shown, whatever text contains them', async () => {
  const number = '4155650100416111'
  const evil = `${number} \u001b[2J\r\n\u202e`
  const { id } = await seedPayment(services, merchant, {
    state: 'failed',
    description: evil,
    items: [{ product_name: evil, price: 10_000, description: evil }],
    metadata: [{ key: evil, value: evil }],
    attempts: [
      {
        state: 'declined',
        code: evil,
        message: evil,
        calls: [{ operation: 'authorize', outcome: evil, detail: evil }],
      },
    ],
  })
  const { id: refunded, modificationIds } = await seedPayment(services, merchant, {
    ...{ state: 'partly_refunded', attempts: [{ state: 'approved' }] },
    refunds: [{ amountMinor: 100, description: evil }],
  })
  await services.sql.run(sql`update refunds set reason = ${evil}, decided_by = ${evil}, requested_by = ${evil},
    code = ${evil}, message = ${evil} where payment_id = ${refunded}`)
  await services.sql.run(
    sql`update modifications set code = ${evil}, message = ${evil} where id = ${modificationIds[0]}`,
  )
  const shown = [await show(id), await show(refunded), await runTypedCommand(services, ['payment', 'list'])]
  for (const text of shown) {
    assert.ok(!text.includes(number), text)
    for (const sign of ['\u001b', '\r', '\u202e']) assert.ok(!text.includes(sign))
    for (const key of ['a page key', Buffer.from('a page key').toString('hex')])
      assert.ok(!text.includes(key))
  }
})

it('an unknown id is refused', async () => {
  await assert.rejects(show(99_999_999_999_999), Refused)
})

describe('the history after the charge', () => {
  const createdAt = new Date('2026-11-15T06:30:00Z')
  const approved = { state: 'approved' as const, commissionMinor: 429 }
  const from = (text: string, time: string) => {
    const lines = text.split('\n')
    return lines.slice(
      lines.findIndex((line) => line.startsWith(time)),
      lines.findIndex((line) => line.startsWith('How its holders')) - 1,
    )
  }

  it('shows captures and refunds with their requester, the bank calls and the outcome', async () => {
    const { id, modificationIds, refundIds } = await seedPayment(services, merchant, {
      ...{ state: 'partly_refunded', preAuth: true, createdAt, attempts: [approved] },
      refunds: [{ amountMinor: 5_000 }, { amountMinor: 1_000, state: 'rejected' }],
    })
    const text = await show(id)
    assert.match(text, /^state {9}partly_refunded \(payment partially_refunded, transaction completed\)$/m)
    assert.match(
      text,
      /^resolved {6}capture, by key 10000000000002, 2026-11-15T09:32:00\+03:00\nrefunded {6}50.00 TRY$/m,
    )
    const [capture, refund] = modificationIds
    const [first, second] = refundIds
    const has = (line: string) => assert.ok(text.split('\n').includes(line), text)
    has(`${first}  executed  50.00   50.00        2.15        00    Ürün iade edildi`)
    has(`${second}  rejected  10.00   10.00        0.42              Ürün iade edildi`)
    has(`${capture}  capture  done   100.00  capture                  00`)
    has(`${refund}  refund   done   50.00   refund   ${first}  00`)
    assert.deepEqual(from(text, '2026-11-15T09:31:00'), [
      '2026-11-15T09:31:00+03:00  event 1: payment.pre_authorized',
      '2026-11-15T09:32:00+03:00  pre-authorization resolved by key 10000000000002: capture',
      `2026-11-15T09:32:00+03:00  modification ${capture} began: capture of 100.00 TRY`,
      `2026-11-15T09:32:01+03:00  modification ${capture}: bank request capture, approved after 1.0 s: 00`,
      `2026-11-15T09:32:02+03:00  modification ${capture} ended: done, as a capture, 00`,
      '2026-11-15T09:32:02+03:00  posted: payment 95.71 TRY (debit receivable, credit balance)',
      '2026-11-15T09:32:02+03:00  posted: commission 4.29 TRY (debit receivable, credit commission)',
      '2026-11-15T09:32:02+03:00  event 2: pre_auth.completed',
      `2026-11-15T09:33:20+03:00  refund ${first} of 50.00 TRY requested by key 10000000000002: Ürün iade edildi`,
      '2026-11-15T09:33:20+03:00  event 3: refund.created',
      `2026-11-15T09:33:30+03:00  refund ${first} approved by Ayşe Işık: The goods came back.`,
      `2026-11-15T09:33:30+03:00  modification ${refund} began: refund of 50.00 TRY, for refund ${first}`,
      `2026-11-15T09:33:31+03:00  modification ${refund}: bank request refund, approved after 1.0 s: 00`,
      `2026-11-15T09:33:32+03:00  modification ${refund} ended: done, as a refund, 00`,
      `2026-11-15T09:33:32+03:00  refund ${first} ended: executed, 00`,
      '2026-11-15T09:33:32+03:00  posted: refund 47.85 TRY (debit balance, credit receivable)',
      '2026-11-15T09:33:32+03:00  posted: refund_commission 2.15 TRY (debit commission, credit receivable)',
      '2026-11-15T09:33:32+03:00  event 4: refund.executed',
      `2026-11-15T09:35:00+03:00  refund ${second} of 10.00 TRY requested by key 10000000000002: Ürün iade edildi`,
      '2026-11-15T09:35:00+03:00  event 5: refund.created',
      `2026-11-15T09:35:10+03:00  refund ${second} rejected by Ayşe Işık: The goods came back.`,
      '2026-11-15T09:35:10+03:00  event 6: refund.rejected',
    ])
  })

  it('shows a refund under way: its state, the manual review and the next try', async () => {
    const { id, modificationIds, refundIds } = await seedPayment(services, merchant, {
      ...{ state: 'paid', createdAt, attempts: [approved] },
      refunds: [{ amountMinor: 2_000, state: 'approved' }],
    })
    await services.sql.run(sql`update modifications set needs_review_at = '2026-11-15T12:00:00Z', code = '96',
      due_at = '2026-11-15T13:00:00Z' where id = ${modificationIds[0]}`)
    const text = await show(id)
    assert.match(text, /^refunded {6}0.00 TRY$/m)
    const next = '2026-11-15T16:00:00\\+03:00'
    const open = `${refundIds[0]} approved, waits for the bank’s answer, next try ${next}`
    assert.match(text, new RegExp(`^open refund {3}${open}$`, 'm'))
    assert.match(text, new RegExp(`^${modificationIds[0]} .* 96 +${next}$`, 'm'))
    assert.match(text, /^next check {4}2026-11-15T16:00:00\+03:00$/m)
    assert.deepEqual(from(text, '2026-11-15T09:33:30').slice(1), [
      `2026-11-15T09:33:30+03:00  modification ${modificationIds[0]} began: refund of 20.00 TRY, for refund ${refundIds[0]}`,
      `2026-11-15T15:00:00+03:00  modification ${modificationIds[0]}: needs manual review`,
    ])
  })

  it('shows the resolution of a pre-authorization, and none for other payments', async () => {
    const resolved = async (seed: Parameters<typeof seedPayment>[2]) => {
      const { id } = await seedPayment(services, merchant, seed)
      return /^resolved {6}(.*)$/m.exec(await show(id))?.[1]
    }
    assert.equal(await resolved({ state: 'held', attempts: [approved] }), 'not yet')
    assert.equal(await resolved({ state: 'expired', preAuth: true }), 'never')
    assert.match((await resolved({ state: 'releasing', attempts: [approved] })) ?? '', /^release, by key/)
    assert.equal(await resolved({ state: 'paid', attempts: [approved] }), undefined)
  })

  it('shows the release after a refused capture, in this order', async () => {
    const { id, modificationIds } = await seedPayment(services, merchant, {
      ...{ state: 'failed', resolution: 'capture', createdAt, attempts: [approved] },
    })
    const [capture, release] = modificationIds
    assert.deepEqual(from(await show(id), '2026-11-15T09:32:01'), [
      `2026-11-15T09:32:01+03:00  modification ${capture}: bank request capture, declined after 1.0 s: 57`,
      `2026-11-15T09:32:02+03:00  modification ${capture} ended: refused, 57`,
      `2026-11-15T09:32:02+03:00  modification ${release} began: release of 100.00 TRY`,
      '2026-11-15T09:32:02+03:00  event 2: pre_auth.failed',
      `2026-11-15T09:32:03+03:00  modification ${release}: bank request void, approved after 1.0 s: 00`,
      `2026-11-15T09:32:04+03:00  modification ${release} ended: done, as a void, 00`,
    ])
  })
})
