import assert from 'node:assert/strict'
import { it } from 'node:test'
import { authenticationCards, cards } from '../../../sandbox/index.ts'
import { testCards, testCardsPart } from './test-cards.ts'

it('every test card of the page exists in the sandbox and does what its label says', () => {
  const does = new Map([...cards, ...authenticationCards].map((card) => [card.number, card.does.en]))
  assert.deepEqual(
    testCards.map(({ number, label }) => [label.en, does.get(number)]),
    [
      ['Approved', 'Authenticates without asking for a code.'],
      ['Verify', 'Asks for a code. The right code authenticates.'],
      ['Installments', 'Approves (Bonus credit card).'],
      ['No funds', 'Insufficient funds.'],
      ['TROY', 'Asks for a code. The right code authenticates.'],
    ],
  )
})

it('a test card is valid at any start time of the payment', () => {
  for (const [year, expiry] of [
    ['2026', '12/29'],
    ['2098', '12/01'],
  ])
    assert.ok(
      testCardsPart(new Date(`${year}-12-31T23:59:59Z`), 'tr').text.includes(`data-expiry="${expiry}"`),
    )
})
