import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import { BinTable } from './bin-table.ts'
import type { CardKind } from './card.ts'

const origin = { source: 'test', asOf: '2026-11-15' }

function kind(bankCode: number): CardKind {
  const common = { brand: 'visa', type: 'credit', family: null, segment: 'personal' } as const
  return { bankCode, bankName: `Bank ${bankCode}`, ...common, country: 'TR', prepaid: false }
}

const kinds = Array.from({ length: 5 }, (_, index) => kind(index + 1))

function tableOf(rows: ReadonlyMap<number, number>): BinTable {
  return new BinTable(origin, kinds, Uint32Array.from(rows.keys()), Uint32Array.from(rows.values()))
}

/** Only two digits, so that prefixes often begin other prefixes. */
const digit = fc.constantFrom('1', '2')
const prefix = fc
  .tuple(digit, fc.array(digit, { minLength: 5, maxLength: 7 }))
  .map(([first, rest]) => Number(first + rest.join('')))
const bin = fc.array(digit, { minLength: 8, maxLength: 8 }).map((digits) => Number(digits.join('')))
const rows = fc
  .uniqueArray(fc.tuple(prefix, fc.nat(4)), { selector: ([each]) => each, maxLength: 300 })
  .map((pairs) => new Map(pairs))

it('the longest matching prefix of a BIN wins, for any rows in any order', () => {
  fc.assert(
    fc.property(rows, bin, (given, binDigits) => {
      const beginning = [...given.keys()]
        .filter((each) => String(binDigits).startsWith(String(each)))
        .toSorted((one, other) => other - one)
      const [longest] = beginning
      const table = tableOf(given)
      const expected =
        longest === undefined
          ? undefined
          : { bin: binDigits, prefix: String(longest), ...kinds[given.get(longest) ?? -1] }
      assert.deepEqual(table.find(binDigits), expected)
      assert.deepEqual(
        table.rowsFor(binDigits).map((row) => row.prefix),
        beginning,
      )
    }),
    { numRuns: repetitions(2_000) },
  )
})

it('every row is in the table once, in the order of its digits', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const table = tableOf(given)
      const all = [...table.rows()]
      assert.equal(table.size, given.size)
      assert.deepEqual(
        all.map((row) => String(row.prefix)),
        [...given.keys()].map(String).toSorted(),
      )
      for (const row of all) assert.equal(row.kind, kinds[given.get(row.prefix) ?? -1])
    }),
  )
})

it('the lowest and the highest BIN are found like any other', () => {
  const table = tableOf(new Map([100000, 999999, 10000000, 99999999].map((each, index) => [each, index])))
  assert.equal(table.find(10000000)?.prefix, '10000000')
  assert.equal(table.find(10000001)?.prefix, '100000')
  assert.equal(table.find(99999999)?.prefix, '99999999')
  assert.equal(table.find(99999998)?.prefix, '999999')
  assert.equal(table.find(55555555), undefined)
})

it('duplicate prefixes, and prefixes without six to eight digits, are refused', () => {
  const make = (...prefixes: number[]) =>
    new BinTable(origin, kinds, Uint32Array.from(prefixes), new Uint32Array(9))
  assert.throws(() => make(540036, 415792, 540036), /same digits/)
  for (const wrong of [0, 99999, 100000000]) assert.throws(() => make(wrong), /six to eight digits/)
  assert.equal(make().size, 0)
})

it('all 111 rows that share six digits are found, also next to equally full neighbours', () => {
  const sixes = [540035, 540036, 540037]
  const all = sixes.flatMap((six) => [
    six,
    ...Array.from({ length: 10 }, (_, last) => six * 10 + last),
    ...Array.from({ length: 100 }, (_, last) => six * 100 + last),
  ])
  const table = tableOf(new Map(all.map((each, index) => [each, index % kinds.length])))
  for (const six of sixes) {
    for (let last = 0; last < 100; last++) {
      const binDigits = six * 100 + last
      const prefixes = table.rowsFor(binDigits).map((row) => row.prefix)
      assert.deepEqual(prefixes, [binDigits, Math.floor(binDigits / 10), six])
    }
  }
})
