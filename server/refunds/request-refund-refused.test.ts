import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { displayTime, isoTime } from '../../kit/text/zoned-time.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { bonusCard, preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { createMerchant, setMerchantState } from '../merchants/index.ts'

const till = await testTill()
const { services, merchant } = till
const backend = backendOf(till)
const { paid, ask, asked, refunded, refundsOf, withManualReview, decide } = refundActions(till)
const url = '/v1/transaction/refund'
const minuteMs = 60_000
const english = { 'accept-language': 'en' }

describe('403', () => {
  it('a token of a public key cannot refund', async () => {
    const token = await till.token(till.publicKey)
    const form = `transaction_id=${await paid()}&description=x`
    const { status, json } = await till.call({ method: 'POST', url, token, form })
    assert.deepEqual([status, json.error_code], [403, 912])
  })

  it('a suspended merchant cannot refund', async () => {
    const id = await paid()
    const token = await till.token()
    await setMerchantState(services, merchant.id, 'suspended')
    const form = `transaction_id=${id}&description=x`
    const { status, json } = await till.call({ method: 'POST', url, token, form })
    await setMerchantState(services, merchant.id, 'active')
    assert.deepEqual([status, json.error_code], [403, 913])
    assert.deepEqual(await refundsOf(id), [])
  })
})

describe('409', () => {
  it('930 while another refund is under review or at the bank', async () => {
    const id = await paid()
    await withManualReview(async () => {
      await asked(id, 1_000)
      const refused = await ask(id, { amount: '1000' })
      assert.deepEqual(
        [refused.status, refused.json.error_code, refused.json.message, refused.json.errors],
        [
          409,
          930,
          'This transaction already has a refund without an outcome. The refund is under review.',
          [],
        ],
      )
      const turkish = await ask(id, {}, { 'accept-language': 'tr' })
      assert.equal(
        turkish.json.message,
        'Bu işlemin henüz sonuçlanmamış bir iade talebi var. Talep incelemede.',
      )
      await decide(id, 'approve')
    })
    assert.equal((await refundsOf(id))[0]?.state, 'approved')
    // An amount that is too high gets 930 too, because it may fit after the outcome of the open refund.
    assert.equal((await ask(id, { amount: '99999999999' })).json.error_code, 930)
    await till.pass(0)
    assert.equal((await ask(id, { amount: '1000' })).status, 200)
  })

  it('930 names the time of a review by rules, and `Retry-After` the seconds until then', async () => {
    const id = await paid()
    await asked(id, 1_000)
    const at = new Date(Math.ceil((till.clock.now().getTime() + 2_000) / 1000) * 1000)
    const seconds = at.getUTCSeconds() > 0 ? `:${isoTime(at, merchant.timeZone).slice(17, 19)}` : ''
    const time = `${displayTime(at, merchant.timeZone)}${seconds}`
    const { json, headers } = await ask(id)
    assert.match(
      json.message,
      new RegExp(`outcome\\. The refund is under review. The automatic review is at ${time}\\.$`),
    )
    assert.equal(headers['retry-after'], '2')
    const turkish = await ask(id, {}, { 'accept-language': 'tr' })
    assert.match(turkish.json.message, new RegExp(`Otomatik inceleme ${time} tarihinde yapılacak\\.$`))
    till.clock.advance(2_000)
    const due = await ask(id)
    assert.match(due.json.message, /a refund without an outcome\. The refund is under review\.$/)
    assert.equal(due.headers['retry-after'], undefined)
    await till.pass(0)
  })

  const resolve = (id: number, status: string) =>
    backend.form('/v1/transaction/resolve-pre-auth', { transaction_id: String(id), status })
  const held = () => paid(bonusCard, preAuthForm)

  const states: Record<string, () => Promise<number>> = {
    open: () => till.start(),
    authenticating: async () => {
      const id = await till.start()
      await till.submit(id, bonusCard)
      return id
    },
    authorizing: () => paid('4190000000000101'),
    failed: async () => {
      const id = await till.start()
      for (let attempt = 1; attempt <= 5; attempt++) await till.pay(id, '4111111111111129')
      return id
    },
    expired: async () => {
      const id = await till.start()
      await till.pass(31 * minuteMs)
      return id
    },
    held,
    capturing: async () => {
      const id = await held()
      await resolve(id, 'true')
      return id
    },
    releasing: async () => {
      const id = await held()
      await resolve(id, 'false')
      return id
    },
    released: async () => {
      const id = await held()
      await resolve(id, 'false')
      await till.pass(0)
      return id
    },
    refunded: async () => {
      const id = await paid()
      await refunded(id)
      return id
    },
  }
  for (const [state, inState] of Object.entries(states)) {
    it(`931 for a transaction in state ${state}`, async () => {
      const id = await inState()
      const refused = await ask(id, { amount: '1' })
      assert.deepEqual(
        [refused.status, refused.json.error_code, refused.json.message],
        [409, 931, 'This transaction cannot be refunded in its current state.'],
      )
      const turkish = await ask(id, {}, { 'accept-language': 'tr' })
      assert.equal(turkish.json.message, 'Bu işlem iade edilebilecek durumda değil.')
      assert.ok((await refundsOf(id)).every((refund) => refund.state === 'executed'))
    })
  }
})

describe('422', () => {
  it('a blank amount is refused, because a missing amount means a full refund', async () => {
    const id = await paid()
    for (const blank of ['', '  ']) {
      const { status, json } = await ask(id, { amount: blank })
      assert.deepEqual([status, Object.keys(json.errors)], [422, ['amount']])
    }
    const { status } = await backend.json(url, { transaction_id: id, amount: null, description: 'x' })
    assert.equal(status, 422)
    assert.deepEqual(await refundsOf(id), [])
  })

  const errorsOf = async (fields: Record<string, string>) => {
    const { status, json } = await backend.form(url, fields, english)
    assert.deepEqual([status, json.status, json.error_code, json.data], [422, false, 901, null])
    return json.errors
  }

  const wrong: Record<string, readonly string[]> = {
    transaction_id: ['', 'x', '1', '1.5', '99999999999999', '-10000000000001'],
    amount: ['0', '-1', '12.50', '1e3', '01', 'x', '100000000000'],
    description: ['', ' ', 'x'.repeat(1001), 'a\0b', '\u001b[31m'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    it(`901 for every invalid ${name}`, async () => {
      const right = { transaction_id: String(await paid()), amount: '100', description: 'x' }
      for (const value of values)
        assert.deepEqual(Object.keys(await errorsOf({ ...right, [name]: value })), [name], value)
      assert.deepEqual(await refundsOf(Number(right.transaction_id)), [])
    })
  }

  it('901 names all missing, unreadable and unknown parameters in one response', async () => {
    assert.deepEqual(Object.keys(await errorsOf({ amount: 'x' })), [
      'transaction_id',
      'amount',
      'description',
    ])
    const unknown = await errorsOf({ transaction_id: '99999999999999', amount: '0' })
    assert.deepEqual(Object.keys(unknown).toSorted(), ['amount', 'description', 'transaction_id'])
    assert.deepEqual(unknown.transaction_id, ['There is no transaction with this ID.'])
  })

  it('901 for another merchant’s transaction, exactly as for an unknown one', async () => {
    const neighbour = await createMerchant(services, { name: 'Komşu' })
    const token = await till.token(neighbour.secretKey)
    const send = (id: number, language: string) =>
      till.call({
        method: 'POST',
        url,
        token,
        form: `transaction_id=${id}&description=x`,
        headers: { 'accept-language': language },
      })
    const id = await paid()
    for (const [language, sentence] of [
      ['tr', 'Bu numarayla bir işlem yok.'],
      ['en', 'There is no transaction with this ID.'],
    ] as const) {
      const [theirs, nobodys] = [await send(id, language), await send(99_999_999_999_999, language)]
      assert.deepEqual([theirs.status, theirs.text], [422, nobodys.text])
      assert.deepEqual(theirs.json.errors, { transaction_id: [sentence] })
    }
  })

  it('901 names the refundable amount if the amount exceeds it, also without an amount', async () => {
    const id = await paid()
    const above = { transaction_id: String(id), description: 'x' }
    assert.deepEqual(await errorsOf({ ...above, amount: '10001' }), {
      amount: ['Exceeds the refundable amount: at most 10000 (100.00 TRY).'],
    })
    await refunded(id, 4_001)
    const left = ['Exceeds the refundable amount: at most 5999 (59.99 TRY).']
    assert.deepEqual(await errorsOf({ ...above, amount: '6000' }), { amount: left })
    assert.deepEqual(await errorsOf(above), { amount: left })
    const turkish = await ask(id, {}, { 'accept-language': 'tr' })
    assert.deepEqual(turkish.json.errors, {
      amount: ['İade edilebilecek tutarı aşıyor: en fazla 5999 (59,99 TRY) iade edilebilir.'],
    })
    assert.deepEqual(await errorsOf({ transaction_id: String(id), amount: '6000' }), {
      amount: left,
      description: ['This field is required.'],
    })
    await asked(id, 5_999)
  })
})
