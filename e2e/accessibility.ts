import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'
import { ignoreShifts } from './watch.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules for a whole page that do not apply to a frame in it. */
const ofPages = ['landmark-one-main', 'page-has-heading-one', 'region']

/** Script that returns axe's violations of a document, without its frames. */
const run = (options: object) => `axe.run(document, ${JSON.stringify(options)})
  .then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ': ' + help + ' · ' + nodes.map(({ target, failureSummary }) =>
      target.join(' ') + ' (' + failureSummary.split('\\n').slice(1).join(' ').trim() + ')').join('; ')))`

/**
 * Accessibility violations in our documents of this window: the page and, if it is open, the bridge to the
 * bank. The bank's own page is not checked. axe runs in an isolated world, so the page's policies do not
 * affect it.
 */
export function accessibilityViolations(page: Page): Promise<string[]> {
  return withAxe(page, (look) => look())
}

/** Loads axe once for several checks, because loading takes as long as a check. */
async function withAxe<Result>(page: Page, work: (look: Look) => Promise<Result>): Promise<Result> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const own = new URL(frameTree.frame.url).origin
    const bridges = (frameTree.childFrames ?? []).filter(
      ({ frame }) => frame.url.startsWith(own) && new URL(frame.url).pathname.endsWith('/bank'),
    )
    const looks: Look[] = []
    for (const { frame } of [frameTree, ...bridges]) looks.push(await lookInto(session, frame))
    return await work(async () => {
      const found: string[] = []
      for (const look of looks) found.push(...(await look()))
      return found
    })
  } finally {
    await session.detach()
  }
}

/** Returns the violations at this moment. */
type Look = () => Promise<string[]>

async function lookInto(session: CDPSession, frame: { id: string; parentId?: string }): Promise<Look> {
  const world = await session.send('Page.createIsolatedWorld', { frameId: frame.id, worldName: 'axe' })
  const contextId = world.executionContextId
  await session.send('Runtime.evaluate', { expression: axe.source, contextId })
  const rules = frame.parentId ? Object.fromEntries(ofPages.map((rule) => [rule, { enabled: false }])) : {}
  const options = { runOnly: tags, rules, iframes: false, resultTypes: ['violations'] }
  const request = { expression: run(options), contextId, awaitPromise: true, returnByValue: true }
  return async () => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', request)
    if (exceptionDetails) throw new Error(`axe: ${exceptionDetails.exception?.description}`)
    return result.value as string[]
  }
}

/** Widths of a small phone and of a desktop. A window of 1280 px zoomed to 200 % shows 640 px. */
const widths = [320, 640, 1280]

/**
 * Fails unless the page is accessible in light and dark and at narrow and wide widths, and never scrolls
 * sideways, also not at 200 % zoom.
 */
export async function assertAccessible(page: Page): Promise<void> {
  const found = await overflowAtEveryWidth(page)
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  await withAxe(page, async (look) => {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: before.height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        for (const each of await look()) found.push(`${width} px, ${colorScheme}: ${each}`)
      }
    }
  })
  await page.setViewportSize(before)
  assert.deepEqual(found, [])
}

/** Elements that overflow the window sideways, at each width. */
export async function overflowAtEveryWidth(page: Page): Promise<string[]> {
  await ignoreShifts(page)
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: before.height })
    const overhang = await horizontalOverflow(page)
    if (overhang !== '') found.push(`${width} px: ${overhang}`)
  }
  await page.setViewportSize(before)
  return found
}

/** Elements that overflow the window sideways; empty if there are none. */
export async function horizontalOverflow(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= innerWidth) return ''
    const wide = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
    return scrollWidth + ' px wide because of ' + wide.slice(0, 3).map((each) => each.id || each.className || each.localName).join(', ')
  })()`)
}
