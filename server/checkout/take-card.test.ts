import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { typedPayer } from '../../testing/harness/payer.ts'
import { bankDifferences } from '../../testing/invariants/bank-differences.ts'
import { integrityViolations } from '../../testing/invariants/consistency.ts'
import { testPages } from '../../testing/till/page.ts'
import { createMerchant } from '../merchants/index.ts'
import { setMerchantState } from '../merchants/suspend-merchant.ts'
import { cardFieldErrorTexts, payerFieldErrorTexts } from './texts/texts.ts'

const page = await testPages()
const backend = backendOf(page)
const { sql: database } = page.services
const bonus = '5400360000000003'
const world = '5451030000000000'

/** States of a payment's attempts, oldest first. */
async function attemptsOf(id: number): Promise<string[]> {
  const query = sql`select state from payment_attempts where payment_id = ${id} order by number`
  return (await database.many<{ state: string }>(query)).map(({ state }) => state)
}

async function customerOf(id: number): Promise<number | null> {
  const query = sql`select customer_id as customer from payments where id = ${id}`
  return (await database.one<{ customer: number | null }>(query)).customer
}

async function customerCount(): Promise<number> {
  return (await database.one<{ count: number }>(sql`select count(*)::int as count from customers`)).count
}

async function searchCustomers(filters: string) {
  return (await backend.get(`/v1/customers/search?${filters}`)).json
}

describe('200', () => {
  it('a card leads to the bank’s step, and no response repeats it', async () => {
    const { path } = await page.open()
    const { status, json, text } = await page.sendCard(path, '5400 3600 0000 0003')
    const standing = (await page.get(`${path}/status`)).json
    assert.equal(standing.canGoOn, true)
    assert.deepEqual([status, json], [200, { next: 'bank_frame', standing }])
    assert.doesNotMatch(text, /540036/)
  })

  it('the payer becomes a customer of the merchant, can be searched for, and is shown on no page', async () => {
    const { path, id } = await page.open()
    const payer = { name: 'Çağrı', lastname: 'Iğdır', email: 'cagri@example.com', phone: '0533 000 00 01' }
    const taken = await page.sendCard(path, bonus, { ...payer, country: 'tr' })
    assert.equal(taken.json.next, 'bank_frame')
    const [customer, ...others] = await searchCustomers(
      'name=cagri&lastname=%C4%B1%C4%9FDIR&phone=5330000001',
    )
    assert.deepEqual(others, [])
    const { name, lastname, email, phone, phone_code, country, city, metadata, timeline } = customer
    assert.deepEqual({ name, lastname, email, phone }, { ...payer, phone: '+905330000001' })
    assert.deepEqual([phone_code, country, city, metadata], ['+90', 'TR', null, []])
    assert.equal(customer.created_via_payment, true)
    assert.deepEqual(
      timeline.map(({ type }: { type: string }) => type),
      ['created'],
    )
    assert.equal(await customerOf(id), customer.id)
    for (const shown of [taken, await page.get(path), await page.get(`${path}/status`)])
      assert.doesNotMatch(shown.text, /Çağrı|Iğdır|cagri@|5330000001/)
  })

  it('each payment without a customer creates one, even with equal data', async () => {
    const payer = { email: 'the.same@example.com' }
    const opened = [await page.open(), await page.open()]
    for (const { path } of opened) await page.sendCard(path, bonus, payer)
    assert.equal((await searchCustomers('email=the.same@example.com')).length, 2)
    const [one, other] = await Promise.all(opened.map(({ id }) => customerOf(id)))
    assert.notEqual(one, other)
  })

  it('a payment with a customer asks for no payer data and ignores any that is sent', async () => {
    const { json: customer } = await backend.json('/v1/customers', { ...typedPayer, phone: '+905321234567' })
    const { path, id } = await page.open(`amount=10000&currency=TRY&customer_id=${customer.id}`)
    assert.doesNotMatch((await page.get(path)).text, /name="lastname"/)
    const before = await customerCount()
    for (const payer of [
      { name: 'Another', email: 5 },
      { name: undefined, email: undefined, phone: undefined },
    ])
      assert.equal((await page.sendCard(path, bonus, payer)).json.next, 'bank_frame')
    assert.deepEqual((await backend.get(`/v1/customers/${customer.id}`)).json, customer)
    assert.deepEqual([await customerOf(id), await customerCount()], [customer.id, before])
  })

  it('a payer’s customer belongs to the merchant and to no other', async () => {
    const { path, id } = await page.open()
    await page.sendCard(path, bonus)
    const { secretKey } = await createMerchant(page.services, { name: 'Another', live: false })
    const token = await page.token(secretKey)
    const url = `/v1/customers/${await customerOf(id)}`
    assert.equal((await page.call({ url, token })).status, 404)
    assert.deepEqual((await page.call({ url: '/v1/customers/search', token })).json, [])
  })

  it('expiry dates are accepted in the formats that payers and browsers use', async () => {
    for (const expiry of ['12/30', '12/2030', '12 / 30', '1230', '1/31', '12-30']) {
      const { path } = await page.open()
      assert.equal(
        (await page.sendCard(path, '5400360000000003', { expiry })).json.next,
        'bank_frame',
        expiry,
      )
    }
  })

  it('a card is accepted until the end of its month', async () => {
    const { path } = await page.open()
    assert.equal((await page.sendCard(path, '5400360000000003', { expiry: '11/26' })).json.next, 'bank_frame')
  })
})

describe('a repeated submission', () => {
  const submission = '3f0c1c1e-6a53-4f3a-9d0b-3c0f6a4c1b11'
  const another = '7d1e2b0a-41c7-4b0e-8a55-90f1c2d3e4f5'

  it('continues its attempt, with our own 3DS Server', async () => {
    const { path, id } = await page.open()
    const unasked = '5406670000000009'
    const first = await page.sendCard(path, unasked, { submission })
    const again = await page.sendCard(path, unasked, { submission })
    assert.deepEqual([again.status, again.json], [200, first.json])
    const otherPrice = await page.sendCard(path, unasked, { submission, installment: 3, charged: 1 })
    assert.deepEqual([otherPrice.status, otherPrice.json.next], [409, 'not_open'])
    assert.deepEqual(await attemptsOf(id), ['authenticating'])
    await page.prove(path)
    assert.equal((await page.result(id)).payment_status_text, 'success')
    const late = await page.sendCard(path, unasked, { submission })
    assert.deepEqual([late.status, late.json.next, late.json.standing.view], [409, 'not_open', 'paid'])
    assert.deepEqual(await attemptsOf(id), ['approved'])
  })

  it('continues its attempt at the bank’s page, with a new form', async () => {
    const { path, id } = await page.open()
    const { json: first } = await page.sendCard(path, world, { submission })
    const { json: again } = await page.sendCard(path, world, { submission })
    assert.deepEqual([first.next, again.next, again.carrier], ['bank_form', 'bank_form', first.carrier])
    const terms = ({ action, fields }: { action: string; fields: Record<string, string> }) => {
      const { oid, amount, pan, okUrl } = fields
      return { action, oid, amount, pan, isBack: okUrl?.includes('/return/') }
    }
    assert.deepEqual(terms(again.form), terms(first.form))
    assert.deepEqual(await attemptsOf(id), ['authenticating'])
  })

  it('with another card is refused and begins nothing', async () => {
    const { path, id } = await page.open()
    await page.sendCard(path, world, { submission })
    for (const number of [bonus, '5406670000000009']) {
      const { status, json } = await page.sendCard(path, number, { submission })
      assert.deepEqual([status, json.next], [409, 'not_open'])
    }
    assert.deepEqual(await attemptsOf(id), ['authenticating'])
  })

  it('gets the page state once its attempt was replaced, declined or expired', async () => {
    const { path, id } = await page.open()
    await page.sendCard(path, bonus, { submission })
    await page.sendCard(path, bonus, { submission: another })
    const { status, json } = await page.sendCard(path, bonus, { submission })
    assert.deepEqual([status, json.next, json.standing.canGoOn], [409, 'not_open', true])
    assert.deepEqual(await attemptsOf(id), ['abandoned', 'authenticating'])
    const refused = await page.open()
    await page.sendCard(refused.path, '4000000000002925', { submission })
    await page.prove(refused.path)
    const again = await page.sendCard(refused.path, '4000000000002925', { submission })
    assert.deepEqual([again.json.next, again.json.standing.takesCard], ['not_open', true])
    assert.deepEqual(await attemptsOf(refused.id), ['declined'])
    page.clock.advance(page.merchant.pageLifetimeMinutes * 60_000)
    const expired = await page.sendCard(path, bonus, { submission: another })
    assert.deepEqual([expired.json.next, expired.json.standing.view], ['not_open', 'expired'])
  })

  it('sent many times at the same time creates one attempt and one customer, and gets equal answers', async () => {
    for (const number of [bonus, world]) {
      const { path, id } = await page.open()
      const before = await customerCount()
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => page.sendCard(path, number, { submission })),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.equal(new Set(answers.map(({ json }) => json.next)).size, 1)
      for (const { json } of answers)
        assert.equal(json.standing?.canGoOn ?? true, true, 'the bank can be answered')
      assert.deepEqual([await attemptsOf(id), await customerCount()], [['authenticating'], before + 1])
    }
  })

  it('mixed with others at the same time leaves one attempt waiting, and begins none twice', async () => {
    const { path, id } = await page.open()
    const names = Array.from({ length: 12 }, (_, index) => `${index % 3}${another.slice(1)}`)
    const answers = await Promise.all(names.map((name) => page.sendCard(path, bonus, { submission: name })))
    assert.ok(answers.some(({ json }) => json.next === 'bank_frame'))
    const states = await attemptsOf(id)
    assert.equal(states.filter((state) => state === 'authenticating').length, 1)
    assert.ok(states.length <= 3, String(states))
  })

  it('of another payment, or with an invalid submission id, counts as a new one', async () => {
    const opened = [await page.open(), await page.open()]
    for (const { path, id } of opened) {
      assert.equal((await page.sendCard(path, bonus, { submission })).json.next, 'bank_frame')
      assert.deepEqual(await attemptsOf(id), ['authenticating'])
    }
    const { path, id } = await page.open()
    const odd = [
      'a b',
      '',
      bonus,
      submission.toUpperCase(),
      `${submission}0`,
      'ş',
      'a\0',
      5,
      [submission],
      {},
      null,
    ]
    for (const name of odd.slice(0, 2)) await page.sendCard(path, bonus, { submission: name })
    assert.deepEqual(await attemptsOf(id), ['abandoned', 'authenticating'])
    for (const name of odd.slice(2)) {
      const other = await page.open()
      for (let time = 0; time < 2; time++) await page.sendCard(other.path, bonus, { submission: name })
      assert.deepEqual(await attemptsOf(other.id), ['abandoned', 'authenticating'], String(name))
    }
  })
})

describe('403', () => {
  it('a card from another web page is refused', async () => {
    const { path } = await page.open()
    const card = {
      number: '5400360000000003',
      expiry: '12/30',
      cvc: '739',
      holder: 'I Ö',
      installment: '1',
      charged: '10000',
    }
    assert.equal((await page.postForm(`${path}/card`, card)).status, 403)
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.equal((await page.post(`${path}/card`, card, { 'sec-fetch-site': site })).status, 403, site)
    assert.equal((await page.post(`${path}/card`, card, { 'content-type': 'text/plain' })).status, 403)
    assert.equal((await page.get(`${path}/status`)).json.isUnderWay, false)
  })
})

describe('404', () => {
  it('a card for an unknown page is refused', async () => {
    const { status, json } = await page.sendCard(`/p/${'A'.repeat(38)}`, '5400360000000003')
    assert.deepEqual([status, json], [404, { next: 'not_found' }])
  })

  it('a card for a known payment with a wrong page token is refused, and no bank is called', async () => {
    const { path } = await page.open()
    const guess = `${path.slice(0, -8)}${path.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
    const { status, json } = await page.sendCard(guess, '5400360000000003')
    assert.deepEqual([status, json], [404, { next: 'not_found' }])
    assert.equal((await page.post(`${guess}/authenticate`, {})).status, 404)
  })
})

describe('409', () => {
  it('a live merchant’s card is refused over plain http on a network', async () => {
    const { path } = await page.open()
    const before = page.services.config
    const warnings = () => page.lines.filter((line) => line.includes('PAGE_URL is plain http')).length
    const setLive = (live: boolean) =>
      page.services.sql.run(sql`update merchants set live = ${live} where id = ${page.merchant.id}`)
    page.services.config = { ...before, pageUrl: 'http://pay.example' }
    assert.equal((await page.sendCard(path, '5400360000000003')).json.next, 'bank_frame', 'a test card is')
    await setLive(true)
    const answers = [
      await page.sendCard(path, '5400360000000003'),
      await page.sendCard(path, '5400360000000003'),
    ]
    page.services.config = before
    await setLive(false)
    for (const { status, json } of answers) assert.deepEqual([status, json], [409, { next: 'not_taken' }])
    assert.equal(warnings(), 1)
    assert.equal((await page.sendCard(path, '5400360000000003')).json.next, 'bank_frame')
  })

  it('a price other than the offered one begins no attempt', async () => {
    const { path, id } = await page.open()
    for (const more of [
      { charged: 9_999 },
      { installment: 7 },
      { installment: '1' },
      { charged: 1e300 },
      { charged: null },
    ])
      assert.deepEqual((await page.sendCard(path, '5400360000000003', more)).json, { next: 'offer_changed' })
    assert.equal(await customerOf(id), null, 'nor is a customer made of who does not pay')
  })

  it('a card that no POS accepts is not reported as a changed price', async () => {
    const { path, id } = await page.open()
    const setState = (before: string, after: string) =>
      page.services.sql.run(
        sql`update pos_credentials set version = version + 1, state = ${after} where state = ${before}`,
      )
    await setState('active', 'off')
    const offered = await page.post(`${path}/offer`, { bin: bonus.slice(0, 8) })
    const { status, json } = await page.sendCard(path, bonus)
    await setState('off', 'active')
    assert.deepEqual(offered.json, { plans: [] })
    assert.deepEqual([status, json], [409, { next: 'not_taken' }])
    assert.deepEqual(await attemptsOf(id), [])
  })

  it('a payment that accepts no card gets its page state', async () => {
    const { path, id } = await page.open()
    await page.pay(id, '5400360000000003')
    const { status, json } = await page.sendCard(path, '5400360000000003')
    assert.deepEqual([status, json.next, json.standing.view], [409, 'not_open', 'paid'])
  })

  it('a suspended merchant accepts no card, and no attempt is used up', async () => {
    const { path, id } = await page.open()
    const { services, merchant } = page
    await setMerchantState(services, merchant.id, 'suspended')
    const { status, json } = await page.sendCard(path, '5400360000000003')
    await setMerchantState(services, merchant.id, 'active')
    assert.deepEqual([status, json], [409, { next: 'not_taken' }])
    const attempts = await services.sql.many(sql`select id from payment_attempts where payment_id = ${id}`)
    assert.deepEqual(attempts, [])
    assert.equal((await page.sendCard(path, '5400360000000003')).json.next, 'bank_frame')
  })

  it('of several cards sent at the same time at most one is charged', async () => {
    const { path, id } = await page.open()
    const before = (await page.bank.book()).length
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => page.sendCard(path, '5406670000000009')),
    )
    assert.ok(answers.some(({ json }) => json.next === 'bank_frame'))
    await Promise.all([page.prove(path), page.prove(path)])
    assert.equal((await page.result(id)).payment_status_text, 'success')
    assert.equal((await page.bank.book()).length, before + 1)
    assert.deepEqual([...(await bankDifferences(page)), ...(await integrityViolations(page))], [])
  })
})

describe('422', () => {
  it('all card errors are returned together, by field, in both languages', async () => {
    const { path } = await page.open()
    const wrong = { expiry: '13/30', cvc: '12', holder: ' ' }
    const turkish = await page.sendCard(path, '5400360000000004', wrong)
    assert.deepEqual([turkish.status, turkish.json.next], [422, 'fields'])
    assert.deepEqual(Object.keys(turkish.json.errors), ['number', 'expiry', 'cvc', 'holder'])
    assert.match(turkish.json.errors.number, /Kart numarasını kontrol edin/)
    const english = await page.post(`${path}/card`, wrong, { 'accept-language': 'en' })
    assert.match(english.json.errors.number, /Check the card number/)
  })

  it('errors in the payer’s data are returned together with those of the card', async () => {
    const { path, id } = await page.open()
    const wrong = { cvc: '12', email: 'ayse@', phone: '0532', lastname: '\0' }
    const { status, json } = await page.sendCard(path, bonus, wrong)
    assert.deepEqual([status, json.next], [422, 'fields'])
    assert.deepEqual(Object.keys(json.errors), ['lastname', 'email', 'phone', 'cvc'])
    assert.equal(json.errors.phone, payerFieldErrorTexts.phone.tr)
    const right = await page.sendCard(path, bonus, { ...wrong, cvc: '123' })
    assert.deepEqual(Object.keys(right.json.errors), ['lastname', 'email', 'phone'])
    assert.deepEqual([await customerOf(id), await attemptsOf(id)], [null, []])
  })

  it('a cardholder name must not be empty, too long or hold control characters', async () => {
    const { path } = await page.open()
    for (const holder of ['', '\u0007Işık', 'I'.repeat(101)])
      assert.deepEqual((await page.sendCard(path, bonus, { holder })).json.errors, {
        holder: cardFieldErrorTexts.holder.tr,
      })
  })

  it('an expired card and a mistyped expiry date have different errors', async () => {
    const { path } = await page.open()
    const fault = async (expiry: string) =>
      (await page.sendCard(path, '5400360000000003', { expiry })).json.errors.expiry
    assert.equal(await fault('10/26'), cardFieldErrorTexts.expired.tr)
    for (const expiry of ['00/30', '1', '12/99', '', '12/3', '2030-12'])
      assert.equal(await fault(expiry), cardFieldErrorTexts.expiry.tr, expiry)
  })

  it('fields of a wrong type are errors of the card and of the payer’s data', async () => {
    const { path } = await page.open()
    for (const number of [5400360000000003, null, {}, ['5400360000000003'], '4'.repeat(5000)]) {
      const { status, json } = await page.post(`${path}/card`, { number, expiry: 1, cvc: {}, holder: [] })
      assert.deepEqual([status, Object.keys(json.errors).length], [422, 9])
    }
  })
})
