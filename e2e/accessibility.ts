import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { CDPSession, Page } from 'playwright-core'
import { ignoreShifts } from './watch.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What is asked of a page as a whole, and not of a frame in it. */
const ofPages = ['landmark-one-main', 'page-has-heading-one', 'region']

/** What axe has to say of a document; of frames in it, nothing. */
const run = (options: object) => `axe.run(document, ${JSON.stringify(options)})
  .then(({ violations }) => violations.map(({ id, help, nodes }) =>
    id + ': ' + help + ' · ' + nodes.map(({ target, failureSummary }) =>
      target.join(' ') + ' (' + failureSummary.split('\\n').slice(1).join(' ').trim() + ')').join('; ')))`

/**
 * What stands in the way of people who see, hear or move otherwise, in our documents of this window: the page and, where
 * it is open, the bridge to the bank. The bank's page is the bank's. axe works in a world of its own, so that it neither
 * needs nor meets the policies of the page.
 */
export function accessibilityViolations(page: Page): Promise<string[]> {
  return withAxe(page, (look) => look())
}

/** Loads axe once for any number of looks: that takes as long as a look. */
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

/** Answers what is found now. */
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

/** As wide as a small phone, and as a desk. 640 of 1280 is what 200 % leaves. */
const widths = [320, 640, 1280]

/**
 * Fails unless everybody can use what is shown now: light and dark, narrow and wide, at 200 %, and with nothing to scroll
 * sideways for.
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

/** What sticks out of the window at its side, at each width. */
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

/** What sticks out of the window at its side; nothing if all is in it. */
export async function horizontalOverflow(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { scrollWidth } = document.documentElement
    if (scrollWidth <= innerWidth) return ''
    const wide = [...document.querySelectorAll('body *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
    return scrollWidth + ' px wide because of ' + wide.slice(0, 3).map((each) => each.id || each.className || each.localName).join(', ')
  })()`)
}
