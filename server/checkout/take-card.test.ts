import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { setMerchantState } from '../merchants/suspend-merchant.ts'
import { testPages } from '../testing/page.ts'

const page = await testPages()

describe('200', () => {
  it('a card goes on to the bank’s step, and what was typed is repeated nowhere', async () => {
    const { path } = await page.open()
    const { status, json, text } = await page.sendCard(path, '5400 3600 0000 0003')
    assert.deepEqual([status, json], [200, { next: 'bank_frame' }])
    assert.doesNotMatch(text, /540036/)
  })

  it('people and browsers write expiry dates in many ways', async () => {
    for (const expiry of ['12/30', '12/2030', '12 / 30', '1230', '1/31', '12-30']) {
      const { path } = await page.open()
      assert.equal(
        (await page.sendCard(path, '5400360000000003', { expiry })).json.next,
        'bank_frame',
        expiry,
      )
    }
  })

  it('a card is good until the end of its month', async () => {
    const { path } = await page.open()
    assert.equal((await page.sendCard(path, '5400360000000003', { expiry: '11/26' })).json.next, 'bank_frame')
  })
})

describe('403', () => {
  it('a page of somebody else sends no card here', async () => {
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
  it('a card for a page that is not there goes nowhere', async () => {
    const { status, json } = await page.sendCard(`/p/${'A'.repeat(38)}`, '5400360000000003')
    assert.deepEqual([status, json], [404, { next: 'not_found' }])
  })
})

describe('409', () => {
  it('what costs another amount than the payer was shown is not begun', async () => {
    const { path } = await page.open()
    for (const more of [
      { charged: 9_999 },
      { installment: 7 },
      { installment: '1' },
      { charged: 1e300 },
      { charged: null },
    ])
      assert.deepEqual((await page.sendCard(path, '5400360000000003', more)).json, { next: 'offer_changed' })
  })

  it('where no card can be taken, how the payment stands is said instead', async () => {
    const { path, id } = await page.open()
    await page.pay(id, '5400360000000003')
    const { status, json } = await page.sendCard(path, '5400360000000003')
    assert.deepEqual([status, json.next, json.standing.view], [409, 'not_open', 'paid'])
  })

  it('a merchant who may not collect takes no card, and no attempt is spent', async () => {
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

  it('of cards that are sent at the same moment one at most is gone on with', async () => {
    const { path, id } = await page.open()
    const before = (await page.bank.book()).length
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => page.sendCard(path, '5406670000000009')),
    )
    assert.ok(answers.some(({ json }) => json.next === 'bank_frame'))
    await Promise.all([page.prove(path), page.prove(path)])
    assert.equal((await page.result(id)).payment_status_text, 'success')
    assert.equal((await page.bank.book()).length, before + 1)
    assert.deepEqual(await page.differences(), [])
  })
})

describe('422', () => {
  it('all that is wrong is said at once, beside its field, in both languages', async () => {
    const { path } = await page.open()
    const wrong = { expiry: '13/30', cvc: '12', holder: ' ' }
    const turkish = await page.sendCard(path, '5400360000000004', wrong)
    assert.deepEqual([turkish.status, turkish.json.next], [422, 'fields'])
    assert.deepEqual(Object.keys(turkish.json.errors), ['number', 'expiry', 'cvc', 'holder'])
    assert.match(turkish.json.errors.number, /Kart numarasını kontrol edin/)
    const english = await page.post(`${path}/card`, wrong, { 'accept-language': 'en' })
    assert.match(english.json.errors.number, /Check the card number/)
  })

  it('an expired card is told from a mistyped one', async () => {
    const { path } = await page.open()
    const fault = async (expiry: string) =>
      (await page.sendCard(path, '5400360000000003', { expiry })).json.errors.expiry
    assert.match(await fault('10/26'), /geçmiş/)
    for (const expiry of ['00/30', '1', '12/99', '', '12/3', '2030-12'])
      assert.match(await fault(expiry), /AA\/YY/, expiry)
  })

  it('whatever is sent in place of the fields is not a card', async () => {
    const { path } = await page.open()
    for (const number of [5400360000000003, null, {}, ['5400360000000003'], '4'.repeat(5000)]) {
      const { status, json } = await page.post(`${path}/card`, { number, expiry: 1, cvc: {}, holder: [] })
      assert.deepEqual([status, Object.keys(json.errors).length], [422, 4])
    }
  })
})
