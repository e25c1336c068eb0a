import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()

describe('200', () => {
  it('a card of a family gets its installment plans, with their prices', async () => {
    const { path } = await page.open('amount=125000&currency=TRY')
    const { plans } = (await page.post(`${path}/offer`, { bin: '54003600' })).json
    assert.deepEqual(
      plans.map(({ installment }: { installment: number }) => installment),
      [1, 2, 3, 6, 9, 12],
    )
    assert.deepEqual(plans[3], {
      installment: 6,
      charged: 125_000,
      total: '1.250,00\u00a0₺',
      extra: null,
      text: '6 taksit',
      each: '208,33\u00a0₺',
      sum: 'toplam 1.250,00\u00a0₺',
      rounding: 'ilk 2: 208,34\u00a0₺',
    })
  })

  it('the payer’s surcharge is part of the offer, and the card is accepted at that price only', async () => {
    const { path } = await page.open('amount=125000&currency=TRY')
    const { plans } = (await page.post(`${path}/offer`, { bin: '54510300' }, { 'accept-language': 'en' }))
      .json
    const six = plans.find(({ installment }: { installment: number }) => installment === 6)
    assert.ok(six.charged > 125_000)
    assert.equal(six.text, '6 installments')
    assert.match(six.each, /^₺[\d.]+$/)
    assert.match(six.sum, /^total ₺1,3\d\d\.\d\d$/)
    assert.equal(six.extra, `₺${((six.charged - 125_000) / 100).toFixed(2)}`)
    const wrong = { installment: 6, charged: 125_000 }
    assert.equal((await page.sendCard(path, '5451030000000000', wrong)).json.next, 'offer_changed')
    const right = { installment: 6, charged: six.charged }
    assert.match((await page.sendCard(path, '5451030000000000', right)).json.next, /^bank_/)
  })

  it('an invalid BIN gets no plans', async () => {
    const { path } = await page.open()
    for (const bin of ['5400360', '540036001', 54003600, null, '0123abcd'])
      assert.deepEqual((await page.post(`${path}/offer`, { bin })).json, { plans: [] })
  })
})

describe('403 and 404', () => {
  it('only the page’s own script gets plans, and only at a known page', async () => {
    const { path } = await page.open()
    assert.equal((await page.postForm(`${path}/offer`, { bin: '54003600' })).status, 403)
    assert.equal((await page.post(`/p/${'A'.repeat(38)}/offer`, { bin: '54003600' })).status, 404)
  })
})
