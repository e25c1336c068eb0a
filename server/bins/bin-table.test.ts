import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../testing/harness/tier.ts'
import type { BinTable } from './bin-table.ts'
import { kindOfBin, rowsMatching } from './bin-table.ts'
import type { CardKind } from './card.ts'

function kind(bankCode: number): CardKind {
  const common = { brand: 'visa', type: 'credit', family: null, segment: 'personal' } as const
  return { bankCode, bankName: `Bank ${bankCode}`, ...common, country: 'TR', prepaid: false }
}

function tableOf(given: ReadonlyMap<number, number>): BinTable {
  const rows = [...given].map(([prefix, index]): [number, CardKind] => [prefix, kind(index + 1)])
  return { origin: { source: 'test', asOf: '2026-11-15' }, rows: new Map(rows) }
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
      const expected = longest === undefined ? undefined : kind((given.get(longest) ?? -1) + 1)
      assert.deepEqual(kindOfBin(table, binDigits), expected)
      assert.deepEqual(
        rowsMatching(table, binDigits).map((row) => row.prefix),
        beginning,
      )
    }),
    { numRuns: repetitions(2_000) },
  )
})

it('the lowest and the highest BIN are found like any other', () => {
  const table = tableOf(new Map([100000, 999999, 10000000, 99999999].map((each, index) => [each, index])))
  const prefixFor = (bin: number) => rowsMatching(table, bin)[0]?.prefix
  assert.equal(prefixFor(10000000), 10000000)
  assert.equal(prefixFor(10000001), 100000)
  assert.equal(prefixFor(99999999), 99999999)
  assert.equal(prefixFor(99999998), 999999)
  assert.equal(prefixFor(55555555), undefined)
})
