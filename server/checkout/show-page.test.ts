import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()
const minuteMs = 60_000

describe('200', () => {
  it('shows the order and the card form, each field with its autofill token', async () => {
    const products = JSON.stringify([{ product_name: 'Kahve <b>&', price: 125_000, description: '"Koyu"' }])
    const { path } = await page.open(`amount=125000&currency=TRY&products=${encodeURIComponent(products)}`)
    const { text, status } = await page.get(path)
    assert.equal(status, 200)
    assert.match(text, /Test Mağaza/)
    assert.match(text, /Kahve &#60;b&#62;&#38;/)
    assert.match(text, /1\.250,00\u00a0₺/)
    for (const token of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'])
      assert.match(text, new RegExp(`autocomplete="${token}"`))
    assert.equal(text.match(/<button[^>]*type="submit"/g)?.length, 1)
    assert.match(text, /<input type="radio" name="installment" value="1" checked/)
  })

  it('states before the button that a hold is not charged, and does not for a charge', async () => {
    const held = await page.get((await page.open('amount=10000&currency=TRY&pre_auth=true')).path)
    assert.match(held.text, /bloke edilir, şimdi çekilmez[\s\S]*id="pay"/)
    assert.doesNotMatch((await page.get((await page.open()).path)).text, /bloke edilir, şimdi/)
  })

  it('uses the language of the browser, or else of the merchant', async () => {
    const { path } = await page.open()
    assert.match((await page.get(path)).text, /<html lang="tr">/)
    const english = await page.get(path, { 'accept-language': 'en-GB, tr;q=0.5' })
    assert.match(english.text, /<html lang="en">[\s\S]*Pay ₺100\.00/)
    assert.equal(english.headers['vary'], 'accept-encoding, accept-language')
  })

  it('keeps the language that the payer has chosen, whatever the browser sends', async () => {
    const { path, id } = await page.open()
    const { start_at: startAt } = await page.get(path).then(() => page.result(id))
    page.clock.advance(minuteMs)
    const languageAt = async (address: string) =>
      /<html lang="(..)">/.exec((await page.get(address, { 'accept-language': 'tr' })).text)?.[1]
    assert.equal(await languageAt(`${path}?lang=en`), 'en')
    const row = sql`select xmin::text from payments where id = ${id}`
    const written = await page.services.sql.one(row)
    for (const nothing of ['', '?lang=de', '?lang=', '?lang=en']) {
      assert.equal(await languageAt(`${path}${nothing}`), 'en', nothing)
      assert.deepEqual(
        await page.services.sql.one(row),
        written,
        'a look that changes nothing writes nothing',
      )
    }
    assert.equal((await page.result(id)).start_at, startAt, 'the first look was before')
    assert.equal(await languageAt(`${path}?lang=tr`), 'tr')
  })

  it('loads only our files, posts no form, cannot be framed, and turns no text into a script', async () => {
    const { path } = await page.open()
    const { headers, text } = await page.get(path)
    assert.equal(
      String(headers['content-security-policy']).replace(/'sha256-[\w+/=]{44}'/, "'sha256-…'"),
      "default-src 'none'; base-uri 'none'; script-src 'self'; style-src 'sha256-…'; img-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /reports; report-to reports",
    )
    assert.doesNotMatch(text, /<script(?![^>]* src=)|style="| on\w+="/)
  })

  it('contains its styles, with their hashes in the policy, so that it needs one round trip', async () => {
    const { path } = await page.open()
    await page.setMerchant({ colour: '#E30A17' })
    const { headers, text } = await page.get(path)
    await page.setMerchant({})
    const styles = [...text.matchAll(/<style[^>]*>([^<]*)<\/style>/g)].map(([, css = '']) => css)
    assert.equal(styles.length, 2)
    assert.match(styles[1] ?? '', /--button:#e30a17/)
    const sources = styles.map((css) => `'sha256-${createHash('sha256').update(css).digest('base64')}'`)
    assert.ok(String(headers['content-security-policy']).includes(`style-src ${sources.join(' ')};`))
    assert.doesNotMatch(text, /rel="stylesheet"/)
    for (const [, address = ''] of (styles[0] ?? '').matchAll(/url\("([^)]*)"\)/g))
      assert.equal((await page.get(address)).status, 200, address)
  })

  it('lists the origins that may frame it, and is rendered for a frame from the start', async () => {
    const { path } = await page.open()
    const [plain, inFrame] = [{}, { 'sec-fetch-dest': 'iframe' }]
    const unframed = (await page.get(path, inFrame)).text
    await page.setMerchant({ origins: ['https://shop.example', 'https://shop.example;x'] })
    const [alone, framed] = [await page.get(path, plain), await page.get(path, inFrame)]
    await page.setMerchant({})
    assert.match(
      String(framed.headers['content-security-policy']),
      /frame-ancestors 'self' https:\/\/shop\.example;/,
    )
    assert.match(framed.text, /<body[^>]* data-framers="https:\/\/shop\.example" data-framed="true">/)
    assert.match(alone.text, /<body[^>]* data-framers="https:\/\/shop\.example">/)
    assert.doesNotMatch(unframed, /data-framers/)
  })

  it('shows the merchant’s colour, and with a white label only the merchant’s name', async () => {
    const { path } = await page.open()
    const before = (await page.get(path)).text
    assert.match(before, /Vezne ile güvenli ödeme/)
    assert.doesNotMatch(before, /data-colour/)
    const changed = (look: ReturnType<typeof sql>) =>
      page.services.sql.run(sql`update merchants set ${look} where id = ${page.merchant.id}`)
    await changed(sql`white_label = true, colour = '#E30A17'`)
    const { text } = await page.get(path)
    await changed(sql`white_label = false, colour = null`)
    assert.doesNotMatch(text, /vezne|mark-/i)
    assert.match(text, /--button:#e30a17/)
  })

  it('does not show cached parts of another merchant or language', async () => {
    const { path } = await page.open()
    const seen = async (language: string) => (await page.get(path, { 'accept-language': language })).text
    await page.setMerchant({ name: ' işık', language: 'tr', country: 'DE' })
    assert.match(await seen('tr'), /class="mark"[^>]*>İ<[\s\S]*selected>Almanya</)
    assert.match(await seen('tr'), /rel="icon"/)
    await page.setMerchant({ name: ' işık', language: 'en', country: 'DE', whiteLabel: true })
    assert.match(await seen('en'), /class="mark"[^>]*>I<[\s\S]*selected>Germany</)
    assert.doesNotMatch(await seen('tr'), /rel="icon"/)
    await page.setMerchant({})
  })

  it('records its first view as the start of the payment', async () => {
    const { path, id } = await page.open()
    page.clock.advance(minuteMs)
    await page.get(path)
    const { start_at: startAt, created_at: createdAt } = await page.result(id)
    assert.equal(Date.parse(startAt) - Date.parse(createdAt), minuteMs)
    page.clock.advance(minuteMs)
    await page.get(path)
    assert.equal((await page.result(id)).start_at, startAt)
  })

  it('shows the outcome of a paid payment, and the return link with the transaction id', async () => {
    const back = encodeURIComponent('https://shop.example/thanks')
    const { path, id } = await page.open(`amount=10000&currency=TRY&redirect_url=${back}`)
    await page.pay(id, '5400360000000003')
    const { text } = await page.get(path)
    assert.match(text, /Ödemeniz tamamlandı/)
    assert.match(text, /100,00\u00a0₺ tutarındaki ödemeniz alındı/)
    assert.ok(text.includes(`href="https://shop.example/thanks?transaction_id=${id}"`))
    assert.ok(!text.includes('<noscript>'), 'it asks for no script to pay')
    assert.match(text, /<div id="pay-part" hidden>/)
  })

  it('is expired at its time, even before the expiry is recorded', async () => {
    const { path } = await page.open()
    page.clock.advance(30 * minuteMs)
    const { text } = await page.get(path)
    assert.match(text, /Ödeme sayfasının süresi doldu/)
    assert.match(text, /<div id="pay-part" hidden>/)
  })

  it('uses the base path of a proxy in every address', async () => {
    const { path } = await page.open()
    const before = page.services.config
    page.services.config = { ...before, pageUrl: 'https://pay.example/kasa' }
    const { text } = await page.get(path)
    page.services.config = before
    for (const [, address = ''] of text.matchAll(/(?:src|href|data-page)="(\/[^"]*)"/g))
      assert.ok(address.startsWith('/kasa/'), address)
  })
})

describe('404', () => {
  it('an unknown and a misspelt address look the same, and record no view', async () => {
    const { path, id } = await page.open()
    const other = `${path.slice(0, 20)}${path[20] === 'A' ? 'B' : 'A'}${path.slice(21)}`
    const answers = await Promise.all(
      [`${other}?lang=tr`, `${path}A`, '/p/x', `/p/${'A'.repeat(38)}`].map((url) => page.get(url)),
    )
    for (const { status, text } of answers) assert.deepEqual([status, text], [404, answers[0]?.text])
    const payment = sql`select viewed_at, language from payments where id = ${id}`
    assert.deepEqual(await page.services.sql.one(payment), { viewed_at: null, language: null })
  })

  it('a known payment with a wrong page token shows nothing, even if the payer views it at the same time', async () => {
    const { path } = await page.open()
    const guess = `${path.slice(0, -8)}${path.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
    const statuses = (urls: string[]) => Promise.all(urls.map(async (url) => (await page.get(url)).status))
    assert.deepEqual(await statuses([guess, path, guess, path]), [404, 200, 404, 200])
  })
})
