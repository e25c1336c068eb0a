import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { PageMessage } from './messages.ts'
import { greeting, readMessage } from './messages.ts'
import type { Shell } from './shell.ts'
import { createElement, initialHeight, skeleton } from './shell.ts'
import { texts } from './texts.ts'

/** So long after the frame has loaded something the page must have said that it is there. */
const silenceMs = 10_000
/** Where not even that happens. */
const longestSilenceMs = 30_000
/** A page that is there says at once how high it is; one that does not is shown all the same. */
const sizedMs = 500

export interface FrameOptions {
  shell: Shell
  browser: Browser
  /** The payment page. */
  url: string
  /** Ends everything. */
  signal: AbortSignal
  onMessage(message: PageMessage): void
  /** The page was not shown. */
  onMissing(): void
}

/**
 * Shows the payment page in a frame and listens to it. Guarantee: nothing is heard but what this very frame says while the
 * page's own origin is in it, and nobody else is greeted.
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
    // What can be read is the nothing that every frame begins with.
    if (hasLoaded || frame.contentDocument) return
    hasLoaded = true
    afterUnlessAborted(browser, silenceMs, signal, missed)
  }
  frame.addEventListener('load', loaded, { signal })
  afterUnlessAborted(browser, longestSilenceMs, signal, missed)
  shell.setLayout(height)
  shell.show(stage)
  // The page comes into a frame that has its size, and is not laid out twice.
  frame.getBoundingClientRect()
  frame.src = url
}

/**
 * Scrolls everything around, be it the window or a box of the merchant's, and no further than needed. What is nearly as tall
 * as the window is shown from its beginning: the nearest edge may be the other one, below what the merchant keeps free.
 */
function bringIntoSight(marker: Element): void {
  const { top, bottom, height } = marker.getBoundingClientRect()
  if (top >= 0 && bottom <= window.innerHeight) return
  const block = height > window.innerHeight / 2 ? 'start' : 'nearest'
  // At once, whatever the web page's style says: what still moves is not hit by who presses a button in it.
  marker.scrollIntoView({ block, behavior: 'instant' })
}
