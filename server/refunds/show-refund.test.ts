import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import { refundActions, unrefundableCard } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { createMerchant } from '../merchants/index.ts'
import { requestRefund } from './request-refund.ts'

const till = await testTill()
const { services, merchant, clock } = till
const { sql: database } = services
const { paid, ask, asked, refunded, refundsOf, withManualReview, decide, command } = refundActions(till)

/** Text with line breaks, reversed direction and a card number. Escape sequences are refused on input. */
const hostile = 'Kart 4242 4242 4242 4242\r\nikinci\tsatır \u202Egnirts \u2028 son'

const lastOf = async (paymentId: number) => (await refundsOf(paymentId)).at(-1)?.id ?? 0

const at = (time = clock.now()) => isoTime(time, 'Europe/Istanbul')

/** Asserts that the output has no control characters, no extra lines and no card number. */
function assertPlain(printed: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(printed, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/)
  assert.ok(!printed.replaceAll(/[^\d]/g, '').includes('4242424242424242'), printed)
}

describe('refund list', () => {
  it('reports that no refund waits, or that none is in the given state', async () => {
    assert.equal(await command('list'), 'There are no open refunds.')
    assert.equal(await command('list', '--state', 'failed'), 'No refund has the state failed.')
    await assert.rejects(command('list', '--state', 'gone'))
  })

  it('lists refunds under review, the longest waiting first, with the decider and the time', async () => {
    const [one, two] = [await paid(), await paid()]
    await withManualReview(() => asked(one, 1_050))
    clock.advance(60_000)
    await ask(two, { description: 'Yanlış ürün gönderilmiş, müşteri değişim yerine iade istiyor' })
    const lines = (await command('list')).split('\n').map((line) => line.trimEnd())
    const [first, second] = [await lastOf(one), await lastOf(two)]
    const time = clock.now().getTime()
    const shop = `${merchant.id} Test Mağaza`
    assert.deepEqual(
      lines.map((line) => line.split(/ {2,}/)),
      [
        ['REFUND', 'REQUESTED', 'MERCHANT', 'PAYMENT', 'AMOUNT', 'WAITS FOR', 'DUE', 'DESCRIPTION'],
        [
          `${first}`,
          at(new Date(time - 60_000)),
          shop,
          `${one}`,
          '10.50 TRY',
          'a manual review',
          'Ürün iade edildi',
        ],
        [
          ...[`${second}`, at(), shop, `${two}`, '100.00 TRY', 'the rules', at(new Date(time + 2_000))],
          'Yanlış ürün gönderilmiş, müşteri değişi…',
        ],
        ['To see one: vezne refund show REFUND'],
      ],
    )
    await decide(one, 'reject')
    await decide(two, 'reject')
  })

  it('lists refunds in another state, of one merchant, and reports if there are more', async () => {
    const { merchant: neighbour } = await createMerchant(services, { name: 'Komşu' })
    const attempts = [{ state: 'approved' as const }]
    const { id: paymentId } = await seedPayment(services, neighbour, { state: 'paid', attempts })
    const { id } = await requestRefund(services, neighbour, { paymentId, description: 'x', by: 'key 1' })
    const mine = await paid()
    await asked(mine)
    const one = await command('list', '--merchant', neighbour.id)
    assert.ok(one.includes(String(id)) && !one.includes(String(await lastOf(mine))), one)
    const more = await command('list', '--limit', '1')
    assert.ok(more.includes('There are more. To list more: --limit N') && more.includes(String(id)), more)
    await till.pass(3_000)
    const executed = await command('list', '--state', 'executed')
    assert.match(executed, new RegExp(`${await lastOf(mine)} .* rules +Ürün iade edildi`))
    assert.ok(!executed.includes('To see one'))
    const newest = await paid()
    await refunded(newest)
    const [, first] = (await command('list', '--state', 'executed', '--limit', '1')).split('\n')
    assert.ok(first?.startsWith(String(await lastOf(newest))), String(first))
  })
})

describe('refund show', () => {
  it('shows a waiting refund, and the commands that decide it', async () => {
    const paymentId = await paid()
    await withManualReview(() => asked(paymentId, 4_000))
    const id = await lastOf(paymentId)
    const { id: keyId } = await database.one<{ id: number }>(
      sql`select id from merchant_keys where merchant_id = ${merchant.id} and scope = 'secret'`,
    )
    assert.equal(
      await command('show', id),
      `id            ${id}
merchant      ${merchant.id} Test Mağaza (test)
payment       ${paymentId}
state         under_review
amount        40.00 TRY
to the card   40.00 TRY, including 0.72 TRY commission that the bank returns
description   Ürün iade edildi
requested by  key ${keyId}
requested     ${at()}
policy        manual
decided by    nobody yet: needs manual review
decided       not yet
reason        not yet
ended         not yet
bank answer   none

To see the history of its payment: vezne payment show ${paymentId}
To decide: vezne refund approve ${id} --by "…" --reason "…", or vezne refund reject`,
    )
  })

  it('shows an ended refund: who decided, when and why, and the bank’s response', async () => {
    const paymentId = await paid(unrefundableCard)
    await asked(paymentId)
    assert.match(await command('show', await lastOf(paymentId)), /decided by +the rules, at 20/)
    await till.pass(3_000)
    const shown = await command('show', await lastOf(paymentId))
    for (const line of [
      /^state +failed$/m,
      /^decided by +rules$/m,
      /^reason +The refunds of a test merchant always pass\.$/m,
      /^ended +20\S+$/m,
      /^bank answer +12 Geçersiz işlem$/m,
    ])
      assert.match(shown, line)
    assert.ok(!shown.includes('Decide:'))
    const done = await paid()
    await refunded(done)
    assert.match(await command('show', await lastOf(done)), /^bank answer +00 Onaylandı$/m)
  })

  it('refuses an unknown id', async () => {
    await assert.rejects(command('show', '99999999999999'), /./)
    await assert.rejects(command('show', 'x'), /./)
  })
})

it('text of a merchant or operator cannot control the terminal, break a line or show a card number', async () => {
  const paymentId = await paid()
  const answer = await withManualReview(() => ask(paymentId, { description: hostile }))
  assert.equal(answer.status, 200, answer.text)
  const id = await lastOf(paymentId)
  for (const printed of [await command('show', id), await command('list')]) {
    assertPlain(printed)
    assert.ok(printed.includes('Kart [number redacted]'), printed)
  }
  await assert.rejects(command('reject', id, '--by', 'Ayşe\u001b[2J', '--reason', 'x'))
  await command('reject', id, '--by', 'Ayşe\u202E', '--reason', hostile)
  await database.run(sql`update refunds set description = ${`\u001b[31m${hostile}`} where id = ${id}`)
  for (const printed of [await command('show', id), await command('list', '--state', 'rejected')])
    assertPlain(printed)
})
