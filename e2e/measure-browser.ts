import { availableParallelism } from 'node:os'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'
import { browserSwitches, launchBrowser } from './browser.ts'
import { giveUpAfterMs } from './until.ts'

/** Parts of Chromium's own window. Nobody sees them here, and both cost every window as much as the page in it. */
const unseenFeatures = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/** A headless shell opens a window in less, on a machine that has nothing else to do. */
const lightMs = 400

export interface BrowserCapacity {
  /** For the test files, which start the browser by it. */
  env: { E2E_BROWSER: string; E2E_BROWSER_SWITCHES: string }
  /** Time to open a window with a page in it. */
  windowMs: number
  /** Number of test files at a time. */
  atOnce: number
}

/** Starts the browser and opens some windows, to know how many of them the machine can have at a time. */
export async function measureBrowser(path: string): Promise<BrowserCapacity> {
  const env = { E2E_BROWSER: path, E2E_BROWSER_SWITCHES: JSON.stringify(await lightSwitches(path)) }
  const browser = await launchBrowser(env)
  const windowMs = Math.round(await medianWindowMs(browser))
  await browser.close()
  return { env, windowMs, atOnce: filesAtOnce(windowMs) }
}

/** Of two lists of features Chromium reads the last one, so ours holds Playwright's too. */
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

/** Tests wait now and then; one file more than there are processors uses that time, unless windows are dear. */
function filesAtOnce(windowMs: number): number {
  const processors = Math.min(availableParallelism(), 3)
  return windowMs <= lightMs ? processors + 1 : processors
}
