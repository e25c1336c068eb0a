import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { findBrowser } from '../e2e/find-browser.ts'
import { measureBrowser } from '../e2e/measure-browser.ts'
import { startRunningService } from '../e2e/running-service.ts'
import { makeTestRunFolder } from '../scripts/test/folder.ts'

/**
 * Measures the payment page on a slow phone: a processor four times slower, 1.6 Mbit/s, 150 ms. The baseline is
 * a page of text from the same service in the same run. Prints one line of JSON.
 *
 * - `npm run bench:phone` opens each page seven times.
 * - `npm run bench:phone -- 3` is a quick look.
 */
const visits = Number(process.argv[2] ?? 7)
const phone = { width: 375, height: 812, touch: true, language: 'tr' } as const

interface Visit {
  paintMs: number
  interactions: Record<string, number>
  bytes: number
}

/** Runs in the page, before its own script. */
const observe = `(() => {
  window.interactions = {}
  new PerformanceObserver((list) => {
    for (const { name, duration, interactionId, target } of list.getEntries())
      if (interactionId) {
        const key = name + ' ' + (target?.id || target?.className || target?.localName)
        window.interactions[key] = Math.max(window.interactions[key] ?? 0, duration)
      }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
})()`

async function slowDown(page: Page): Promise<{ bytes(): number }> {
  const session = await page.context().newCDPSession(page)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1_600_000 / 8,
    uploadThroughput: 750_000 / 8,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return { bytes: () => bytes }
}

const paintMs = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((resolve) => {
    const found = performance.getEntriesByName('first-contentful-paint')[0]
    if (found) return resolve(found.startTime)
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
    }).observe({ type: 'paint', buffered: true })
  })`)

async function main(): Promise<void> {
  const { openContext, closeBrowser } = await import('../e2e/browser.ts')
  const { startPayment, pageUrl } = await import('../e2e/shop.ts')
  const { closeDatabase } = await import('../e2e/database.ts')
  const visit = async (address: string, isForm: boolean): Promise<Visit> => {
    const context = await openContext(phone)
    await context.addInitScript({ content: observe })
    const page = await context.newPage()
    const { bytes } = await slowDown(page)
    await page.goto(address)
    const painted = await paintMs(page)
    await page.waitForLoadState('load')
    const loaded = bytes()
    if (isForm) await use(page)
    const interactions = await page.evaluate<Record<string, number>>('window.interactions')
    await context.close()
    return { paintMs: painted, interactions, bytes: loaded }
  }
  // The service builds its files at the first visit, which is not counted.
  const open = async () => (await startPayment({ amount: '125000' })).url
  await visit(await open(), true)
  const pages: Visit[] = []
  const texts: Visit[] = []
  for (let count = 0; count < visits; count++) {
    texts.push(await visit(`${pageUrl}/p/unknown`, false))
    pages.push(await visit(await open(), true))
  }
  const first = median(pages.map((each) => each.paintMs))
  const bare = median(texts.map((each) => each.paintMs))
  const worst = pages.map(({ interactions }) => Math.max(...Object.values(interactions)))
  process.stdout.write(
    `${JSON.stringify({
      measure: 'slow_phone',
      first_paint_ms: Math.round(first),
      baseline_ms: Math.round(bare),
      ratio: Number((first / bare).toFixed(2)),
      interaction_ms: median(worst),
      bytes: median(pages.map((each) => each.bytes)),
    })}\n`,
  )
  await closeBrowser()
  await closeDatabase()
}

/** Types the payer and a card as a person does, and presses the button without a name on the card. */
async function use(page: Page): Promise<void> {
  await page.tap('#name')
  await page.keyboard.type('Işık')
  await page.tap('#number')
  await page.keyboard.type('5400360000000003', { delay: 60 })
  await page.locator('#plans[data-state=offered]').waitFor()
  await page.tap('#expiry')
  await page.keyboard.type('1230', { delay: 60 })
  await page.locator('.plan').nth(2).tap()
  await page.tap('#pay')
  await page.locator('.fault:not([hidden])').first().waitFor()
  await page.waitForTimeout(300)
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

const folder = makeTestRunFolder()
try {
  process.env['TMPDIR'] = folder
  const browser = await measureBrowser(await findBrowser())
  const stage = await startRunningService(folder)
  Object.assign(process.env, browser.env, stage.env)
  try {
    await main()
  } finally {
    await stage.end()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
