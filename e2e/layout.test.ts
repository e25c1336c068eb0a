import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { horizontalOverflow } from './accessibility.ts'
import { payer } from './payer.ts'

const sizes = [
  { width: 320, height: 568 },
  { width: 375, height: 667 },
  { width: 768, height: 1024 },
  { width: 1280, height: 900 },
]
const order = { amount: '125000' }
const bonus = '5400360000000003'
const singleOnly = '4766620000000001'

interface Scrollable {
  scrollHeight: number
  clientHeight: number
}

interface Boxed {
  getBoundingClientRect(): { right: number }
}

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).boundingBox()
  assert.ok(box, `${selector} is not shown`)
  return { ...box, bottom: box.y + box.height }
}

describe('the form fits the window', { concurrency: 2 }, () => {
  for (const size of sizes)
    it(`the button is in sight, and the plans move nothing that the payer touches: ${size.width} px`, async (t) => {
      const { page } = await payer(t, { ...size, form: order })
      assert.ok((await boxOf(page, '#pay')).bottom <= size.height)
      assert.ok((await boxOf(page, '#plans')).height <= 60, 'one line until the card is known')
      await page.locator('#number').focus()
      const before = await boxOf(page, '#number')
      await page.keyboard.type(bonus)
      await page.locator('#plans[data-state=offered] .plan').nth(5).waitFor()
      assert.deepEqual(await boxOf(page, '#number'), before)
      assert.ok((await boxOf(page, '#pay')).bottom <= size.height)
      assert.equal(await horizontalOverflow(page), '')
      assert.ok(
        await page.locator('#plan-list').evaluate((box: Scrollable) => box.scrollHeight <= box.clientHeight),
      )
      await page.locator('#plans .plan').last().scrollIntoViewIfNeeded()
      const last = await boxOf(page, '#plans .plan:last-child')
      assert.ok(last.bottom <= (await boxOf(page, '#pay')).y, 'the button does not cover the last plan')
    })

  it('a card without installments says so in one line, and the box stays as it is', async (t) => {
    const { page } = await payer(t, { form: order })
    const before = await boxOf(page, '#plans')
    await page.fill('#number', singleOnly)
    await page.getByText('Bu kartla yapılamıyor').waitFor()
    assert.deepEqual(await boxOf(page, '#plans'), before)
  })

  it('a price list: the amounts of all plans end at the same line', async (t) => {
    const { page } = await payer(t, { ...sizes[3], form: order })
    await page.fill('#number', bonus)
    await page.locator('#plans .plan').nth(5).waitFor()
    const edges = await page
      .locator('#plans .plan:not(:first-child) strong')
      .evaluateAll((all: Boxed[]) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
    assert.equal(edges.length, 5)
    assert.equal(new Set(edges).size, 1)
  })
})

describe('a long order', { concurrency: 2 }, () => {
  const products = JSON.stringify(
    Array.from({ length: 30 }, (_, index) => ({ product_name: `Defter ${index + 1}`, price: 10_000 })),
  )

  it('shows five products, unfolds the others, and lists all of them on paper', async (t) => {
    const { page } = await payer(t, { ...sizes[3], form: { amount: '300000', products } })
    assert.ok(await page.getByText('Defter 5', { exact: true }).isVisible())
    assert.equal(await page.getByText('Defter 6', { exact: true }).isVisible(), false)
    await page.getByText('25 ürün daha göster').click()
    assert.ok(await page.getByText('Defter 30', { exact: true }).isVisible())
    await page.getByText('Daha az göster').click()
    assert.equal(await page.getByText('Defter 6', { exact: true }).isVisible(), false)
    await page.evaluate('window.dispatchEvent(new Event("beforeprint"))')
    assert.ok(await page.getByText('Defter 30', { exact: true }).isVisible())
  })

  it('taller than the window can be scrolled to its end beside the form', async (t) => {
    const { page } = await payer(t, { width: 1280, height: 500, form: { amount: '300000', products } })
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
    const more = await boxOf(page, '#more-items')
    assert.ok(more.y >= 0 && more.bottom <= 500, 'the end of the order is in sight')
    await page.evaluate('window.scrollTo(0, 0)')
    assert.ok((await boxOf(page, '#order')).y > 0)
  })

  it('stays in sight beside the form', async (t) => {
    const { page } = await payer(t, { width: 1280, height: 600, form: order })
    await page.locator('#number').focus()
    await page.evaluate('window.scrollTo(0, 1000)')
    assert.ok((await boxOf(page, '#total')).y >= 0)
  })
})
