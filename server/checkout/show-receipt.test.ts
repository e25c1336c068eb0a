import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, it } from 'node:test'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()
const frictionless = '4000000000002701'

async function paid(form?: string): Promise<{ path: string; id: number }> {
  const opened = await page.open(form)
  await page.sendCard(opened.path, frictionless, { charged: 10_000 })
  await page.prove(opened.path)
  return opened
}

describe('200', () => {
  it('is a file to save, with the order and the amount, that loads nothing and runs nothing', async () => {
    await page.setMerchant({
      name: 'Kitap <Evi>',
      supportEmail: 'a&b@kitap.example',
      supportPhone: '+902121112233',
    })
    const products = JSON.stringify([{ product_name: 'Defter <b>', price: 10_000 }])
    const { path, id } = await paid(`amount=10000&currency=TRY&products=${encodeURIComponent(products)}`)
    const { status, headers, text } = await page.get(`${path}/receipt`)
    assert.equal(status, 200)
    assert.equal(headers['content-disposition'], `attachment; filename="odeme-${id}.html"`)
    assert.equal(headers['cache-control'], 'no-store')
    for (const part of ['Kitap &#60;Evi&#62;', 'Defter &#60;b&#62;', '100,00\u00a0₺', String(id), 'TEST'])
      assert.ok(text.includes(part), part)
    assert.match(text, /href="mailto:a%26b@kitap\.example\?subject=[^"]*"/)
    assert.match(text, /href="tel:\+902121112233">\+90\u00a0212\u00a0111\u00a022\u00a033</)
    assert.doesNotMatch(text, /<script|<link|<img|src=|url\(|@import/)
    assert.doesNotMatch(text, new RegExp(frictionless))
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    const policy = String(headers['content-security-policy'])
    assert.ok(policy.startsWith("default-src 'none'"))
    assert.ok(policy.includes(`style-src 'sha256-${hash}'`))
  })

  it('is in the language of the page', async () => {
    const { path, id } = await paid()
    const { headers, text } = await page.get(`${path}/receipt`, { 'accept-language': 'en' })
    assert.equal(headers['content-disposition'], `attachment; filename="payment-${id}.html"`)
    assert.match(text, /<html lang="en">[\s\S]*It is not an invoice/)
  })
})

describe('404', () => {
  it('before the payment, and at an unknown page', async () => {
    const { path } = await page.open()
    assert.equal((await page.get(`${path}/receipt`)).status, 404)
    assert.equal((await page.get(`/p/${'A'.repeat(38)}/receipt`)).status, 404)
  })
})
