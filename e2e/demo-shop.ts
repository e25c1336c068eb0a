import type { Frame, Page } from 'playwright-core'
import { pageUrl } from './shop.ts'
import { until } from './until.ts'
import { payerDetails } from './visit.ts'

/** Puts something into the basket of the demo shop, and goes on to pay for it. */
export async function goToPayment(page: Page, display: 'frame' | 'redirect'): Promise<void> {
  for (const good of ['cups', 'beans', 'beans']) await page.click(`.good[data-good=${good}] .more`)
  await page.locator('.where label', { has: page.locator(`[value=${display}]`) }).click()
  await page.click('#go')
}

/** The payment page, in the shop's frame or in the whole window, once its script listens to the form. */
export async function paymentPage(page: Page): Promise<Frame> {
  const frame = await until(
    async () => page.frames().find((each) => each.url().startsWith(`${pageUrl}/p/`)),
    () => 'the payment page does not open',
  )
  await frame.waitForLoadState()
  return frame
}

export async function payWithCard(frame: Frame, number: string): Promise<void> {
  const card = { number, expiry: '12/30', cvc: '123', holder: 'Işık Öztürk' }
  for (const [name, value] of Object.entries({ ...payerDetails, email: 'isik-demo@example.com', ...card }))
    await frame.locator(`#${name}`).fill(value)
  // By the key: the frame still grows to the height of its page, and a press of the mouse could land beside the button.
  await frame.locator('#holder').press('Enter')
}
