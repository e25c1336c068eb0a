import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { isLuhnValid } from '../../kit/money/card.ts'
import { root } from '../../testing/harness/process.ts'
import type { TestCard } from '../index.ts'
import { authenticationCards, cards, nestpayCards } from '../index.ts'
import { otherAmountCards } from './other-amount-cards.ts'

const page = readFileSync(join(root, 'docs/integrate/test-cards.md'), 'utf8')
const bins = readFileSync(join(root, 'server/bins/default.csv'), 'utf8')

describe('the test cards', () => {
  it('are all listed in the documentation, in this order', () => {
    const rows = page.split('\n').filter((line) => /^\| \d/.test(line))
    const rowOf = ({ number, does, outcome }: Pick<TestCard, 'number' | 'does' | 'outcome'>) =>
      `| ${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')} | ${does.en} | ${outcome.en} |`
    assert.deepEqual(rows, [...authenticationCards, ...cards, ...nestpayCards].map(rowOf))
  })

  it('are valid card numbers, and each is listed once', () => {
    const numbers = [...cards, ...authenticationCards, ...nestpayCards].map(({ number }) => number)
    for (const number of numbers) assert.ok(isLuhnValid(number), number)
    assert.equal(new Set(numbers).size, numbers.length)
    const names = cards.flatMap(({ fault }) => fault?.name ?? [])
    assert.equal(new Set(names).size, names.length)
  })

  it('with a fault are in a range outside the BIN table, except the cards of the POS that echoes no amount', () => {
    assert.doesNotMatch(bins, /^4190/m)
    const own = cards.filter(({ fault }) => fault && fault.undoing !== 'not permitted')
    for (const card of own)
      assert.match(card.number, otherAmountCards.includes(card) ? /^54510300000004/ : /^41900000/)
  })
})
