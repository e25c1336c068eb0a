import type { BrowserContext, Page } from 'playwright-core'
import { pageUrl } from './shop.ts'

/** Browser messages about requests that were correctly refused. */
const ordinary = /status of (409|422|429)/

/**
 * Expected shift: while a test intercepts requests, styles do not come from the cache, and a frame may be
 * painted before them.
 */
export const interceptionShift = /bank shifts by [\d.]+: body \(8 16 /

/** Observation of one of our documents about itself. */
type Note =
  | { kind: 'policy'; at: string; text: string }
  | { kind: 'shift'; at: string; value: number; isAnswer: boolean; moved: string[] }

/** Observations of a window. */
export interface WatchResult {
  /** Events that must not happen. */
  wrong: string[]
  /** Shifts right after an input. */
  jumps: string[]
}

/** Path of a document, without its token. */
const documentPath = (address: string) => new URL(address).pathname.replace(/[\w-]{38,}/, ':token')

/** Reports policy violations and layout shifts of every document of a window. */
const watchScript = `(() => {
  const tell = (note) => window.vezneTell?.(JSON.stringify({ ...note, at: location.href }))
  addEventListener('securitypolicyviolation', (event) =>
    tell({ kind: 'policy', text: event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile }))
  const nameOf = (node) => !node ? 'something' : node.id ? '#' + node.id
    : (node.localName ?? node.nodeName) + (node.className ? '.' + String(node.className).replaceAll(' ', '.') : '') +
      (node.parentElement?.closest('[id]') ? ' in #' + node.parentElement.closest('[id]').id : '')
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  // The browser counts a shift as a response for half a second after an input. On a busy machine the first frame may come
  // later; its shifts are responses too. Its layout is done when the second frame begins. The clock and the frames are the
  // browser's, because a test may stop the page's clock.
  const now = performance.now.bind(performance)
  const nextFrame = requestAnimationFrame.bind(window)
  const spans = []
  for (const type of ['pointerdown', 'click', 'keydown'])
    addEventListener(type, ({ isTrusted }) => {
      if (!isTrusted) return
      const span = { from: now(), to: Infinity }
      spans.push(span)
      nextFrame(() => nextFrame(() => (span.to = now())))
    }, true)
  const isInSpan = (time) => spans.some(({ from, to }) => from <= time && time <= to)
  new PerformanceObserver((list) => {
    if (window.vezneOverlooks) return
    for (const { value, hadRecentInput, startTime, sources } of list.getEntries())
      tell({ kind: 'shift', value, isAnswer: hadRecentInput || isInSpan(startTime), moved: sources.map(({ node, previousRect, currentRect }) =>
        nameOf(node) + ' (' + place(previousRect) + ' → ' + place(currentRect) + ')') })
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** Collects the observations of a window. The returned function waits for pending checks and returns them. */
export async function watchWindow(
  context: BrowserContext,
  expected: readonly RegExp[],
): Promise<() => Promise<WatchResult>> {
  const isExpected = (text: string) => expected.some((each) => each.test(text))
  const wrong: string[] = []
  const jumps: string[] = []
  const looks: Promise<void>[] = []
  context.on('response', (response) => {
    const look = async () => {
      const headers = await response.allHeaders().catch(() => undefined)
      if (headers?.['set-cookie'] !== undefined) wrong.push(`a cookie is set by ${response.url()}`)
    }
    looks.push(look())
  })
  context.on('console', (message) => {
    const text = message.text()
    const isBad = message.type() === 'error' || /content security policy|trusted ?types?/i.test(text)
    if (isBad && !ordinary.test(text) && !isExpected(text)) wrong.push(text)
  })
  context.on('weberror', (error) => wrong.push(String(error.error())))
  await context.exposeBinding('vezneTell', (_source, text: string) => {
    const note = JSON.parse(text) as Note
    if (!note.at.startsWith(pageUrl)) return
    if (note.kind === 'policy') wrong.push(`a policy is violated: ${note.text}`)
    else if (note.value > 0) {
      const what = `${documentPath(note.at)} shifts by ${note.value.toFixed(4)}: ${note.moved.join(', ')}`
      if (note.isAnswer) jumps.push(what)
      else if (!isExpected(what)) wrong.push(what)
    }
  })
  await context.addInitScript({ content: watchScript })
  return async () => {
    await Promise.all(looks)
    return { wrong, jumps }
  }
}

/** Ignores shifts from now on, because the test changes the width of the window. */
export async function ignoreShifts(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (frame.url().startsWith(pageUrl)) await frame.evaluate('window.vezneOverlooks = true')
}
