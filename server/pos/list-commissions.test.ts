import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { createMerchant } from '../merchants/index.ts'
import { changePos } from './change-pos.ts'
import { ensureDemoPos } from './demo-pos.ts'
import { endRates } from './end-rates.ts'
import { setRates } from './set-rates.ts'
import { posOfMerchant } from './store.ts'

const api = await testApi()
const backend = backendOf(api)
const url = '/v1/pos/commissions'
const bonusBin = 40430800
const worldBin = 54510300
const unknownBin = 99999999

interface Entry {
  id: number
  installment: number
  commission_rate: number
  commission_by: number
  company_pos_credential_id: number
  company_pos_credential: { state: string }
  card_family: { slug: string; name: string }
  card_segment_type: { slug: string; name: string }
}

const countsOf = (entries: Entry[]) => entries.map(({ installment }) => installment)
const entriesFor = async (bin: number): Promise<Entry[]> =>
  (await backend.json(url, { bin_number: bin })).json

/** POS of the bank with this card family. */
async function posOf(family: 'bonus' | 'world') {
  const all = await posOfMerchant(api.services.sql, api.merchant.id)
  const found = all.find(({ families }) => families.includes(family))
  assert.ok(found)
  return found
}

before(() => ensureDemoPos(api.services, api.merchant))

describe('200', () => {
  it('an empty request gets every rate of every POS, with the field names of the contract', async () => {
    const { status, json } = await backend.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'accept-language': 'tr' },
    })
    assert.equal(status, 200)
    assert.equal(json.length, 2 * (2 * 6 + 2))
    const pos = await posOf('bonus')
    assert.deepEqual(json[2], {
      id: json[2].id,
      company_pos_credential_id: pos.id,
      merchant_id: api.merchant.id,
      installment: 3,
      commission_rate: 4.29,
      commission_by: 1,
      commission_by_text: 'Üye iş yeri',
      created_at: '2026-11-15T09:30:00+03:00',
      updated_at: '2026-11-15T09:30:00+03:00',
      company_pos_credential: {
        id: pos.id,
        name: 'Deneme Bonus POS',
        bank_code: 62,
        bank_name: 'Garanti BBVA',
        currencies: ['TRY', 'USD', 'EUR'],
        state: 'active',
      },
      card_family: {
        name: 'Bonus',
        slug: 'bonus',
        logo_url: 'http://localhost:4242/families/bonus.svg',
        created_at: '2026-11-15T09:30:00+03:00',
        updated_at: '2026-11-15T09:30:00+03:00',
      },
      card_segment_type: {
        name: 'Bireysel',
        slug: 'personal',
        created_at: '2026-11-15T09:30:00+03:00',
        updated_at: '2026-11-15T09:30:00+03:00',
      },
    })
  })

  it('texts are in the requested language', async () => {
    const { json } = await backend.json(url, {}, { 'accept-language': 'en' })
    const texts = new Set(
      json.flatMap((entry: Entry) => [entry.card_segment_type.name, entry.card_family.name]),
    )
    assert.deepEqual([...texts], ['Personal', 'Bonus', 'Commercial', 'Other cards', 'World'])
    assert.equal(json[0].commission_by_text, 'Merchant')
  })

  it('a BIN in the query, in JSON, in a form, or in both places returns only the rates of that card', async () => {
    const answers = [
      await backend.send({ method: 'POST', url: `${url}?bin_number=${bonusBin}` }),
      await backend.json(url, { bin_number: bonusBin }),
      await backend.json(url, { bin_number: String(bonusBin) }),
      await backend.form(url, { bin_number: String(bonusBin) }),
      await backend.form(`${url}?bin_number=${bonusBin}`, { bin_number: String(bonusBin) }),
    ]
    for (const { status, json } of answers) {
      assert.equal(status, 200)
      assert.deepEqual(json, answers[0]?.json)
    }
    const entries: Entry[] = answers[0]?.json
    assert.deepEqual(countsOf(entries), [1, 2, 3, 6, 9, 12])
    for (const entry of entries) {
      assert.deepEqual([entry.card_family.slug, entry.card_segment_type.slug], ['bonus', 'personal'])
    }
  })

  it('cards of the other bank get its rates, which the customer bears from two installments on', async () => {
    const entries = await entriesFor(worldBin)
    assert.deepEqual(countsOf(entries), [1, 2, 3, 6, 9, 12])
    assert.ok(entries.every(({ card_family }) => card_family.slug === 'world'))
    assert.deepEqual(
      entries.map(({ commission_by }) => commission_by),
      [1, 2, 2, 2, 2, 2],
    )
  })

  it('an unknown BIN gets an empty list', async () => {
    assert.deepEqual(await entriesFor(unknownBin), [])
  })

  it('a merchant without a POS gets an empty list', async () => {
    const other = await createMerchant(api.services, { name: 'Komşu Mağaza' })
    const token = await api.token(other.secretKey)
    const { status, json } = await api.call({ method: 'POST', url, token })
    assert.deepEqual([status, json], [200, []])
  })

  it('a POS that accepts no payments is listed with its state, but not for a card', async () => {
    const pos = await posOf('world')
    await changePos(api.services, { pos: pos.id, state: 'refund_only' }, undefined)
    const { json } = await backend.json(url, {})
    const states = new Set(json.map((entry: Entry) => entry.company_pos_credential.state))
    assert.deepEqual([...states], ['active', 'refund_only'])
    const entries = await entriesFor(worldBin)
    assert.deepEqual(
      entries.map(({ installment, card_family }) => [installment, card_family.slug]),
      [[1, 'other']],
    )
    await changePos(api.services, { pos: pos.id, state: 'active' }, undefined)
  })

  it('a merchant without installments gets single payments only', async () => {
    const { services, merchant } = api
    await services.sql.run(sql`update merchants set supports_installment = false where id = ${merchant.id}`)
    await services.sql.run(sql`update merchant_changes set count = count + 1`)
    assert.deepEqual(countsOf(await entriesFor(bonusBin)), [1])
    const offer = await runTypedCommand(services, [
      'offer',
      '--bin',
      String(bonusBin),
      '--amount',
      '10000',
      '--merchant',
      String(merchant.id),
    ])
    assert.match(
      offer,
      /Only a single payment is possible\. The merchant offers no installments.\n.*\n1 [^\n]*$/,
    )
    await services.sql.run(sql`update merchants set supports_installment = true where id = ${merchant.id}`)
    await services.sql.run(sql`update merchant_changes set count = count + 1`)
  })

  it('a future rate appears at its start, and an ended one disappears', async () => {
    const pos = await posOf('bonus')
    const from = { instantMs: api.clock.now().getTime() + 60_000, precisionMs: 1 }
    const rate = [{ installment: 3, rate: 50_000 }]
    const [set] = await setRates(api.services, api.merchant, {
      pos: pos.id,
      family: 'bonus',
      segment: 'personal',
      rate,
      from,
    })
    await endRates(api.services, api.merchant, { pos: pos.id, family: 'bonus', installment: [12], from })
    const threeOf = (entries: Entry[]) => entries.find(({ installment }) => installment === 3)
    api.clock.advance(59_999)
    assert.equal(threeOf(await entriesFor(bonusBin))?.commission_rate, 4.29)
    api.clock.advance(1)
    const entries = await entriesFor(bonusBin)
    assert.deepEqual(countsOf(entries), [1, 2, 3, 6, 9])
    assert.deepEqual([threeOf(entries)?.commission_rate, threeOf(entries)?.id], [5, set?.id])
  })

  it('no response contains a secret', async () => {
    const { text } = await backend.json(url, {})
    assert.doesNotMatch(text, /secret|password|terminal/i)
  })
})

describe('401 and 403', () => {
  it('a request without a token, or with a token of the public key, is refused', async () => {
    assert.equal((await api.call({ method: 'POST', url })).status, 401)
    const answer = await api.call({ method: 'POST', url, token: await api.token(api.publicKey) })
    assert.deepEqual([answer.status, answer.json.error_code], [403, 912])
  })
})

describe('422', () => {
  it('a value that is not eight digits is refused by name, wherever it is sent', async () => {
    for (const wrong of [
      '4043080',
      '404308000',
      '4043080a',
      ' 40430800',
      '04043080',
      '40430800.0',
      '-4043080',
    ]) {
      const answers = [
        await backend.send({ method: 'POST', url: `${url}?bin_number=${encodeURIComponent(wrong)}` }),
        await backend.json(url, { bin_number: wrong }),
        await backend.form(url, { bin_number: wrong }),
      ]
      for (const { status, json } of answers) {
        assert.deepEqual(
          [status, json.error_code, Object.keys(json.errors)],
          [422, 901, ['bin_number']],
          wrong,
        )
      }
    }
  })

  it('two different BINs in one request are refused', async () => {
    const { status, json } = await backend.form(`${url}?bin_number=${bonusBin}`, {
      bin_number: String(worldBin),
    })
    assert.deepEqual([status, Object.keys(json.errors)], [422, ['bin_number']])
  })
})
