import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { connectorByName } from '../../server/connectors/index.ts'
import { NestpayShop } from '../../testing/connectors/nestpay-shop.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { chargeWith } from '../../testing/harness/payer.ts'
import { statementOf } from '../index.ts'

const hourMs = 3_600_000
const header = 'day,terminal,reference,type,part,amount,currency,state,at'
const plain = '5400360000000003'

const terminal = '4711'

async function stageOn() {
  const { sql: database } = await testDatabase()
  const clock = new TestClock()
  const { address } = await testBank({ sql: database, clock })
  const tools = { http: networkHttpClient(clock), clock, random: systemRandom, log: silentLog }
  const secrets = { terminal, password: 'long enough' }
  const access = { sandboxUrl: address, settings: {}, secrets, timeoutMs: 45_000 }
  const bank = connectorByName('sandbox')?.open(tools, access)
  assert.ok(bank?.preAuthorize && bank.capture && bank.void && bank.refund)
  const { capture, void: undo, refund } = bank
  const modification = (reference: string, amountMinor = 10_000) => ({
    ...{ reference, amountMinor, currency: 'TRY', bankReferences: {} },
  })
  const isDone = async (answer: ReturnType<typeof capture>) =>
    assert.equal((await answer).outcome, 'approved')
  const terms = { amountMinor: 10_000 }
  return {
    sql: database,
    address,
    clock,
    bank,
    sale: (reference: string, number = plain) => bank.authorize(chargeWith(number, reference, terms)),
    hold: (reference: string, number = plain) => bank.preAuthorize?.(chargeWith(number, reference, terms)),
    capture: (reference: string, amount?: number) =>
      isDone(capture.call(bank, modification(reference, amount))),
    void: (reference: string) => isDone(undo.call(bank, modification(reference))),
    refund: (reference: string, refundKey: string, amount: number) =>
      isDone(refund.call(bank, { ...modification(reference, amount), refundKey, priorRefundedMinor: 0 })),
    statement: async (day: string, now = clock.now()) => {
      const pieces = await Array.fromAsync(statementOf(database, { terminal, day, now }))
      const text = pieces.join('')
      assert.ok(text.startsWith(`${header}\n`) && text.endsWith('\n'))
      return text.split('\n').slice(1, -1)
    },
  }
}

describe('the statement of a day', () => {
  it('lists taken, held and voided charges in their state at the end of the day', async () => {
    const { clock, sale, hold, capture, void: undo, statement } = await stageOn()
    await sale('taken')
    clock.advance(60_000)
    await sale('undone')
    clock.advance(60_000)
    for (const reference of ['held', 'captured', 'released', 'both']) await hold(reference)
    clock.advance(60_000)
    await undo('undone')
    clock.advance(60_000)
    await capture('both', 7_050)
    assert.deepEqual(await statement('2026-11-15'), [
      '2026-11-15,4711,taken,charge,,100.00,TRY,taken,2026-11-15T09:30:00+03:00',
      '2026-11-15,4711,captured,charge,,100.00,TRY,held,2026-11-15T09:32:00+03:00',
      '2026-11-15,4711,held,charge,,100.00,TRY,held,2026-11-15T09:32:00+03:00',
      '2026-11-15,4711,released,charge,,100.00,TRY,held,2026-11-15T09:32:00+03:00',
      '2026-11-15,4711,undone,charge,,100.00,TRY,undone,2026-11-15T09:33:00+03:00',
      '2026-11-15,4711,both,charge,,70.50,TRY,taken,2026-11-15T09:34:00+03:00',
    ])
    const first = await statement('2026-11-15')
    clock.advance(24 * hourMs)
    await capture('captured', 9_999)
    await undo('released')
    assert.deepEqual(await statement('2026-11-16'), [
      '2026-11-16,4711,captured,charge,,99.99,TRY,taken,2026-11-16T09:34:00+03:00',
      '2026-11-16,4711,released,charge,,100.00,TRY,undone,2026-11-16T09:34:00+03:00',
    ])
    assert.deepEqual(await statement('2026-11-15'), first, 'a day that is over does not change')
  })

  it('lists a refund on the day it was made; the line of its charge does not change', async () => {
    const { clock, sale, refund, statement } = await stageOn()
    await sale('a')
    clock.advance(1_000)
    await refund('a', 'one', 2_500)
    const charge = '2026-11-15,4711,a,charge,,100.00,TRY,taken,2026-11-15T09:30:00+03:00'
    const one = '2026-11-15,4711,a,refund,one,25.00,TRY,done,2026-11-15T09:30:01+03:00'
    assert.deepEqual(await statement('2026-11-15'), [charge, one])
    clock.advance(24 * hourMs)
    await refund('a', 'two', 7_500)
    const two = '2026-11-16,4711,a,refund,two,75.00,TRY,done,2026-11-16T09:30:01+03:00'
    assert.deepEqual(await statement('2026-11-16'), [two])
    assert.deepEqual(await statement('2026-11-15'), [charge, one])
  })

  it('ends at midnight in Istanbul, and does not list future operations', async () => {
    const { clock, sale, statement } = await stageOn()
    clock.advance(14.5 * hourMs - 1)
    await sale('before')
    clock.advance(1)
    await sale('after')
    const references = async (day: string, now?: Date) =>
      (await statement(day, now)).map((line) => line.split(',')[2])
    assert.deepEqual(await references('2026-11-15'), ['before'])
    assert.deepEqual(await references('2026-11-16'), ['after'])
    assert.deepEqual(await references('2026-11-16', new Date('2026-11-15T20:59:59.999Z')), [])
    assert.deepEqual(await references('2026-11-17'), [])
  })

  it('omits declined charges, other terminals, operations not yet due, and delayed operations that became impossible', async () => {
    const { clock, sale, hold, bank, capture, statement, address } = await stageOn()
    await new NestpayShop(address).pay('5451030000000018', 'elsewhere')
    await sale('declined', '4111111111111129')
    await sale('late', '4190000000000127')
    await hold('held', '4190000000000721')
    const modification = { reference: 'held', amountMinor: 10_000, currency: 'TRY', bankReferences: {} }
    assert.equal((await bank.capture?.({ ...modification, amountMinor: 4_000 }))?.outcome, 'unknown')
    const early = '2026-11-15,4711,held,charge,,100.00,TRY,held,2026-11-15T09:30:00+03:00'
    assert.deepEqual(await statement('2026-11-15'), [early])
    clock.advance(30_000)
    await capture('held', 5_000)
    clock.advance(60_000)
    assert.deepEqual(await statement('2026-11-15'), [
      '2026-11-15,4711,held,charge,,50.00,TRY,taken,2026-11-15T09:30:30+03:00',
      '2026-11-15,4711,late,charge,,100.00,TRY,taken,2026-11-15T09:31:30+03:00',
    ])
  })

  it('has the same columns for a NestPay shop, and quotes order numbers with commas and quotes', async () => {
    const { sql: database, address, clock } = await stageOn()
    const shop = new NestpayShop(address)
    await shop.pay('5451030000000018', 'a,"b"')
    clock.advance(24 * hourMs)
    await shop.credit('a,"b"', '23.45')
    const now = clock.now()
    const read = async (day: string) => {
      const terms = { terminal: shop.clientId, day, now }
      return (await Array.fromAsync(statementOf(database, terms))).join('').split('\n')[1] ?? ''
    }
    assert.equal(
      await read('2026-11-15'),
      '2026-11-15,700655000200,"a,""b""",charge,,123.45,TRY,taken,2026-11-15T09:30:00+03:00',
    )
    assert.match(
      await read('2026-11-16'),
      /^2026-11-16,700655000200,"a,""b""",refund,[0-9a-f]{32},23.45,TRY,done,2026-11-16T09:30:00\+03:00$/,
    )
  })

  it('arrives in small pieces and in order, however long it is', async () => {
    const { sql: database } = await stageOn()
    const count = 5_000
    // Three charges a second, so that some pieces end within a second.
    await database.run(sql`with made as (
        insert into sandbox.charges (terminal, reference, kind, amount, currency, installments, card, code, host_reference,
          asked_at, done_at)
        select '4711', 'r' || (n * 7919 % ${count}::integer), 'sale', n, 'TRY', 1, '', '00', '', at, at
        from generate_series(1, ${count}::integer) n, lateral (
          select ${new Date('2026-11-15T06:30:00Z')}::timestamptz + n / 3 * interval '1 second' as at) times
        returning terminal, reference, amount, done_at)
      insert into sandbox.charge_operations (terminal, reference, number, kind, amount, at)
      select terminal, reference, 1, 'authorized', amount, done_at from made`)
    const terms = { terminal: '4711', day: '2026-11-15', now: new Date('2026-11-16T06:30:00Z') }
    const pieces = await Array.fromAsync(statementOf(database, terms))
    assert.ok(pieces.every((piece) => piece.split('\n').length < 1_100))
    const lines = pieces.join('').split('\n').slice(1, -1)
    assert.equal(lines.length, count)
    const keys = lines.map((line) => line.split(',')).map((fields) => `${fields[8]} ${fields[2]}`)
    assert.deepEqual(keys, keys.toSorted())
    assert.equal(new Set(keys).size, count)
  })
})
