import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { activeTable } from './active-bins.ts'
import type { CardKind } from './card.ts'
import { replaceBins } from './replace-bins.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0', API_URL: 'https://api.vezne.example' } })
const backend = backendOf(api)
const lookUp = (query: string, headers = {}) => backend.get(`/v1/bin-lookup${query}`, headers)

const card: CardKind = {
  bankCode: 62,
  bankName: 'Garanti BBVA',
  brand: 'mastercard',
  type: 'credit',
  family: 'bonus',
  segment: 'personal',
  country: 'TR',
  prepaid: false,
}

/** Activates a table with these rows. */
async function use(rows: [prefix: number, kind: CardKind][]): Promise<void> {
  const { id } = await activeTable(api.services)
  const origin = { source: 'test', asOf: '2026-11-15' }
  await replaceBins(api.services, { origin, rows: new Map(rows) }, id)
}

await use([
  [540036, card],
  [5400367, { ...card, type: 'debit' }],
  [54003678, { ...card, type: 'debit', prepaid: true, brand: 'troy', bankCode: 0, bankName: 'Öncü Ödeme' }],
])

describe('200', () => {
  it('returns bank, brand and type of a BIN, without an envelope, in the order of the contract', async () => {
    const answer = await lookUp('?bin_number=54003600')
    assert.equal(answer.status, 200)
    assert.equal(
      answer.text,
      JSON.stringify({
        bank_code: 62,
        bank_name: 'Garanti BBVA',
        bank_image: 'https://api.vezne.example/banks/62.svg',
        bin_number: 54003600,
        card_brand: 'mastercard',
        card_brand_image_url: 'https://api.vezne.example/brands/mastercard.svg',
        card_type: 'creditcard',
      }),
    )
  })

  it('the longest matching prefix of a BIN wins', async () => {
    assert.equal((await lookUp('?bin_number=54003670')).json.card_type, 'debit')
    const { json } = await lookUp('?bin_number=54003678')
    assert.deepEqual([json.card_type, json.card_brand, json.bank_name], ['debit', 'troy', 'Öncü Ödeme'])
  })

  it('an issuer without a code has code 0 and a picture', async () => {
    const { json } = await lookUp('?bin_number=54003678')
    assert.deepEqual([json.bank_code, json.bank_image], [0, 'https://api.vezne.example/banks/0.svg'])
  })

  it('a new table takes effect on every instance after one refresh of the cache', async () => {
    const other = await testApi({ database: api.database })
    const brandOf = async () =>
      (await backendOf(other).get('/v1/bin-lookup?bin_number=41579200')).json?.card_brand
    assert.equal(await brandOf(), undefined)
    await use([
      [540036, card],
      [415792, { ...card, brand: 'visa' }],
    ])
    assert.equal(await brandOf(), 'visa')
    assert.equal((await lookUp('?bin_number=41579200')).json.card_brand, 'visa')
  })

  it('an unknown parameter is ignored', async () => {
    assert.equal((await lookUp('?bin_number=54003600&country=TR')).status, 200)
  })
})

describe('401', () => {
  it('without a token nothing is shown', async () => {
    const answer = await api.call({ url: '/v1/bin-lookup?bin_number=54003600' })
    assert.deepEqual([answer.status, answer.json.error_code], [401, 910])
  })
})

describe('403', () => {
  it('a token made from a public key shows nothing', async () => {
    const token = await api.token(api.publicKey)
    const answer = await api.call({ url: '/v1/bin-lookup?bin_number=54003600', token })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('404', () => {
  it('a BIN without a matching row is not found', async () => {
    const { status, json } = await lookUp('?bin_number=99999999', { 'accept-language': 'en' })
    assert.equal(status, 404)
    assert.deepEqual([json.error_code, json.message, json.errors], [920, 'There is no such resource.', []])
  })
})

describe('422', () => {
  const errorsOf = async (query: string, language: string) => {
    const { status, json } = await lookUp(query, { 'accept-language': language })
    assert.deepEqual([status, json.error_code], [422, 901], query)
    return json.errors
  }

  it('a value that is not eight digits gets one complaint, which never repeats it', async () => {
    const wrong = [
      '5400360',
      '540036001',
      '5400360000000003',
      '05400360',
      '5400360x',
      '54003600.0',
      '5,4003600',
    ]
    for (const bin of [
      ...wrong,
      '-54003600',
      '5400%203600',
      '%2054003600',
      '5e7',
      '0',
      '99999999999999999999',
    ]) {
      assert.deepEqual(
        await errorsOf(`?bin_number=${bin}`, 'en'),
        { bin_number: ['Must be exactly 8 digits and must not begin with 0.'] },
        bin,
      )
    }
    assert.deepEqual(await errorsOf('?bin_number=1', 'tr'), {
      bin_number: ['Tam olarak 8 haneli olmalı, yalnızca rakamlardan oluşmalı ve 0 ile başlamamalıdır.'],
    })
  })

  it('a missing, blank or repeated BIN is refused', async () => {
    for (const query of ['', '?bin_number=', '?bin_number=%20', '?bin=54003600']) {
      assert.deepEqual(await errorsOf(query, 'en'), { bin_number: ['This field is required.'] }, query)
    }
    assert.deepEqual(await errorsOf('?bin_number=54003600&bin_number=54003600', 'en'), {
      bin_number: ['Must be a single value; more than one was sent.'],
    })
  })
})
