import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseUntrustedJson } from '../../kit/text/json.ts'
import { testPayer, typedPayer } from '../../testing/harness/payer.ts'
import { readPayer } from './read-payer.ts'
import { payerFieldErrorTexts } from './texts/texts.ts'

/** Names of the invalid fields. Each must have its own error text. */
function faultsOf(more: object): string[] {
  const read = readPayer({ ...typedPayer, ...more })
  if (!(read instanceof Map)) return []
  for (const [field, sentence] of read) assert.equal(sentence, payerFieldErrorTexts[field])
  return [...read.keys()]
}

describe('the payer’s data', () => {
  it('is read as typed, trimmed and in normal form', () => {
    assert.deepEqual(readPayer(typedPayer), testPayer)
    const untidy = { name: ' Is\u0327ık ', lastname: 'O\u0308ztu\u0308rk\t', country: ' tr ' }
    assert.deepEqual(readPayer({ ...typedPayer, ...untidy, email: ` ${typedPayer.email}\n` }), testPayer)
  })

  it('has the country that was chosen, whatever the phone’s country is', () => {
    const read = readPayer({ ...typedPayer, country: 'de', phone: '+90 532 123 45 67' })
    assert.deepEqual(read, { ...testPayer, country: 'DE' })
  })

  it('has the same length limits as a merchant’s customers', () => {
    for (const field of ['name', 'lastname']) {
      assert.deepEqual(faultsOf({ [field]: 'ş'.repeat(100) }), [])
      assert.deepEqual(faultsOf({ [field]: '😀'.repeat(100) }), [], 'as people count')
      assert.deepEqual(faultsOf({ [field]: 'ş'.repeat(101) }), [field])
    }
    const domain = `${'a'.repeat(60)}.`.repeat(4)
    assert.deepEqual(faultsOf({ email: `${'a'.repeat(5)}@${domain}com` }), [])
    assert.deepEqual(faultsOf({ email: `${'a'.repeat(20)}@${domain}com` }), ['email'])
  })
})

describe('an error is reported for its own field', () => {
  const fields = ['name', 'lastname', 'email', 'phone', 'country'] as const

  it('if it is empty or has no visible character', () => {
    assert.deepEqual([...(readPayer({}) as Map<string, unknown>).keys()], fields)
    for (const field of fields)
      for (const blank of ['', ' ', '\u200b', '\u3164\t', null, undefined])
        assert.deepEqual(faultsOf({ [field]: blank }), [field])
  })

  it('if it is no string', () => {
    const others = parseUntrustedJson('[5321234567, 1e400, true, [], ["TR"], {}, {"0": "TR"}]') as unknown[]
    for (const field of fields)
      for (const other of others)
        assert.deepEqual(faultsOf({ [field]: other }), [field], `${field}: ${other}`)
  })

  it('if it holds a control character or a lone surrogate', () => {
    for (const field of fields)
      for (const broken of ['\0', '\u001b[2J', '\u0085', '\u007f', '\ud83d'])
        for (const misplaced of [`${broken}${typedPayer[field]}`, `${typedPayer[field]}${broken}`])
          assert.deepEqual(faultsOf({ [field]: misplaced }), [field], JSON.stringify(misplaced))
  })

  it('if it holds a card number, which would be stored with the customer', () => {
    const number = '4111 1111 1111 1111'
    for (const field of ['name', 'lastname'])
      for (const typed of [number, `Ayşe ${number.replaceAll(' ', '-')}`, '４１１１１１１１１１１１１１１１'])
        assert.deepEqual(faultsOf({ [field]: typed }), [field], typed)
    const groups = number.split(' ')
    const arabic = [...number].map((digit) =>
      digit === ' ' ? ' ' : String.fromCharCode(0x660 + Number(digit)),
    )
    for (const typed of [
      ...['   ', ' - ', ' . ', '\u200b\u200b\u200b'].map((gap) => groups.join(gap)),
      arabic.join(''),
    ])
      assert.deepEqual(faultsOf({ name: typed }), ['name'], typed)
    for (const gap of ['', '.', '_'])
      assert.deepEqual(faultsOf({ email: `${groups.join(gap)}@b.example` }), ['email'])
    assert.deepEqual(faultsOf({ name: 'Ayşe 2', email: 'a.1234567890@b.example' }), [])
    // Thirteen of its digits form a valid card number.
    assert.deepEqual(faultsOf({ email: 'isik-10000000000034@b.example' }), [])
  })

  it('if it is too long', () => {
    for (const field of fields)
      assert.deepEqual(faultsOf({ [field]: typedPayer[field].repeat(10_000) }), [field])
  })

  it('if it is no valid e-mail address, phone number or country', () => {
    const addresses = [
      'a',
      'a@b',
      'a@b.',
      '@b.example',
      'a b@c.example',
      'ayşe@b.example',
      'a@b.c',
      '"a"@b.example',
    ]
    for (const email of addresses) assert.deepEqual(faultsOf({ email }), ['email'], email)
    for (const phone of ['1', '0532', '+90', '+1 532 123 45 67', 'phone', "'; drop table customers; --"])
      assert.deepEqual(faultsOf({ phone }), ['phone'], phone)
    for (const country of ['ZZ', 'EU', 'TUR', 'T', '90', 'ß', 'İT']) {
      assert.deepEqual(faultsOf({ country }), ['country'], country)
      assert.deepEqual(faultsOf({ country, phone: '' }), ['phone', 'country'])
    }
  })
})
