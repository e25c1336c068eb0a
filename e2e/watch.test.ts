import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { closeBrowser } from './browser.ts'
import { openVisit, stopTime } from './visit.ts'

/** Longer than a browser calls a shift an answer to an input, and than a frame takes. */
const forgottenMs = 1_000

const clocks: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'that runs': async () => undefined,
  'that is stopped': stopTime,
}

describe('a page that shifts by itself is noticed', () => {
  after(closeBrowser)

  for (const [clock, prepare] of Object.entries(clocks))
    it(`also after an input, with a clock ${clock}`, async () => {
      const { page, end } = await openVisit()
      await prepare(page)
      await page.fill('#name', 'Işık')
      await setTimeout(forgottenMs)
      await page.evaluate(`document.body.prepend('pushed down')`)
      await setTimeout(forgottenMs)
      const { wrong } = await end()
      assert.match(wrong.join(), /^\/p\/:token shifts by /)
    })
})
