import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { payer } from './payer.ts'
import { makeCustomer, makeShop } from './shop.ts'

const quick = '5200000000002235'

describe('the page of a merchant', { concurrency: 2 }, () => {
  it('with white label shows the merchant only, in its colour', async (t) => {
    const name = 'Kuzey Kitabevi'
    const shop = await makeShop('--name', name, '--white-label', 'true', '--colour', '#7a1f5c')
    const person = { name: 'Ada', lastname: 'Ay', email: 'ada@example.com', phone: '+905321112233' }
    const customer = await makeCustomer(person, shop)
    const visit = await payer(t, { shop, form: { customer_id: String(customer.id) } })
    const { page, pay, sees } = visit
    await page.getByText(name).first().waitFor()
    const colour = await page.evaluate<string>(
      'getComputedStyle(document.getElementById("pay")).backgroundColor',
    )
    assert.equal(colour, 'rgb(122, 31, 92)')
    const isUnnamed = async () => {
      assert.doesNotMatch((await page.content()).replaceAll(visit.url, ''), /vezne/i)
      assert.doesNotMatch(await page.title(), /vezne/i)
      assert.equal(await page.locator('link[rel=icon]').count(), 0)
    }
    await isUnnamed()
    await pay(quick)
    await sees('paid')
    await isUnnamed()
  })

  it('corrects a colour that is too pale to read on', async (t) => {
    const shop = await makeShop('--name', 'Limon', '--colour', '#fff34d')
    const { page } = await payer(t, { shop })
    const [ground, ink] = await page.evaluate<[string, string]>(
      '(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.getElementById("pay")))',
    )
    assert.ok(contrast(ground, ink) >= 4.5, `${ink} on ${ground}: ${contrast(ground, ink).toFixed(2)}`)
  })
})

/** WCAG contrast of two colours in the browser's notation. */
function contrast(one: string, other: string): number {
  const light = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const value = Number(part) / 255
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}
