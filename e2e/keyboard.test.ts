import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { codeOnPage } from './bank.ts'
import { isolateSites } from './browser.ts'
import { payer } from './payer.ts'
import { until } from './until.ts'
import { emailOf, payerDetails } from './visit.ts'

const focused = (page: Page) => page.evaluate<string>('document.activeElement?.id ?? ""')

/** Presses Tab until this element has the focus, as a payer without a mouse does. */
async function tabTo(page: Page, id: string): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now === id) return
    passed.push(now)
  }
  throw new Error(`no way to ${id}: ${passed.join(' ')}`)
}

// A frame that moves to another process can lose the focus.
isolateSites()

/** Waits until the focus is in the bank's page, which is two frames below ours. */
async function focusIsAtBank(page: Page): Promise<void> {
  const inside = page.frameLocator('iframe.bank')
  const names = async () => [
    await page.evaluate('document.activeElement.className'),
    await inside.locator('body').evaluate((body) => body.ownerDocument.activeElement.className),
  ]
  await until(
    async () => String(await names()) === 'bank loaded,challenge loaded',
    () => 'the focus is not in the bank’s page',
  )
}

/** Tabs to the field of the bank's page, types the code and confirms. */
async function typeCode(page: Page, frame: Frame, code: string): Promise<void> {
  const field = frame.locator('input[type=text], input:not([type])')
  const isReached = () => field.evaluate((input) => input.ownerDocument.activeElement === input)
  for (let presses = 0; !(await isReached()); presses++) {
    assert.ok(presses < 2, 'the field of the bank is reached')
    await page.keyboard.press('Tab')
  }
  await page.keyboard.type(code)
  await page.keyboard.press('Enter')
}

describe('with the keyboard only', { concurrency: 2 }, () => {
  for (const [way, number] of [
    ['our own 3-D Secure', '5400360000000003'],
    ['the bank’s own page', '5451030000000109'],
  ] as const) {
    it(`a payer pays with installments, from the first Tab to the receipt, by ${way}`, async (t) => {
      const visit = await payer(t, { form: { amount: '125000' } })
      const { page, sees, result } = visit
      const { keyboard } = page
      const values = {
        ...{
          name: payerDetails.name,
          lastname: payerDetails.lastname,
          email: emailOf(visit),
          phone: payerDetails.phone,
        },
        ...{ number, expiry: '1230', cvc: '123', holder: 'Işık Öztürk' },
      }
      for (const [id, value] of Object.entries(values)) {
        await tabTo(page, id)
        await keyboard.type(value)
      }
      await page.locator('input[name=installment][value="3"]').waitFor({ state: 'attached' })
      await keyboard.press('Tab')
      await keyboard.press('ArrowDown')
      await keyboard.press('ArrowDown')
      assert.equal(await page.locator('input[name=installment]:checked').inputValue(), '3')
      await tabTo(page, 'pay')
      await keyboard.press('Enter')
      const frame = await visit.bank()
      if (frame !== page.mainFrame()) await focusIsAtBank(page)
      await typeCode(page, frame, await codeOnPage(frame))
      await sees('paid')
      assert.equal((await result()).installment_count, 3)
      if (frame !== page.mainFrame()) await page.locator('#outcome-title:focus').waitFor()
      await tabTo(page, 'print')
    })
  }

  it('the focus goes to the bank’s page and stays there, also after a wrong code and a reload', async (t) => {
    const { page, type, bank, sees } = await payer(t)
    await type('5200000000002151')
    await page.focus('#pay')
    await page.keyboard.press('Enter')
    const first = await bank()
    await focusIsAtBank(page)
    await typeCode(page, first, await codeOnPage(first, 'wrong'))
    await first.getByText('Kod hatalı').waitFor()
    await focusIsAtBank(page)
    await page.frameLocator('iframe.bank').locator('#reload').press('Enter')
    await focusIsAtBank(page)
    const second = await bank()
    await typeCode(page, second, await codeOnPage(second))
    await sees('paid')
    await page.locator('#outcome-title:focus').waitFor()
  })

  it('Escape closes the bank’s sheet as the button does, and nothing is charged', async (t) => {
    const { page, pay, bank, seesNotice, result } = await payer(t)
    await pay('5200000000002151')
    await bank()
    await page.focus('#other-card')
    await page.keyboard.press('Escape')
    await seesNotice(/Bankanız doğrulamanızı bekliyor/)
    assert.equal(await page.locator('#bank-part').isVisible(), false)
    assert.equal((await result()).payment_status_text, 'waiting')
  })

  it('the page behind the open bank’s sheet cannot be reached', async (t) => {
    const { page, pay, bank } = await payer(t)
    await pay('5200000000002151')
    await bank()
    for (let presses = 0; presses < 25; presses++) {
      await page.keyboard.press('Tab')
      const now = await focused(page)
      assert.ok(!['number', 'cvc', 'pay', 'order-toggle'].includes(now), now)
    }
  })

  it('Enter in any field sends the form', async (t) => {
    const { page, type, sees } = await payer(t)
    await type('5200000000002235')
    await page.focus('#cvc')
    await page.keyboard.press('Enter')
    await sees('paid')
  })
})
