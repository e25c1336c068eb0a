import type { BrowserContext, Page } from 'playwright-core'
import { pageUrl } from './shop.ts'

/** What a browser says of a request that was refused as it should be. */
const ordinary = /status of (409|422|429)/

/** A browser whose requests a test intercepts takes no style from its memory, and may paint a frame before it has come. */
export const interceptionShift = /bank shifts by [\d.]+: body \(8 16 /

/** The shift that the browser counts where a notice appears above the field that the payer types in: the page scrolls past it. */
export const scrollShift = /:token shifts by [\d.]+: #pay-part \(/

/** Something that a document of ours has noticed about itself. */
type Note =
  | { kind: 'policy'; at: string; text: string }
  | { kind: 'shift'; at: string; value: number; isAnswer: boolean; moved: string[] }

/** What happened in a window beside what a test looks for. */
export interface WatchResult {
  /** What must not. */
  wrong: string[]
  /** What jumped right after the payer did something. */
  jumps: string[]
}

/** Which of our documents it is. */
const documentPath = (address: string) => new URL(address).pathname.replace(/[\w-]{38,}/, ':token')

/** Every document of a window tells of policies that it violates, and of everything that moves in it by itself. */
const watchScript = `(() => {
  const tell = (note) => window.vezneTell?.(JSON.stringify({ ...note, at: location.href }))
  addEventListener('securitypolicyviolation', (event) =>
    tell({ kind: 'policy', text: event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile }))
  const nameOf = (node) => !node ? 'something' : node.id ? '#' + node.id
    : (node.localName ?? node.nodeName) + (node.className ? '.' + String(node.className).replaceAll(' ', '.') : '') +
      (node.parentElement?.closest('[id]') ? ' in #' + node.parentElement.closest('[id]').id : '')
  const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ')
  // The browser calls a shift an answer for half a second after an input. On a busy machine the first frame may come later:
  // what it shows is an answer too. It has been laid out when the second begins. The clock and the frames are those of the
  // browser, since a test may stop the page's.
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

/** Collects what happens in a window. Settles with it once everything that is under way has been looked at. */
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
    // A full browser asks for an icon where a page names none, as a white label's.
    if (message.location().url === `${pageUrl}/favicon.ico`) return
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

/** From now on things may move: the window is about to be made narrow and wide. */
export async function ignoreShifts(page: Page): Promise<void> {
  for (const frame of page.frames())
    if (frame.url().startsWith(pageUrl)) await frame.evaluate('window.vezneOverlooks = true')
}
