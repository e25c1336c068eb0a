import type { Frame, Page } from 'playwright-core'
import { pageUrl } from './shop.ts'
import { until } from './until.ts'
import { payerDetails } from './visit.ts'

/** Puts goods into the basket of the demo shop and goes to the payment, with one press. */
export async function goToPayment(page: Page, where: 'here' | 'there'): Promise<void> {
  for (const good of ['cups', 'beans', 'beans']) await page.click(`.good[data-good=${good}] .more`)
  await page.click(`#pay-${where}`)
}

/**
 * Waits for the payment page, in the shop's frame or in the whole window, until its script handles the form.
 */
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
  // Sent by key: the frame still grows to the height of its page, and a mouse click could miss the button.
  await frame.locator('#holder').press('Enter')
}
