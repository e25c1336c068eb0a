import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import type { TestDatabase } from '../../testing/harness/database.ts'
import { emptyDatabase, testDatabase } from '../../testing/harness/database.ts'
import { cavvFor, createSandboxTables } from '../index.ts'

const hourMs = 3_600_000
const card = { number: '5400360000000003', cvc: '7391', expiry_month: 11, expiry_year: 2026 }
const cavv = cavvFor({ amount: 1000, currency: 'TRY' }, Buffer.alloc(8, 1))
const authentication = { eci: '05', cavv }
const sale = { amount: 1000, currency: 'TRY', installments: 1, card, authentication }
const password = 'a password of a terminal'

type Response = Record<string, unknown>

async function bankOnTest(database?: TestDatabase) {
  const { sql: own } = database ?? (await testDatabase())
  const clock = new TestClock()
  const lines: string[] = []
  const note = (fields: object, text: string) => lines.push(JSON.stringify([fields, text]))
  const bank = await testBank({
    sql: own,
    clock,
    log: { debug: note, info: note, warn: note, error: note },
  })
  const ask = async (operation: string, body: unknown, sign = `7:${password}`): Promise<Response> => {
    const answer = await fetch(`${bank.address}/acquirer/${operation}`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(sign).toString('base64')}` },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    assert.equal(answer.status, 200)
    return (await answer.json()) as Response
  }
  const codeOf = async (operation: string, body: unknown, sign?: string) =>
    (await ask(operation, body, sign))['code']
  return { ...bank, sql: own, clock, ask, codeOf, lines }
}

const all = <Result>(count: number, work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

describe('a terminal', () => {
  it('is enrolled with its first password, and every other password is refused', async () => {
    const { codeOf, book } = await bankOnTest()
    assert.equal(await codeOf('sale', { ...sale, reference: 'a' }), '00')
    assert.equal(await codeOf('sale', { ...sale, reference: 'b' }, '7:some other password'), '03')
    assert.equal(await codeOf('void', { reference: 'a' }, '7:some other password'), '03')
    assert.equal(await codeOf('sale', { ...sale, reference: 'b' }, 'no terminal'), '03')
    assert.deepEqual(
      (await book()).map(({ reference, taken }) => [reference, taken]),
      [['a', 1000]],
    )
  })

  it('has one password when several requests enrol it at the same time', async () => {
    const { codeOf } = await bankOnTest()
    const codes = await all(8, (index) =>
      codeOf('sale', { ...sale, reference: `r${index}` }, `9:password ${index}`),
    )
    assert.deepEqual(codes.toSorted(), ['00', ...Array(7).fill('03')])
  })

  it('sees only its own references', async () => {
    const { codeOf, ask } = await bankOnTest()
    assert.equal(await codeOf('sale', { ...sale, reference: 'a' }), '00')
    assert.equal((await ask('status', { reference: 'a' }, '8:another terminal'))['result'], 'not_found')
    assert.equal(await codeOf('void', { reference: 'a' }, '8:another terminal'), '25')
    assert.equal(await codeOf('sale', { ...sale, reference: 'a' }, '8:another terminal'), '00')
  })
})

describe('a charge', () => {
  it('is made once per reference, even when requests arrive at the same time', async () => {
    const { codeOf, line } = await bankOnTest()
    const codes = await all(10, () => codeOf('sale', { ...sale, reference: 'once' }))
    assert.deepEqual(codes.toSorted(), ['00', ...Array(9).fill('94')])
    assert.deepEqual((await line('once'))?.operations, ['authorized'])
  })

  it('is declined with an expired card, an invalid card number or no proof of authentication', async () => {
    const { codeOf, line } = await bankOnTest()
    const old = { ...card, expiry_month: 10 }
    assert.equal(await codeOf('sale', { ...sale, card: old, reference: 'old' }), '54')
    const wrong = { ...card, number: '5400360000000004' }
    assert.equal(await codeOf('sale', { ...sale, card: wrong, reference: 'wrong' }), '14')
    for (const [index, proof] of [{}, { eci: '05' }, { cavv: 'x' }, { eci: '', cavv: '' }].entries()) {
      const body = { ...sale, authentication: proof, reference: `unproven-${index}` }
      assert.equal(await codeOf('sale', body), '1A')
    }
    assert.equal((await line('old'))?.taken, 0)
  })

  it('is declined with a proof for another amount, for another currency or of another bank', async () => {
    const { codeOf } = await bankOnTest()
    assert.equal(await codeOf('sale', { ...sale, amount: 1001, reference: 'more' }), '1A')
    assert.equal(await codeOf('sale', { ...sale, amount: 999, reference: 'less' }), '1A')
    assert.equal(await codeOf('sale', { ...sale, currency: 'USD', reference: 'dollars' }), '1A')
    for (const [index, wrong] of [`${cavv} `, cavv.slice(0, -1), 'AAABCSIIAAAAAAACcwgAEMCoNh8='].entries()) {
      const body = { ...sale, authentication: { eci: '05', cavv: wrong }, reference: `wrong-${index}` }
      assert.equal(await codeOf('sale', body), '1A')
    }
    assert.equal(await codeOf('sale', { ...sale, reference: 'right' }), '00')
  })

  it('with a malformed body is declined and changes nothing', async () => {
    const { codeOf, book } = await bankOnTest()
    const wrong = [
      '',
      'x',
      '[]',
      { ...sale },
      { ...sale, reference: 'a', amount: 1.5 },
      { ...sale, reference: 'a', amount: 0 },
    ]
    for (const body of wrong) assert.equal(await codeOf('sale', body), '30')
    assert.deepEqual(await book(), [])
  })
})

describe('a capture', () => {
  it('takes the held amount or less, once, and releases the rest', async () => {
    const { codeOf, line } = await bankOnTest()
    await codeOf('pre-authorization', { ...sale, reference: 'a' })
    assert.deepEqual([(await line('a'))?.held, (await line('a'))?.taken], [1000, 0])
    const capture = { reference: 'a', currency: 'TRY' }
    assert.equal(await codeOf('capture', { ...capture, amount: 1001 }), '13')
    assert.equal(await codeOf('capture', { ...capture, currency: 'USD', amount: 1 }), '12')
    const codes = await all(5, () => codeOf('capture', { ...capture, amount: 600 }))
    assert.deepEqual(codes.toSorted(), ['00', ...Array(4).fill('12')])
    assert.deepEqual([(await line('a'))?.held, (await line('a'))?.taken], [0, 600])
  })
})

describe('a void', () => {
  it('reverses the whole charge until midnight in Istanbul; after that only a refund does', async () => {
    const { codeOf, line, clock } = await bankOnTest()
    clock.advance(14 * hourMs)
    for (const reference of ['a', 'b']) await codeOf('sale', { ...sale, reference })
    clock.advance(hourMs / 2 - 1)
    assert.equal(await codeOf('void', { reference: 'a' }), '00')
    assert.equal(await codeOf('void', { reference: 'a' }), '21')
    clock.advance(1)
    assert.equal(await codeOf('void', { reference: 'b' }), '95')
    const refund = { reference: 'b', amount: 1000, currency: 'TRY', part: '1' }
    assert.equal(await codeOf('refund', refund), '00')
    assert.deepEqual([(await line('a'))?.taken, (await line('b'))?.taken], [0, 0])
  })

  it('releases a hold at any time', async () => {
    const { codeOf, ask, clock, line } = await bankOnTest()
    await codeOf('pre-authorization', { ...sale, reference: 'a' })
    clock.advance(100 * hourMs)
    assert.equal(await codeOf('void', { reference: 'a' }), '00')
    assert.equal((await line('a'))?.held, 0)
    assert.equal((await ask('status', { reference: 'a' }))['state'], 'undone')
  })

  it('of a declined or unknown charge is refused', async () => {
    const { codeOf } = await bankOnTest()
    await codeOf('sale', { ...sale, card: { ...card, number: '4111111111111129' }, reference: 'declined' })
    for (const reference of ['declined', 'never']) assert.equal(await codeOf('void', { reference }), '25')
  })
})

describe('a refund', () => {
  it('is made once per part, and never exceeds the amount taken', async () => {
    const { codeOf, ask, line } = await bankOnTest()
    await codeOf('sale', { ...sale, reference: 'a' })
    const refund = (part: string, amount: number) =>
      codeOf('refund', { reference: 'a', currency: 'TRY', part, amount })
    assert.deepEqual(await all(5, () => refund('one', 400)), Array(5).fill('00'))
    assert.equal((await line('a'))?.taken, 600)
    assert.equal(await refund('one', 300), '94')
    assert.equal(await refund('two', 601), '13')
    assert.equal(await codeOf('void', { reference: 'a' }), '95')
    assert.equal((await ask('status', { reference: 'a' }))['amount'], 1000, 'what was taken at first')
    assert.equal(await refund('two', 600), '00')
    assert.equal(await refund('three', 1), '21')
    assert.equal((await ask('status', { reference: 'a' }))['state'], 'undone')
  })

  it('at the same time as voids: exactly one request returns the money', async () => {
    const { codeOf, line } = await bankOnTest()
    await all(5, async (round) => {
      const reference = `r${round}`
      await codeOf('sale', { ...sale, reference })
      const codes = await all(8, (index) =>
        index % 2 === 0
          ? codeOf('void', { reference })
          : codeOf('refund', { reference, currency: 'TRY', amount: 1000, part: String(index) }),
      )
      assert.equal(codes.filter((code) => code === '00').length, 1)
      assert.equal((await line(reference))?.operations.length, 2)
      assert.equal((await line(reference))?.taken, 0)
    })
  })
})

it('any number of instances can create the tables of a new database at the same time', async () => {
  const database = await emptyDatabase()
  await all(8, () => createSandboxTables(database.sql))
  const { codeOf } = await bankOnTest(database)
  assert.equal(await codeOf('sale', { ...sale, reference: 'a' }), '00')
})

it('two instances of the bank on one database return the same answers', async () => {
  const database = await testDatabase()
  const [one, two] = [await bankOnTest(database), await bankOnTest(database)]
  assert.equal(await one.codeOf('sale', { ...sale, reference: 'a' }), '00')
  assert.equal(await two.codeOf('sale', { ...sale, reference: 'a' }), '94')
  assert.deepEqual(await two.ask('status', { reference: 'a' }), await one.ask('status', { reference: 'a' }))
})

it('no card number, security code or password is in the tables, the log or the answers', async () => {
  const bank = await bankOnTest()
  const answers = [
    await bank.ask('sale', { ...sale, reference: 'a' }),
    await bank.ask('status', { reference: 'a' }),
    await bank.ask('sale', { ...sale, reference: 'b', card: { ...card, number: '4111111111111129' } }),
    await bank.ask('sale', { ...sale, card }),
  ]
  const tables = await bank.sql.many<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`)
  const rows: object[] = []
  for (const { name } of tables) {
    rows.push(...(await bank.sql.many({ text: `select t::text as row from ${name} t`, values: [] })))
  }
  assert.match(JSON.stringify(rows), /540036\*{6}0003/)
  const everything = JSON.stringify([answers, rows, bank.lines])
  for (const secret of [card.number, '4111111111111129', password]) assert.ok(!everything.includes(secret))
  assert.doesNotMatch(everything, /[^0-9a-f]7391[^0-9a-f]/)
  assert.ok(bank.lines.length >= 4)
})
