import type { Frame, Page } from 'playwright-core'

/** What a payer can do at the bank's page. */
export type Reply = 'right' | 'wrong' | 'cancel'

const field = 'input[type=text], input:not([type])'

/**
 * What every person knows of a bank's page: the code that it shows goes into its one field, and the first button
 * confirms. Settles when the bank's page has gone on.
 */
export async function answer(frame: Frame, what: Reply = 'right'): Promise<void> {
  const buttons = frame.locator('button[type=submit], input[type=submit]')
  const isIt = (each: Frame) => each === frame
  // Our page may hear of the answer from the bank's server first, and take the frame away.
  const gone = Promise.race([
    frame.page().waitForEvent('framenavigated', isIt),
    frame.page().waitForEvent('framedetached', isIt),
  ])
  if (what === 'cancel') await buttons.nth(1).click({ noWaitAfter: true })
  else {
    await frame.locator(field).fill(await codeOn(frame, what))
    await buttons.first().click({ noWaitAfter: true })
  }
  await gone
}

/** The code that the bank's page shows, or another. */
export async function codeOn(frame: Frame, what: Exclude<Reply, 'cancel'> = 'right'): Promise<string> {
  const shown = /(?<!\d)\d{6}(?!\d)/.exec(await frame.locator('body').innerText())?.[0] ?? ''
  if (what === 'right') return shown
  return shown === '111111' ? '222222' : '111111'
}

/** The frame or window in which the bank asks for a code, once it does. */
export async function frameOfBank(page: Page): Promise<Frame> {
  const sandbox = (frame: Frame) => new URL(frame.url()).hostname === '127.0.0.1'
  for (let look = 0; look < 300; look++) {
    for (const frame of page.frames().filter((each) => each.url().startsWith('http') && sandbox(each))) {
      const fields = await frame
        .locator(field)
        .count()
        .catch(() => 0)
      if (fields === 1) return frame
    }
    await page.waitForTimeout(100)
  }
  throw new Error(`the bank asks nothing; the page is at ${page.url()}`)
}
