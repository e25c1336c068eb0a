import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { foldedWordsOf, foldForSearch, tsqueryOf, tsvectorOf } from './full-text-search.ts'

describe('folded text', () => {
  it('ignores case and Turkish letters, in both directions', () => {
    const spellings = [
      ['isik', 'Işık', 'ISIK', 'ışık', 'IŞIK', 'İSİK', 'I\u0307s\u0327ik'],
      ['istanbul', 'İstanbul', 'ISTANBUL', 'ıstanbul', 'İSTANBUL', 'Istanbul'],
      ['gusoc', 'ğüşöç', 'ĞÜŞÖÇ', 'GUSOC', 'g\u0306u\u0308s\u0327o\u0308c\u0327'],
    ]
    for (const [plain, ...others] of spellings) {
      for (const other of others) assert.equal(foldForSearch(other), plain, other)
    }
  })

  it('ignores accents of other languages, and splits ligatures into two letters', () => {
    assert.equal(foldForSearch('Ångström Žižek Łódź Đorđe Søren'), 'angstrom zizek lodz dorde soren')
    assert.equal(foldForSearch('Straße ẞ Æsir œuvre Þór'), 'strasse ss aesir oeuvre thor')
  })

  it('has one form of the Greek sigma, so that a prefix may end with it', () => {
    assert.ok(foldForSearch('Κώστας').startsWith(foldForSearch('ΚΩΣ')))
  })

  it('does not change: if it does, the words of all stored records must be written again', () => {
    const letters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
    assert.equal(
      hash('sha256', letters.map(foldForSearch).join('|')),
      '4a6785abd37099a80e44e59a806c4cc657ebe8bebee93093876ed1e0d8306415',
    )
  })

  it('stays the same when it is folded again, for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => foldForSearch(foldForSearch(text)) === foldForSearch(text),
      ),
    )
  })
})

describe('words', () => {
  it('are separated by everything that is not a letter or digit, without duplicates', () => {
    assert.deepEqual(foldedWordsOf('Moda Cad. No:12/3, moda'), ['moda', 'cad', 'no', '12', '3'])
    assert.deepEqual(foldedWordsOf('o’brien+shop@example.com'), ['o', 'brien', 'shop', 'example', 'com'])
    assert.deepEqual(foldedWordsOf(' … !'), [])
    assert.deepEqual(foldedWordsOf(null), [])
  })
})

describe('lexemes', () => {
  it('begin with the merchant and the field, so that merchants and fields do not mix', () => {
    const merchant = 10_000_000_000_001
    const written = "'t2ptnayse'"
    assert.equal(tsvectorOf(merchant, { n: ['ayse'] }), written)
    assert.equal(tsqueryOf(merchant, [{ fields: ['n'], word: 'ayse', whole: true }]), `(${written})`)
    assert.notEqual(tsvectorOf(merchant + 1, { n: ['ayse'] }), written)
    const marks = [36 ** 4, 36 ** 4 + 1, 99_999_999_999_999].map((id) => tsvectorOf(id, { n: [''] }).length)
    assert.deepEqual(marks, [7, 7, 7], 'no merchant’s beginning is the beginning of another’s')
  })

  it('of a query are all required, each in any of its fields, or all of its alternative', () => {
    const m = '0000'
    const query = tsqueryOf(36 ** 8, [
      { fields: ['a', 'b'], word: 'x' },
      { fields: ['c'], word: 'y', whole: true, or: [{ fields: ['d'], word: 'z' }] },
    ])
    assert.equal(query, `('${m}ax':*|'${m}bx':*)&('${m}cy'|(('${m}dz':*)))`)
  })

  it('are cut only where PostgreSQL would refuse them', () => {
    const [long, other] = ['x'.repeat(40), `${'x'.repeat(39)}y`]
    assert.notEqual(tsvectorOf(1, { n: [long] }), tsvectorOf(1, { n: [other] }))
    assert.ok(Buffer.byteLength(tsvectorOf(1, { n: ['漢'.repeat(1000)] })) < 2046)
  })

  it('may contain quotes and backslashes', () => {
    const m = '0000'
    assert.equal(tsvectorOf(36 ** 8, { m: ["o'brien\\@example.com"] }), `'${m}mo''brien\\\\@example.com'`)
  })
})
