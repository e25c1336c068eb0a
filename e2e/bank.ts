import type { Frame, Locator, Page } from 'playwright-core'
import { askFrame } from './ask-frame.ts'
import { pageUrl } from './shop.ts'
import { until } from './until.ts'

/** Action of a payer on the bank's page. */
export type ChallengeReply = 'right' | 'wrong' | 'cancel'

/** Field for the code, on every bank's page. */
export const bankField = 'input[type=text], input:not([type])'

/**
 * Answers the challenge as a person would: types the shown code into the only field and presses the first
 * button. Returns when the bank's page has moved on.
 */
export async function answerChallenge(frame: Frame, what: ChallengeReply = 'right'): Promise<void> {
  const buttons = frame.locator('button[type=submit], input[type=submit]')
  const isIt = (each: Frame) => each === frame
  // Our page may learn the result from the bank's server first and remove the frame.
  const gone = Promise.race([
    frame.page().waitForEvent('framenavigated', isIt),
    frame.page().waitForEvent('framedetached', isIt),
  ])
  if (what === 'cancel') await press(frame, buttons.nth(1))
  else {
    await frame.locator(bankField).fill(await codeOnPage(frame, what))
    await press(frame, buttons.first())
  }
  await gone
}

/**
 * Presses by key in a shop's page: the shop scrolls to the challenge, and a mouse click could miss the
 * button.
 */
function press(frame: Frame, button: Locator): Promise<void> {
  const isInShop = frame.parentFrame() !== null && !frame.page().url().startsWith(pageUrl)
  return isInShop ? button.press('Enter', { noWaitAfter: true }) : button.click({ noWaitAfter: true })
}

/** Code that the bank's page shows, or a wrong one. */
export async function codeOnPage(
  frame: Frame,
  what: Exclude<ChallengeReply, 'cancel'> = 'right',
): Promise<string> {
  const shown = codeIn(await frame.locator('body').innerText())
  if (what === 'right') return shown
  return shown === '111111' ? '222222' : '111111'
}

/** Code in the text of the bank's page. */
export const codeIn = (text: string) => /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0] ?? ''

/** Waits for the frame or window in which the bank asks for a code. */
export async function bankFrame(page: Page): Promise<Frame> {
  const sandbox = (frame: Frame) => new URL(frame.url()).hostname === '127.0.0.1'
  return until(
    async () => {
      for (const frame of page.frames().filter((each) => each.url().startsWith('http') && sandbox(each))) {
        const count = await askFrame(frame, (each) => each.locator(bankField).count()).catch(() => 0)
        if (count === 1) return frame
      }
      return undefined
    },
    () => `the bank asks nothing; there are ${page.frames().map((frame) => frame.url())}`,
  )
}
