import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { closeBrowser } from './browser.ts'
import { openVisit, stopTime } from './visit.ts'

/** Longer than the time for which the browser counts a shift as a response to an input. */
const forgottenMs = 700

const clocks: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'that runs': async () => undefined,
  'that is stopped': stopTime,
  'that was stopped before the page was loaded': async (page) => {
    await stopTime(page)
    await page.reload()
  },
}

/** Pushes the page down and waits until the browser has counted the shift. */
const push = `new Promise((resolve) => {
  new PerformanceObserver(resolve).observe({ type: 'layout-shift' })
  document.body.prepend('pushed down')
})`

describe('a page that shifts without an input is noticed', () => {
  after(closeBrowser)

  for (const [clock, prepare] of Object.entries(clocks))
    it(`even after an input, with a clock ${clock}`, async () => {
      const { page, end } = await openVisit()
      await prepare(page)
      await page.click('#name')
      // Playwright needs two frames for this check, so the first frame after the input is over.
      await (await page.waitForSelector('#name')).waitForElementState('stable')
      await setTimeout(forgottenMs)
      await page.evaluate(push)
      const { wrong } = await end()
      assert.match(wrong.join(), /^\/p\/:token shifts by /)
    })
})
