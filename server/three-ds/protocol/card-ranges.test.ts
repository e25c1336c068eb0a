import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isLuhnValid, SecretPan } from '../../../kit/money/card.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import type { CardRangeTable } from './card-ranges.ts'
import { applyCardRanges, findEnrolment } from './card-ranges.ts'

const ds = { from: '2.1.0', to: '2.3.1' }
const methodUrl = 'https://acs.bank.example/method'

function item(startRange: string, endRange: string, more: Record<string, unknown> = {}) {
  return { startRange, endRange, acsStartProtocolVersion: '2.1.0', acsEndProtocolVersion: '2.3.1', ...more }
}

function tableOf(cardRanges: readonly unknown[] | null, before?: CardRangeTable): CardRangeTable {
  const applied = applyCardRanges(before, { ds, cardRanges }, true)
  assert.ok('table' in applied, JSON.stringify(applied))
  return applied.table
}

function refused(cardRanges: readonly unknown[], code: string, detail: string, before?: CardRangeTable) {
  const applied = applyCardRanges(before, { ds, cardRanges }, true)
  assert.ok('error' in applied)
  assert.deepEqual([applied.error.code, applied.error.detail], [code, detail])
}

function panOf(digits: string): SecretPan {
  const pan = SecretPan.of(digits)
  assert.ok(pan, digits)
  return pan
}

/** Appends the check digit. */
function cardNumber(beginning: string): string {
  const last = [...'0123456789'].find((digit) => isLuhnValid(beginning + digit))
  return `${beginning}${last}`
}

const first = item('4012000000005000', '4012000000005999', { threeDSMethodURL: methodUrl })
const second = item('4012000000006000', '4012000000006999', {
  dsStartProtocolVersion: '2.2.0',
  dsEndProtocolVersion: '2.2.0',
})

it('a card belongs to the range that holds its number, both ends included', () => {
  const table = tableOf([second, first])
  const found = (beginning: string) => findEnrolment(table, panOf(cardNumber(beginning)))
  assert.deepEqual(found('401200000000500'), { version: '2.3.1', methodUrl })
  assert.deepEqual(found('401200000000599'), { version: '2.3.1', methodUrl })
  assert.deepEqual(found('401200000000612'), { version: '2.2.0', methodUrl: null }, 'by its own versions')
  for (const beginning of ['401200000000499', '401200000000700', '4012000000005001', '40120000000050']) {
    assert.equal(found(beginning), undefined, beginning)
  }
  assert.equal(findEnrolment(tableOf([]), panOf(cardNumber('401200000000500'))), undefined)
})

it('a table survives JSON serialization unchanged', () => {
  const table = tableOf([first, second])
  assert.deepEqual(JSON.parse(JSON.stringify(table)), table)
})

describe('changes', () => {
  it('add, delete and modify ranges, in any order', () => {
    const before = tableOf([first, second])
    const wider = item('4012000000005000', '4012000000005499', { actionInd: 'A' })
    const gone = { ...first, actionInd: 'D' }
    const changed = { ...second, actionInd: 'M', acsEndProtocolVersion: '2.2.0' }
    for (const changes of [
      [wider, gone, changed],
      [changed, gone, wider],
    ]) {
      const { ranges } = tableOf(changes, before)
      assert.deepEqual(
        ranges.map(({ start, end, acs }) => [start, end, acs.to]),
        [
          ['4012000000005000', '4012000000005499', '2.3.1'],
          ['4012000000006000', '4012000000006999', '2.2.0'],
        ],
      )
    }
    assert.equal(before.ranges.length, 2)
  })

  it('that are empty leave the table as it is', () => {
    const before = tableOf([first, second])
    assert.deepEqual(tableOf(null, before), before)
    assert.deepEqual(tableOf([], before), before)
  })

  it('that do not fit the table are 307: our serial number belongs to another table', () => {
    const before = tableOf([first])
    refused([{ ...second, actionInd: 'D' }], '307', 'serialNum', before)
    refused([{ ...second, actionInd: 'M' }], '307', 'serialNum', before)
    refused([{ ...first, actionInd: 'D' }], '307', 'serialNum')
    refused([first], '307', 'cardRangeData', before)
    refused([item('4012000000005999', '4012000000006000')], '307', 'cardRangeData', before)
    refused([item('4012000000000000', '4012000000009999')], '307', 'cardRangeData', before)
    refused([second, second], '307', 'cardRangeData')
  })

  it('with an invalid entry are 203 or 201, and the elements are named', () => {
    const wrong: [unknown, string, string][] = [
      ['x', '203', 'cardRangeData'],
      [null, '203', 'cardRangeData'],
      [item('401200000000', '401200000001'), '203', 'cardRangeData.startRange,cardRangeData.endRange'],
      [
        item('4012000000005999', '4012000000005000'),
        '203',
        'cardRangeData.startRange,cardRangeData.endRange',
      ],
      [item('4012000000005', '4012000000005999'), '203', 'cardRangeData.startRange,cardRangeData.endRange'],
      [{ ...first, actionInd: 'X' }, '203', 'cardRangeData.actionInd'],
      [{ ...first, endRange: undefined }, '201', 'cardRangeData.endRange'],
      [{ ...first, acsEndProtocolVersion: undefined }, '201', 'cardRangeData.acsEndProtocolVersion'],
      [{ ...first, acsEndProtocolVersion: '2' }, '203', 'cardRangeData.acsEndProtocolVersion'],
      [
        { ...first, acsStartProtocolVersion: '2.4.0' },
        '203',
        'cardRangeData.acsStartProtocolVersion,cardRangeData.acsEndProtocolVersion',
      ],
      [{ ...first, threeDSMethodURL: 'http://acs.bank.example' }, '203', 'cardRangeData.threeDSMethodURL'],
      [
        { ...first, threeDSMethodURL: `${methodUrl}/${'x'.repeat(256)}` },
        '203',
        'cardRangeData.threeDSMethodURL',
      ],
    ]
    for (const [each, code, detail] of wrong) refused([second, each], code, detail)
  })
})

it('the lookup finds the same range as a linear search, for any ranges', () => {
  const digit = fc.constantFrom('1', '2')
  const length = fc.integer({ min: 13, max: 19 })
  const number = length.chain((size) =>
    fc.array(digit, { minLength: size, maxLength: size }).map((all) => all.join('')),
  )
  const numbers = fc.uniqueArray(number, { maxLength: 60 })
  const searched = length.chain((size) =>
    fc.array(digit, { minLength: size - 1, maxLength: size - 1 }).map((all) => cardNumber(all.join(''))),
  )
  fc.assert(
    fc.property(numbers, fc.array(searched, { minLength: 1, maxLength: 20 }), (ends, cards) => {
      const sorted = ends.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
      const items = sorted.flatMap((start, index) => {
        const end = sorted[index + 1]
        return index % 2 === 0 && end?.length === start.length
          ? [item(start, end, { threeDSMethodURL: `https://a.example/${index}` })]
          : []
      })
      const table = tableOf(items.toReversed())
      for (const card of cards) {
        const holding = items.find(
          ({ startRange, endRange }) =>
            BigInt(startRange) <= BigInt(card) && BigInt(card) <= BigInt(endRange),
        ) as { threeDSMethodURL?: string } | undefined
        assert.equal(findEnrolment(table, panOf(card))?.methodUrl, holding?.threeDSMethodURL)
      }
    }),
    { numRuns: repetitions(500) },
  )
})
