import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parsePageState } from '../../../page/rules/page-state.ts'
import { testPages } from '../../../testing/till/page.ts'
import { declineReasons } from '../../connectors/index.ts'
import { decodePageToken } from '../../payments/addresses/page-address.ts'
import { failedAttemptText } from '../texts/failed-attempt-text.ts'
import { derivePageState, omitEmptyPageStateFields } from './page-state.ts'
import { pageContextOfVisit } from './store.ts'

const page = await testPages()
const frictionless = '4000000000002701'
const status = async (path: string, language = 'tr') =>
  (await page.get(`${path}/status`, { 'accept-language': language })).json

async function readPage(end: string) {
  const token = decodePageToken(end) ?? assert.fail()
  return pageContextOfVisit(page.services, { ...token, now: page.clock.now(), language: null })
}

describe('the page state', () => {
  it('of an open payment accepts a card, and nothing is in progress', async () => {
    const { path } = await page.open()
    const { view, takesCard, canGoOn, isUnderWay, notice, expiresInMs } = await status(path)
    assert.deepEqual([view, takesCard, canGoOn, isUnderWay, notice], ['form', true, false, false, []])
    assert.equal(expiresInMs, 30 * 60_000)
  })

  it('in the page equals the one of the status address, without empty fields', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '4111111111111129')
    await page.prove(path)
    const [, written = ''] = /data-standing="([^"]*)"/.exec((await page.get(path)).text) ?? []
    const whole = Object.entries(await status(path)).filter(([, value]) => {
      return value !== null && value !== false && !(Array.isArray(value) && value.length === 0)
    })
    assert.deepEqual(JSON.parse(written.replaceAll('&#34;', '"')), Object.fromEntries(whole))
  })

  it('is completed again in the browser, also with no time left', async () => {
    const { path } = await page.open()
    const open = await status(path)
    const line = { name: 'id', label: 'No', value: '1' }
    for (const more of [{}, { expiresInMs: 0 }, { notice: ['Bir satır'], receipt: [line], leaves: true }])
      assert.deepEqual(parsePageState(JSON.stringify(omitEmptyPageStateFields({ ...open, ...more }))), {
        ...open,
        ...more,
      })
  })

  it('during an authentication lets the payer continue or use another card', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '5400360000000003')
    const { view, takesCard, canGoOn, isUnderWay, notice } = await status(path)
    assert.deepEqual([view, takesCard, canGoOn, isUnderWay], ['form', true, true, true])
    assert.match(notice.join(' '), /Bankanız doğrulamanızı bekliyor/)
  })

  it('of the last attempt lets the payer continue and accepts no other card', async () => {
    const { path } = await page.open()
    for (let count = 0; count < 5; count++) await page.sendCard(path, '5400360000000003')
    const { takesCard, canGoOn, notice } = await status(path, 'en')
    assert.deepEqual([takesCard, canGoOn], [false, true])
    assert.match(notice.join(' '), /last attempt/)
  })

  it('without the bank’s answer is asking: not paid, and accepts no card', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '4190000000000101')
    await page.passUntil(page.prove(path))
    const { view, takesCard, isUnderWay, returnUrl } = await status(path)
    assert.deepEqual([view, takesCard, isUnderWay, returnUrl], ['asking', false, true, null])
  })

  it('after a decline shows the reason and the number of attempts left', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '4111111111111129')
    await page.prove(path)
    const { view, takesCard, notice } = await status(path, 'en')
    assert.deepEqual([view, takesCard], ['form', true])
    assert.match(notice.join(' '), /not have enough balance or limit.* Attempts left: 4\./)
  })

  it('after a failed authentication shows its reason', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '4000000000002925')
    await page.prove(path)
    assert.match((await status(path, 'en')).notice.at(-1), /Attempts left: 4\./)
  })

  it('between a refused authentication and the end of its attempt shows no error and accepts no card', async () => {
    const { path, page: end } = await page.open()
    await page.sendCard(path, '5400360000000003')
    const found = await readPage(end)
    assert.ok(found)
    const facts = {
      ...found,
      ownThreeDsProgress: 'refused',
      merchant: page.merchant,
      explanation: undefined,
    } as const
    const { view, takesCard, canGoOn, isEnding, isUnderWay, notice } = derivePageState(
      facts,
      'tr',
      page.clock.now(),
    )
    assert.deepEqual(
      [view, takesCard, canGoOn, isEnding, isUnderWay, notice],
      ['form', false, false, true, true, ['Lütfen bekleyin']],
    )
  })

  it('shows the issuer’s text in its own paragraph, and the attempts left last', async () => {
    const { path, page: end } = await page.open()
    await page.sendCard(path, '4000000000002925')
    await page.prove(path)
    const found = await readPage(end)
    assert.ok(found)
    const explanation = { sentence: { tr: 'Neden.', en: 'Why.' }, holderText: 'Bizi {text} arayın' }
    const facts = {
      ...found,
      ownThreeDsProgress: 'none',
      merchant: page.merchant,
      explanation,
    } as const
    assert.deepEqual(derivePageState(facts, 'tr', page.clock.now()).notice, [
      'Neden.',
      'Bankanızın mesajı: Bizi {text} arayın',
      '4 deneme hakkınız kaldı.',
    ])
  })

  it('shows the installment surcharge separately, and not after the payment has expired', async () => {
    const { path } = await page.open('amount=125000&currency=TRY')
    const { plans } = (await page.post(`${path}/offer`, { bin: '54510300' })).json
    const six = plans.find(({ installment }: { installment: number }) => installment === 6)
    await page.sendCard(path, '5451030000000109', { installment: 6, charged: six.charged })
    const { charge } = await status(path)
    assert.deepEqual(charge, { total: six.total, extra: six.extra })
    page.clock.advance(30 * 60_000)
    assert.deepEqual((await status(path)).charge, { total: '1.250,00\u00a0₺', extra: null })
  })

  it('of a failed or an expired payment has a return link', async () => {
    const back = encodeURIComponent('https://shop.example/')
    const failed = await page.open(`amount=10000&currency=TRY&redirect_url=${back}`)
    for (let count = 0; count < 5; count++) {
      await page.sendCard(failed.path, '4129111111111111')
      await page.prove(failed.path)
    }
    const { view, returnUrl, leaves, notice } = await status(failed.path)
    assert.deepEqual([view, leaves], ['failed', false])
    assert.equal(returnUrl, `https://shop.example/?transaction_id=${failed.id}`)
    assert.deepEqual(notice, [])
    const expired = await page.open(`amount=10000&currency=TRY&redirect_url=${back}`)
    page.clock.advance(30 * 60_000)
    assert.equal((await status(expired.path)).view, 'expired')
    assert.equal((await status(expired.path)).returnUrl, `https://shop.example/?transaction_id=${expired.id}`)
  })
})

describe('the page state after the payment', () => {
  const line = ({ receipt }: { receipt: { name: string; value: string }[] }, name: string) =>
    receipt.find((each) => each.name === name)?.value

  async function made(form?: string) {
    const { id, path } = await page.open(form)
    await page.sendCard(path, frictionless)
    await page.prove(path)
    const post = async (url: string, json: object) => {
      const token = await page.token()
      const answer = await page.call({ method: 'POST', url, token, json: { transaction_id: id, ...json } })
      assert.equal(answer.status, 200, answer.text)
      await page.pass(10_000)
    }
    return { path, post }
  }

  it('shows a partial and a full refund, also on the receipt', async () => {
    const { path, post } = await made()
    await post('/v1/transaction/refund', { amount: 4000, description: 'Beden uymadı' })
    const partly = await status(path)
    assert.deepEqual([partly.view, partly.title], ['paid', 'Ödemenizin bir kısmı iade edildi'])
    assert.match(partly.text, /100,00\s₺ tutarındaki ödemenizin 40,00\s₺ tutarındaki kısmı/)
    assert.match(line(partly, 'refunded') ?? '', /^40,00/)
    await post('/v1/transaction/refund', { amount: 6000, description: 'Beden uymadı' })
    const wholly = await status(path, 'en')
    assert.deepEqual([wholly.view, wholly.title], ['paid', 'Your payment was refunded'])
    assert.match(line(wholly, 'refunded') ?? '', /100\.00/)
  })

  it('shows that a hold was captured or released', async () => {
    const form = 'amount=10000&currency=TRY&pre_auth=true'
    const taken = await made(form)
    assert.equal((await status(taken.path)).title, 'Ön provizyon alındı')
    await taken.post('/v1/transaction/resolve-pre-auth', { status: true })
    const paid = await status(taken.path)
    assert.deepEqual([paid.view, line(paid, 'held')], ['paid', undefined])
    assert.match(line(paid, 'paid') ?? '', /^100,00/)
    const letGo = await made(form)
    await letGo.post('/v1/transaction/resolve-pre-auth', { status: false })
    const failed = await status(letGo.path)
    assert.deepEqual([failed.view, failed.title], ['failed', 'Ön provizyon iptal edildi'])
    assert.match(failed.text, /para çekilmedi/)
    assert.equal(failed.isReleased, true)
    assert.match(line(failed, 'released') ?? '', /^100,00/)
    assert.equal(line(failed, 'paid'), undefined)
  })

  it('leads to the merchant’s website if the payment has no address to return to', async () => {
    const { path } = await page.open()
    const own = await page.open('amount=10000&currency=TRY&redirect_url=https://shop.example/return')
    await page.setMerchant({ website: 'https://kitap.example/' })
    assert.equal((await status(path)).returnUrl, null, 'nobody leaves an open payment')
    page.clock.advance(31 * 60_000)
    assert.deepEqual(
      [(await status(path)).view, (await status(path)).returnUrl],
      ['expired', 'https://kitap.example/'],
    )
    assert.match((await status(own.path)).returnUrl, /^https:\/\/shop\.example\/return\?transaction_id=/)
    await page.setMerchant({ website: null })
    assert.equal((await status(path)).returnUrl, null)
  })
})

describe('the reason of a declined card', () => {
  it('is general if the real one would help a thief', () => {
    const declineTextFor = (declineReason: (typeof declineReasons)[number]) =>
      failedAttemptText({ state: 'declined', declineReason, code: '05' })
    for (const reason of ['lost_card', 'stolen_card', 'pick_up_card', 'suspected_fraud'] as const)
      assert.deepEqual(declineTextFor(reason), declineTextFor('do_not_honour'))
    for (const reason of declineReasons) assert.ok(declineTextFor(reason)?.tr && declineTextFor(reason)?.en)
  })

  it('is not shown for a card that the payer replaced', () => {
    assert.equal(
      failedAttemptText({ state: 'abandoned', declineReason: null, code: 'superseded' }),
      undefined,
    )
    assert.match(
      failedAttemptText({ state: 'abandoned', declineReason: null, code: 'card_lost' })?.en ?? '',
      /nothing was charged/,
    )
    assert.match(
      failedAttemptText({ state: 'reversed', declineReason: null, code: null })?.en ?? '',
      /has been returned/,
    )
  })
})
