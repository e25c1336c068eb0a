import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkKey, checkLanguage, checkPayment, readApiUrl } from './options.ts'
import { languageOf } from './texts.ts'
import { VezneError } from './vezne-error.ts'

/** Code and message of the thrown error. */
function refusal(act: () => unknown): [string, string] | undefined {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof VezneError)
    return [error.code, error.message]
  }
  return undefined
}

describe('options', () => {
  it('are accepted if they are valid or undefined', () => {
    const products = [{ product_name: 'Kahve', price: 18990 }]
    for (const options of [
      { amount: 18990 },
      { amount: 1, currency: 'try', products, product_ids: [], customer_id: 10000000000123, metadata: [] },
      {
        amount: 1,
        currency: undefined,
        pre_auth: true,
        description: '',
        redirect_url: 'https://a.example/b',
      },
      { amount: 1, display: 'redirect' },
      { payment_page_url: 'http://localhost:4243/p/x', display: 'frame' },
    ])
      assert.equal(
        refusal(() => checkPayment(options, 'en')),
        undefined,
        JSON.stringify(options),
      )
  })

  it('that are invalid are refused by name, in both languages', () => {
    const wrong: [string, unknown][] = [
      ...[undefined, 0, -5, 12.5, '18990', Number.NaN, 2 ** 53].map((amount): [string, unknown] => [
        'amount',
        { amount },
      ]),
      ['amount', undefined],
      ['currency', { amount: 1, currency: 'lira' }],
      ['display', { amount: 1, display: 'popup' }],
      ['products', { amount: 1, products: 'Kahve' }],
      ['redirect_url', { amount: 1, redirect_url: 'javascript:alert(1)' }],
      ['customer_id', { amount: 1, customer_id: 'c-1' }],
      ['pre_auth', { amount: 1, pre_auth: 'yes' }],
      ['ammount', { amount: 1, ammount: 1 }],
      ['constructor', { amount: 1, constructor: 1 }],
      ['payment_page_url', { payment_page_url: 'javascript:alert(1)' }],
      ['payment_page_url', { payment_page_url: 'https://shop:word@pay.example/p/x' }],
      ['payment_page_url', { payment_page_url: undefined }],
      ['amount', Object.create({ amount: 1 })],
      ['amount', Object.create({ payment_page_url: 'https://pay.example/p/x' })],
      ['amount', { payment_page_url: 'https://pay.example/p/x', amount: 1 }],
    ]
    for (const [name, options] of wrong) {
      const [code, tr] = refusal(() => checkPayment(options, 'tr')) ?? []
      const [, en] = refusal(() => checkPayment(options, 'en')) ?? []
      assert.equal(code, 'invalid_options', JSON.stringify(options))
      assert.ok(tr?.startsWith(`${name}: `) && en?.startsWith(`${name}: `) && tr !== en, `${tr} ${en}`)
    }
  })

  it('with a secret key are refused with a warning, and so is any other text than a public key', () => {
    const [code, message] = refusal(() => checkKey('sk_live_abc', 'en')) ?? []
    assert.equal(code, 'secret_key')
    assert.match(message ?? '', /must never be in a browser/)
    assert.ok(!message?.includes('abc'))
    for (const key of ['', 'pk_abc', 'pk_test_', undefined, 5, 'eyJhbGciOi'])
      assert.match(refusal(() => checkKey(key, 'en'))?.[1] ?? '', /^publicKey: /)
    assert.equal(
      refusal(() => checkKey('pk_test_abc', 'en')),
      undefined,
    )
  })

  it('need a web address of the API; a trailing slash is removed', () => {
    assert.equal(readApiUrl('http://localhost:4242//', 'en'), 'http://localhost:4242')
    for (const url of [undefined, '', 'localhost:4242', 'ftp://a.example', 'javascript:x', {}])
      assert.match(refusal(() => readApiUrl(url, 'en'))?.[1] ?? '', /^apiUrl: /)
  })

  it('set the language; without it the page’s language is used, otherwise Turkish', () => {
    assert.equal(languageOf('tr', 'en-GB'), 'tr')
    assert.equal(languageOf(undefined, 'en-GB'), 'en')
    assert.equal(languageOf(undefined, 'de'), 'tr')
    assert.equal(refusal(() => checkLanguage('de', 'en'))?.[0], 'invalid_options')
    assert.equal(refusal(() => checkLanguage('EN', 'en'))?.[0], 'invalid_options')
  })
})
