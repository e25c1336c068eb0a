import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isCountry } from '../../kit/money/countries-and-currencies.ts'
import { cardTypes, segmentSlugs } from './card.ts'
import { banks, cardBrands, families } from './catalog.ts'

const [header, ...lines] = readFileSync(join(import.meta.dirname, 'default.csv'), 'utf8')
  .trimEnd()
  .split('\n')
const rows = lines.map((line) => line.split(','))
const kinds = new Map(rows.map(([bin = '', code = '', , ...kind]) => [bin, { code: Number(code), kind }]))

describe('the built-in table', () => {
  it('has ascending, unique prefixes of six to eight digits', () => {
    assert.equal(
      header,
      'bin_number,bank_code,bank_name,card_brand,card_type,card_family,card_segment,country,prepaid',
    )
    const bins = rows.map(([bin = '']) => bin)
    for (const bin of bins) assert.match(bin, /^[1-9]\d{5,7}$/)
    assert.deepEqual(bins, [...new Set(bins)].toSorted())
    assert.ok(bins.length > 40)
  })

  it('uses known banks, brands, families and countries only', () => {
    for (const [bin = '', code, name = '', brand, type, family, segment, country = '', prepaid] of rows) {
      // Codes have no leading zeros, and a row has a bank name only if its code is unknown.
      assert.equal(banks.has(Number(code)) ? '' : 'Foreign Test Bank', name, bin)
      assert.equal(String(Number(code)), code, bin)
      assert.ok((cardBrands as readonly unknown[]).includes(brand), bin)
      assert.ok((cardTypes as readonly unknown[]).includes(type), bin)
      assert.ok(family === '' || families.has(family as never), bin)
      assert.ok((segmentSlugs as readonly unknown[]).includes(segment), bin)
      assert.ok(isCountry(country), bin)
      assert.equal(country === 'TR', banks.has(Number(code)), bin)
      assert.equal(prepaid, '0', bin)
    }
  })
})

/** Published test cards: number, bank code, brand, type, family, and whether it is commercial. */
const published = `
5890040000000016 46 mastercard debit
5526080000000006 46 mastercard credit axess commercial
9792072000017956 46 troy credit axess
4766620000000001 134 visa debit
4603450000000000 134 visa credit bonus
4729150000000005 134 visa credit bonus
9792023757123604 111 troy debit cardfinans
9792020000000001 111 troy debit cardfinans
4987490000000002 111 visa debit cardfinans
5311570000000005 111 mastercard credit cardfinans
9792030000000000 111 troy credit cardfinans
5170410000000004 62 mastercard debit bonus
5400360000000003 62 mastercard credit bonus
374427000000003 62 amex credit bonus
4475050000000003 12 visa debit
5528790000000008 12 mastercard credit paraf
4059030000000009 123 visa debit cardfinans
5504720000000003 123 mastercard credit cardfinans
5892830000000000 64 mastercard debit
4543590000000006 64 visa credit maximum
4910050000000006 15 visa debit
4157920000000002 15 visa credit world
6500528865390837 15 troy debit
6501700194147183 15 troy credit world
5168880000000002 67 mastercard debit
5451030000000000 67 mastercard credit world
4054180000000007 0 visa debit
5400010000000004 0 mastercard credit
5406670000000009 64 mastercard credit maximum
5258640000000001 67 mastercard credit world
4043080000000003 62 visa credit bonus
4355084355084358 46 visa credit axess
5406675406675403 64 mastercard credit maximum
9792030394440796 111 troy credit cardfinans
5571135571135575 46 mastercard credit axess
4546711234567894 10 visa credit bankkart
5401341234567891 10 mastercard credit bankkart
4508034508034509 64 visa credit maximum commercial
6501738564461396 64 troy credit maximum
4022774022774026 111 visa credit cardfinans
5456165456165454 111 mastercard credit cardfinans
5404355404355405 12 mastercard credit paraf
4531444531442283 12 visa credit
5818775818772285 12 mastercard credit
4282209004348015 62 visa credit bonus
5549604173790011 62 mastercard credit bonus`

describe('test cards that gateways and banks publish', () => {
  it('are found with their bank, brand, type, family and segment', () => {
    for (const line of published.trim().split('\n')) {
      const [number = '', code, brand, type, family = '', segment = 'personal'] = line.split(' ')
      assert.ok(isChecked(number), `${number} has a wrong check digit`)
      const found = [8, 7, 6].map((length) => kinds.get(number.slice(0, length))).find(Boolean)
      assert.deepEqual(
        [found?.code, ...(found?.kind.slice(0, 4) ?? [])],
        [Number(code), brand, type, family, segment],
        number,
      )
    }
  })

  it('are not in the table if they only choose an outcome and belong to no bank', () => {
    for (const bin of ['411111', '412011', '412911', '413011', '413111', '414111', '415111'])
      assert.equal(kinds.get(bin), undefined)
  })
})

/** True if the Luhn check digit is correct. */
function isChecked(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
