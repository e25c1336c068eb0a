import { element } from './element.ts'
import { isParentSameOrigin } from './parent-origin.ts'
import type { PageState } from './rules/page-state.ts'

/** Where a payment stands, as who shows the page in a frame is told. */
type Step = PageState['view'] | 'bank'

const { dataset } = document.body
const isOurs = isParentSameOrigin()

/** Whether this page stands in a frame of somebody else's page. */
export const isFramed = window.parent !== window && !isOurs

const framers = dataset['framers']?.split(' ') ?? []
const transactionId = Number(element('copy-id', HTMLElement).dataset['id'])
/** An element greets at once. Without a greeting by then, the page is shown and scrolls by itself. */
const greetedMs = 400
/** What moves by a change of the height is let go of by then. */
const releasedMs = 400

/** The origin of the payment element around this page, once it has greeted. */
let listener: string | undefined
let step: Step | undefined
let lastHeight = 0

/**
 * Speaks with the payment element, if this page is in one: who shows it hears how the payment stands, how tall the page is
 * and where to look, and nothing else. Guarantee: it is told to the window above alone, and only while that is at an origin
 * which its merchant has registered.
 */
export function mountParentMessages(): void {
  // The bank's page has led back into a frame of our own, and the browser did not say that it is in one.
  if (isOurs) window.parent.postMessage({ vezne: 'return' }, window.location.origin)
  document.body.hidden = isOurs
  if (!isFramed) return
  dataset['framed'] ??= 'true'
  setTimeout(() => {
    if (listener === undefined) dataset['framed'] = 'alone'
  }, greetedMs)
  window.addEventListener('message', ({ source, origin, data }) => {
    const isGreeting = data?.vezne === 'element' && data.type === 'greet' && data.version === 1
    if (source !== window.parent || !framers.includes(origin) || !isGreeting) return
    listener = origin
    // The payer sees the page already if the greeting comes late. It stays as it is laid out.
    if (dataset['framed'] === 'true') dataset['framed'] = 'element'
    postStep()
    postSize(true)
  })
  new ResizeObserver(() => postSize()).observe(document.body)
  window.addEventListener('focusout', () => setTimeout(() => postSize(), releasedMs))
  // Nothing is known of who is above, so nothing is said but that somebody is here.
  window.parent.postMessage({ vezne: 'page', type: 'here' }, '*')
}

/** Tells where the payment stands, when that is news. */
export function reportStep(now: Step): void {
  if (now === step) return
  step = now
  postStep()
}

/** Has the window above brought to where the payer is to look, if it is out of sight there. */
export function scrollParentTo(part: Element): void {
  if (listener === undefined) return
  const { top, bottom } = part.getBoundingClientRect()
  scrollParentToSpan(top, bottom)
}

/** The same, from one height below the frame's upper edge to another. */
export function scrollParentToSpan(top: number, bottom: number): void {
  postSize()
  postToParent('look', { top: Math.round(top), bottom: Math.round(bottom) })
}

/** Has the window above go there. Answers whether there is an element that does so. */
export function redirectParent(url: string): boolean {
  postToParent('leave', { url })
  return listener !== undefined
}

/** Whether the focus may be moved. In somebody else's page it is not taken from what the payer does there. */
export function mayFocus(): boolean {
  return !isFramed || document.hasFocus()
}

function postStep(): void {
  if (step) postToParent('standing', { step, transaction_id: transactionId })
}

/**
 * Tells how tall the page is, when that is news. What appeared above a field in which somebody types was scrolled past
 * (without-layout-jump.ts), and is made room for when they are done: or the field would move after all.
 */
function postSize(isForced = false): void {
  if (listener === undefined) return
  const isTyping = document.activeElement instanceof HTMLInputElement && window.scrollY > 0
  const exactly = document.body.getBoundingClientRect().height
  const height = Math.ceil(exactly)
  // What is not shown has no width, and every word would take a line.
  if (window.innerWidth === 0 || (!isForced && (isTyping || height === lastHeight))) return
  lastHeight = height
  // Frames have whole pixels. With a part of one left over, what appears could not be scrolled past to the end.
  document.documentElement.style.paddingBottom = `${height - exactly}px`
  postToParent('size', { height })
}

function postToParent(type: string, more: object): void {
  if (listener !== undefined) window.parent.postMessage({ vezne: 'page', type, ...more }, listener)
}
