import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiAnswer } from '../../testing/connectors/nestpay-shop.ts'
import { NestpayShop } from '../../testing/connectors/nestpay-shop.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { ChargeSummary } from '../index.ts'
import { cavvFor } from '../index.ts'
import { modificationCards } from './modification-cards.ts'

const dayMs = 24 * 3_600_000
const amount = 12_345
const part = 4_500

const modifications = ['capture', 'void', 'refund'] as const
type ModificationName = (typeof modifications)[number]

/** A protocol of the bank. Answers are one word: the bank's code, or the fault of the response. */
interface Wire {
  charge(number: string, reference: string, options: { isHeld: boolean }): Promise<string>
  ask(what: ModificationName | 'status', reference: string, options?: { part?: string }): Promise<string>
}

/** The response and its text, or a word for the failure. */
async function mishapIn(answer: Promise<Response>): Promise<[Response, string] | string> {
  try {
    const came = await answer
    return came.status === 200 ? [came, await came.text()] : `status ${came.status}`
  } catch (error) {
    assert.ok(error instanceof TypeError)
    return 'lost'
  }
}

function acquirerAt(address: string, terminal: string): Wire {
  const send = async (what: string, body: { reference: string; amount?: number }): Promise<string> => {
    const authorization = `Basic ${Buffer.from(`${terminal}:password`).toString('base64')}`
    const options = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) }
    const came = await mishapIn(fetch(`${address}/acquirer/${what}`, options))
    if (typeof came === 'string') return came
    const [{ headers }, text] = came
    if (headers.get('content-type') === 'text/html') return 'page'
    if (!text.endsWith('}')) return 'garbled'
    const response = JSON.parse(text)
    if (what === 'status') return response.state ?? response.result
    if (response.reference !== body.reference) return `${response.code} of another reference`
    if (response.result === 'declined' || response.amount === (body.amount ?? amount)) return response.code
    return `${response.code} of ${response.amount - (body.amount ?? amount)} more`
  }
  const terms = { currency: 'TRY' }
  return {
    charge: (number, reference, { isHeld }) =>
      send(isHeld ? 'pre-authorization' : 'sale', {
        ...terms,
        ...{ reference, amount, installments: 1 },
        ...{ card: { number, cvc: '739', expiry_month: 12, expiry_year: 2030 } },
        ...{ authentication: { eci: '05', cavv: cavvFor({ amount, currency: 'TRY' }, Buffer.alloc(8, 1)) } },
      }),
    ask: (what, reference, { part: name = 'one' } = {}) => {
      if (what === 'capture') return send(what, { ...terms, reference, amount })
      if (what === 'refund') return send(what, { ...terms, reference, amount: part, ...{ part: name } })
      return send(what, { reference })
    },
  }
}

function nestpayAt(address: string, clientId: string): Wire {
  const shop = new NestpayShop(address, clientId)
  const read = async (reference: string, answer: Promise<ApiAnswer>): Promise<string> => {
    try {
      const response = await answer
      if (response.text.startsWith('<!doctype')) return 'page'
      if (!response.text.endsWith('</CC5Response>\n')) return 'garbled'
      const code =
        response.get('ProcReturnCode') === '99' ? response.get('ERRORCODE') : response.get('ProcReturnCode')
      return response.get('OrderId') === reference ? `${code}` : `${code} of another reference`
    } catch (error) {
      if (error instanceof assert.AssertionError) return `status ${error.actual}`
      assert.ok(error instanceof TypeError)
      return 'lost'
    }
  }
  return {
    charge: async (number, reference, { isHeld }) => {
      const { action, fields } = await shop.open(number, reference)
      assert.equal(action, 'https://shop.example/ok', 'nobody is asked for a code')
      return read(reference, shop.charge(fields, reference, { Type: isHeld ? 'PreAuth' : 'Auth' }))
    },
    ask: async (what, reference) => {
      const capture = { Type: 'PostAuth', OrderId: reference, Total: '123.45' }
      if (what === 'capture') return read(reference, shop.ask(capture))
      if (what === 'refund') return read(reference, shop.credit(reference, '45.00'))
      return read(reference, what === 'void' ? shop.void(reference) : shop.status(reference))
    },
  }
}

/** Answer to the first modification of each kind, and the time at which it takes effect. */
interface Expected {
  answer: string
  answerAfterMs?: number
  doneAfterMs?: number
}

const never = Number.POSITIVE_INFINITY
const expected: Readonly<Record<string, Expected>> = {
  'modification-lost': { answer: 'lost' },
  'modification-lost-undone': { answer: 'lost', doneAfterMs: never },
  'modification-late': { answer: 'lost', doneAfterMs: 90_000 },
  'modification-slow': { answer: '00', answerAfterMs: 30_000 },
  'modification-slower': { answer: '00', answerAfterMs: 120_000 },
  'modification-garbled': { answer: 'garbled' },
  'modification-page': { answer: 'page' },
  'modification-failure': { answer: 'status 500' },
  'modification-failure-undone': { answer: 'status 500', doneAfterMs: never },
  'modification-other-amount': { answer: '00 of 100 more' },
  'modification-other-reference': { answer: '00 of another reference' },
  'modification-busy': { answer: '96', doneAfterMs: never },
  'modification-broken': { answer: '96', doneAfterMs: never },
  'modification-silent': { answer: 'lost' },
}

const wires = {
  acquirer: {
    at: acquirerAt,
    /** Answer to a repeated modification. */
    again: { capture: '12', void: '21', refund: '00' },
    twice: part,
    expectedAnswer: (answer: string) => answer,
  },
  nestpay: {
    at: nestpayAt,
    again: { capture: 'CORE-2509', void: 'CORE-2008', refund: '00' },
    // NestPay refunds have no key: a repeated request is a second refund.
    twice: 2 * part,
    // NestPay answers name no amount.
    expectedAnswer: (answer: string) => answer.replace(' of 100 more', ''),
  },
}

const untouched = {
  capture: { held: amount, taken: 0, refunded: 0, operations: ['held'] },
  void: { held: 0, taken: amount, refunded: 0, operations: ['authorized'] },
  refund: { held: 0, taken: amount, refunded: 0, operations: ['authorized'] },
}

const done = {
  capture: { held: 0, taken: amount, refunded: 0, operations: ['held', 'captured'] },
  void: { held: 0, taken: 0, refunded: 0, operations: ['authorized', 'voided'] },
  refund: { held: 0, taken: amount - part, refunded: part, operations: ['authorized', 'refunded'] },
}

const sums = ({ held, taken, refunded, operations: kinds }: ChargeSummary) => ({
  held,
  taken,
  refunded,
  operations: kinds,
})

const { sql } = await testDatabase()
let terminals = 100_000_000

/** Two instances of the bank on one database, and a new terminal. */
async function stageOn(wire: (typeof wires)[keyof typeof wires]) {
  const clock = new TestClock()
  const banks = [await testBank({ sql, clock }), await testBank({ sql, clock })] as const
  const terminal = String(++terminals)
  const [first, second] = banks.map(({ address }) => wire.at(address, terminal))
  assert.ok(first && second)
  const line = async (reference: string) => {
    const found = (await banks[0].book()).find(
      (each) => each.terminal === terminal && each.reference === reference,
    )
    assert.ok(found)
    return sums(found)
  }
  return { clock, first, second, line }
}

for (const [language, wire] of Object.entries(wires)) {
  describe(`every card with a modification fault, by the protocol ${language}`, () => {
    for (const { number, does, fault } of modificationCards) {
      it(`${number}: ${does.en}`, async () => {
        const stage = await stageOn(wire)
        for (const what of modifications)
          await assertGoesWrong(wire, stage, { what, number, name: fault?.name ?? '' })
      })
    }
  })
}

async function assertGoesWrong(
  wire: (typeof wires)[keyof typeof wires],
  { clock, first, second, line }: Awaited<ReturnType<typeof stageOn>>,
  { what, number, name }: { what: ModificationName; number: string; name: string },
): Promise<void> {
  const { answer = '', answerAfterMs = 0, doneAfterMs = 0 } = expected[name] ?? {}
  assert.equal(await first.charge(number, what, { isHeld: what === 'capture' }), '00')
  assert.deepEqual(await line(what), untouched[what])
  if (what === 'refund') clock.advance(dayMs)
  const asking = first.ask(what, what)
  if (answerAfterMs > 0) {
    await clock.asleep(1)
    assert.deepEqual(await line(what), done[what])
    clock.advance(answerAfterMs)
  }
  assert.equal(await asking, wire.expectedAnswer(answer), what)
  if (doneAfterMs > 0) assert.deepEqual(await line(what), untouched[what])
  if (name === 'modification-silent') await assertSilent(clock, second, what)
  if (doneAfterMs > 0 && doneAfterMs < never) {
    clock.advance(doneAfterMs - 1)
    assert.deepEqual(await line(what), untouched[what])
    clock.advance(1)
  }
  if (doneAfterMs < never) {
    assert.deepEqual(await line(what), done[what])
    assert.equal(await second.ask(what, what), wire.again[what])
    if (what === 'refund') assert.equal((await line(what)).refunded, wire.twice)
    else assert.deepEqual(await line(what), done[what])
    return
  }
  const isLasting = name === 'modification-broken'
  assert.equal(await second.ask(what, what), isLasting ? '96' : '00')
  assert.deepEqual(await line(what), isLasting ? untouched[what] : done[what])
}

async function assertSilent(clock: TestClock, wire: Wire, reference: string): Promise<void> {
  assert.equal(await wire.ask('status', reference), 'lost')
  clock.advance(10 * 60_000 - 1)
  assert.equal(await wire.ask('status', reference), 'lost')
  clock.advance(1)
  assert.notEqual(await wire.ask('status', reference), 'lost')
}

const numberOf = (name: string) => modificationCards.find(({ fault }) => fault?.name === name)?.number ?? ''

describe('the first request of a modification', () => {
  it('is exactly one when several arrive at the same time', async () => {
    const { first, second, line } = await stageOn(wires.acquirer)
    await first.charge(numberOf('modification-busy'), 'a', { isHeld: false })
    const codes = await Promise.all(
      Array.from({ length: 6 }, (_, index) => [first, second][index % 2]?.ask('void', 'a')),
    )
    assert.deepEqual(codes.toSorted(), ['00', ...Array(4).fill('21'), '96'])
    assert.deepEqual(await line('a'), done.void)
  })

  it('is counted for each kind of modification and each part of a refund; a declined request does not count', async () => {
    const { first, line } = await stageOn(wires.acquirer)
    await first.charge(numberOf('modification-busy'), 'a', { isHeld: true })
    assert.equal(await first.ask('refund', 'a'), '21', 'nothing is taken')
    for (const code of ['96', '00']) assert.equal(await first.ask('capture', 'a'), code)
    for (const name of ['one', 'two']) {
      for (const code of ['96', '00', '00'])
        assert.equal(await first.ask('refund', 'a', { part: name }), code)
    }
    assert.deepEqual((await line('a')).refunded, 2 * part)
  })

  it('by NestPay is counted once for all refunds of an order, because refunds have no key there', async () => {
    const { first, clock, line } = await stageOn(wires.nestpay)
    await first.charge(numberOf('modification-lost-undone'), 'a', { isHeld: false })
    assert.equal(await first.ask('refund', 'a'), 'CORE-2508', 'too early, and so not asked for')
    clock.advance(dayMs)
    for (const answer of ['lost', '00', '00']) assert.equal(await first.ask('refund', 'a'), answer)
    assert.deepEqual((await line('a')).refunded, 2 * part)
  })
})

describe('a delayed modification', () => {
  const late = numberOf('modification-late')

  it('has no effect if a second request was carried out meanwhile', async () => {
    const { first, clock, line } = await stageOn(wires.acquirer)
    for (const what of modifications) {
      await first.charge(late, what, { isHeld: what === 'capture' })
      assert.equal(await first.ask(what, what), 'lost')
      clock.advance(30_000)
      assert.equal(await first.ask(what, what), '00')
      assert.deepEqual(await line(what), done[what])
      clock.advance(60_000)
      assert.deepEqual(await line(what), done[what])
      assert.equal(await first.ask(what, what), wires.acquirer.again[what])
    }
  })

  it('has no effect if the amount is gone when it is due', async () => {
    const { first, clock, line } = await stageOn(wires.acquirer)
    await first.charge(late, 'a', { isHeld: true })
    assert.equal(await first.ask('void', 'a'), 'lost')
    clock.advance(10_000)
    assert.equal(await first.ask('capture', 'a'), 'lost')
    clock.advance(80_000)
    assert.equal(await first.ask('status', 'a'), 'undone')
    clock.advance(10_000)
    const { held, taken, operations: kinds } = await line('a')
    assert.deepEqual([held, taken, kinds], [0, 0, ['held', 'voided']])
    assert.equal(await first.ask('status', 'a'), 'undone')
  })

  it('by NestPay is made in addition to a second refund requested meanwhile, so the caller must wait and inquire', async () => {
    const { first, clock, line } = await stageOn(wires.nestpay)
    await first.charge(late, 'a', { isHeld: false })
    clock.advance(dayMs)
    assert.equal(await first.ask('refund', 'a'), 'lost')
    assert.equal(await first.ask('refund', 'a'), '00')
    assert.equal((await line('a')).refunded, part)
    clock.advance(90_000)
    assert.equal((await line('a')).refunded, 2 * part)
  })
})
