import { availableParallelism } from 'node:os'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { browserSwitches, launchBrowser } from './browser.ts'
import { giveUpAfterMs } from './until.ts'

/**
 * Parts of Chromium's own window that are invisible here. Each costs every window as much as the page in it.
 */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** Upper limit for a light browser. A headless shell on an idle machine opens a window in less. */
const lightMs = 400

export interface BrowserCapacity {
  /** Environment with which the test files start the browser. */
  env: { E2E_BROWSER: string; E2E_BROWSER_SWITCHES: string }
  /** Time to open a window with a page in it. */
  windowMs: number
  /** Number of test files that run at the same time. */
  atOnce: number
}

/** Starts the browser and opens some windows, to decide how many test files can run at the same time. */
export async function measureBrowser(path: string): Promise<BrowserCapacity> {
  const env = { E2E_BROWSER: path, E2E_BROWSER_SWITCHES: JSON.stringify(await lightSwitches(path)) }
  const browser = await launchBrowser(env)
  const windowMs = Math.round(await medianWindowMs(browser))
  await browser.close()
  return { env, windowMs, atOnce: filesAtOnce(windowMs) }
}

/** Chromium reads only the last list of features, so ours includes Playwright's. */
async function lightSwitches(executablePath: string): Promise<string[]> {
  const server = await chromium.launchServer({
    executablePath,
    args: browserSwitches,
    timeout: giveUpAfterMs,
  })
  const list = server.process().spawnargs.find((word) => word.startsWith('--disable-features='))
  await server.close()
  return [...browserSwitches, `${list ?? '--disable-features='},${unseenFeatures.join(',')}`]
}

async function medianWindowMs(browser: Browser): Promise<number> {
  const tookMs: number[] = []
  for (let count = 0; count < 5; count++) {
    const beganAtMs = performance.now()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto('data:text/html,<input>')
    await page.fill('input', 'x')
    await context.close()
    tookMs.push(performance.now() - beganAtMs)
  }
  return tookMs.toSorted((one, other) => one - other)[2] ?? 0
}

/** One file more than processors, because tests sometimes wait; not if windows are expensive. */
function filesAtOnce(windowMs: number): number {
  const processors = Math.min(availableParallelism(), 3)
  return windowMs <= lightMs ? processors + 1 : processors
}
