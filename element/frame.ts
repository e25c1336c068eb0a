import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { PageMessage } from './messages.ts'
import { greeting, readMessage } from './messages.ts'
import type { Shell } from './shell.ts'
import { createElement, initialHeight, skeleton } from './shell.ts'
import { texts } from './texts.ts'

/** Time after the frame has loaded within which the page must announce itself. */
const silenceMs = 10_000
/** Time limit if the frame does not load at all. */
const longestSilenceMs = 30_000
/** Time limit of the first size. The page sends it immediately; without it the frame is shown anyway. */
const sizedMs = 500

export interface FrameOptions {
  shell: Shell
  browser: Browser
  /** Address of the payment page. */
  url: string
  /** Ends all listeners and timers. */
  signal: AbortSignal
  onMessage(message: PageMessage): void
  /** Called if the page is not shown. */
  onMissing(): void
}

/**
 * Shows the payment page in a frame and reads its messages. Guarantee: only messages of this frame with the
 * page's own origin count, and only that origin is greeted.
 */
export function openFrame({ shell, browser, url, signal, onMessage, onMissing }: FrameOptions): void {
  const { origin } = new URL(url)
  const frame = createElement('iframe', '')
  frame.title = texts.title[shell.language]
  frame.allow = 'payment *; publickey-credentials-get *'
  const waiting = skeleton(shell)
  const marker = createElement('span', 'place')
  const stage = createElement('div', 'stage waits', frame, marker, waiting)
  let height = initialHeight
  let isHere = false
  const missed = () => {
    if (!isHere) onMissing()
  }
  const reveal = () => {
    waiting.remove()
    stage.classList.remove('waits')
  }
  const take = (message: PageMessage) => {
    if (message.type === 'here') {
      isHere = true
      frame.contentWindow?.postMessage(greeting, origin)
      afterUnlessAborted(browser, sizedMs, signal, reveal)
    } else if (message.type === 'size') {
      height = message.height
      shell.setLayout(height)
      reveal()
    } else if (message.type === 'look') {
      shell.setLayout(height, Math.min(message.top, height), Math.min(message.bottom, height))
      bringIntoSight(marker)
    } else onMessage(message)
  }
  window.addEventListener(
    'message',
    (event) => {
      if (event.origin !== origin || !event.source || event.source !== frame.contentWindow) return
      const message = readMessage(event.data)
      if (message) take(message)
    },
    { signal },
  )
  let hasLoaded = false
  const loaded = () => {
    // A readable document is the empty one that every frame begins with.
    if (hasLoaded || frame.contentDocument) return
    hasLoaded = true
    afterUnlessAborted(browser, silenceMs, signal, missed)
  }
  frame.addEventListener('load', loaded, { signal })
  afterUnlessAborted(browser, longestSilenceMs, signal, missed)
  shell.setLayout(height)
  shell.show(stage)
  // The frame gets its size first, so that the page is not laid out twice.
  frame.getBoundingClientRect()
  frame.src = url
}

/**
 * Scrolls all containers, window included, no further than needed. A part nearly as tall as the window is
 * shown from its beginning: the nearest edge may be the lower one, and the merchant may keep space free at
 * the top.
 */
function bringIntoSight(marker: Element): void {
  const { top, bottom, height } = marker.getBoundingClientRect()
  if (top >= 0 && bottom <= window.innerHeight) return
  const block = height > window.innerHeight / 2 ? 'start' : 'nearest'
  // Immediately, whatever the web page's style is: a press on a moving button would miss it.
  marker.scrollIntoView({ block, behavior: 'instant' })
}
