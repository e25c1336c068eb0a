import type { Frame, Locator, Page } from 'playwright-core'
import { askFrame } from './ask-frame.ts'
import { pageUrl } from './shop.ts'
import { until } from './until.ts'

/** What a payer can do at the bank's page. */
export type ChallengeReply = 'right' | 'wrong' | 'cancel'

const field = 'input[type=text], input:not([type])'

/**
 * What every person knows of a bank's page: the code that it shows goes into its one field, and the first button
 * confirms. Settles when the bank's page has gone on.
 */
export async function answerChallenge(frame: Frame, what: ChallengeReply = 'right'): Promise<void> {
  const buttons = frame.locator('button[type=submit], input[type=submit]')
  const isIt = (each: Frame) => each === frame
  // Our page may hear of the answer from the bank's server first, and take the frame away.
  const gone = Promise.race([
    frame.page().waitForEvent('framenavigated', isIt),
    frame.page().waitForEvent('framedetached', isIt),
  ])
  if (what === 'cancel') await press(frame, buttons.nth(1))
  else {
    await frame.locator(field).fill(await codeOnPage(frame, what))
    await press(frame, buttons.first())
  }
  await gone
}

/** In a shop's page by the key: the shop leads its window to the bank's question, and the mouse could miss the button. */
function press(frame: Frame, button: Locator): Promise<void> {
  const isInShop = frame.parentFrame() !== null && !frame.page().url().startsWith(pageUrl)
  return isInShop ? button.press('Enter', { noWaitAfter: true }) : button.click({ noWaitAfter: true })
}

/** The code that the bank's page shows, or another. */
export async function codeOnPage(
  frame: Frame,
  what: Exclude<ChallengeReply, 'cancel'> = 'right',
): Promise<string> {
  const shown = /(?<!\d)\d{6}(?!\d)/.exec(await frame.locator('body').innerText())?.[0] ?? ''
  if (what === 'right') return shown
  return shown === '111111' ? '222222' : '111111'
}

/** The frame or window in which the bank asks for a code, once it does. */
export async function bankFrame(page: Page): Promise<Frame> {
  const sandbox = (frame: Frame) => new URL(frame.url()).hostname === '127.0.0.1'
  return until(
    async () => {
      for (const frame of page.frames().filter((each) => each.url().startsWith('http') && sandbox(each))) {
        const count = await askFrame(frame, (each) => each.locator(field).count()).catch(() => 0)
        if (count === 1) return frame
      }
      return undefined
    },
    () => `the bank asks nothing; there are ${page.frames().map((frame) => frame.url())}`,
  )
}
