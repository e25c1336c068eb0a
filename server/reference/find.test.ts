import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Entry, Part } from './assets/find.js'
import { folded, hitsIn, searchTextOf } from './assets/find.js'

function part(name: string, about: string, codes: string[] = []): Part {
  const words = codes.length > 0 ? codes.map(folded).join(' ') : folded(name)
  const href = `#${name}`
  return { words, name, codes: codes.map(folded), isCode: true, about, searchText: searchTextOf(about), href }
}

function entry(title: string, about: string, parts: Part[], method = ''): Entry {
  return {
    words: folded(title),
    title,
    about,
    searchText: searchTextOf(about),
    href: `#${title}`,
    method,
    parts,
  }
}

const operation = entry(
  'Create refund',
  'Refunds part or all of a payment.',
  [part('amount', 'Amount in the minor unit.'), part('930', '', ['930'])],
  'POST',
)
const errors = entry('Errors', 'Decide by error_code.', [
  part('930 · 409', 'This transaction already has a refund without an outcome.', ['930']),
])
const codes = entry('Transaction codes', 'The last answer to a payment.', [
  part('51', 'Insufficient funds. Ask the payer to use another card.', ['51']),
  part('3DS-…-11', 'Suspected fraud.', ['3DS-N-11', '3DS-R-11']),
])
const page = [operation, errors, codes]

const found = (query: string) =>
  hitsIn(page, query).map(({ entry: { title }, parts }) => [title, parts.map(({ excerpt }) => excerpt)])

describe('the search of the reference', () => {
  it('finds an error code with its text first, and after it the operations that answer it', () => {
    assert.deepEqual(found('930'), [
      ['Errors', ['This transaction already has a refund without an outcome.']],
      ['Create refund', ['']],
    ])
  })

  it('finds a transaction code with its meaning, in any case of letters', () => {
    assert.deepEqual(found('51'), [
      ['Transaction codes', ['Insufficient funds. Ask the payer to use another card.']],
    ])
    assert.deepEqual(found('3ds-r-11'), [['Transaction codes', ['Suspected fraud.']]])
  })

  it('finds an operation by its name before the sentences that have the word', () => {
    assert.deepEqual(
      found('refund').map(([title]) => title),
      ['Create refund', 'Errors'],
    )
  })

  it('finds parts by name and sentences by the beginnings of their words', () => {
    assert.deepEqual(found('amount'), [['Create refund', ['']]])
    assert.deepEqual(found('insuff'), [['Transaction codes', ['Insufficient funds.']]])
  })

  it('finds nothing for an empty query and for a word that is not there', () => {
    assert.deepEqual([found(' '), found('zebra')], [[], []])
  })
})
