import { element } from './element.ts'
import { isParentSameOrigin } from './parent-origin.ts'
import type { PageState } from './rules/page-state.ts'

/** Step of a payment as reported to the framing page. */
type Step = PageState['view'] | 'bank'

const { dataset } = document.body
const isOurs = isParentSameOrigin()

/** True if this page is in a frame of another site. */
export const isFramed = window.parent !== window && !isOurs

const framers = dataset['framers']?.split(' ') ?? []
const transactionId = Number(element('copy-id', HTMLElement).dataset['id'])
/**
 * Time limit of the greeting. The payment element greets immediately; without a greeting the page is shown
 * and scrolls by itself.
 */
const greetedMs = 400
/** Time after which a field is released and a change of the height moves nothing. */
const releasedMs = 400

/** Origin of the payment element around this page, set by its greeting. */
let listener: string | undefined
let step: Step | undefined
let lastHeight = 0

/**
 * Exchanges messages with the payment element around this page. The element gets the step of the payment, the
 * height of the page and the position to scroll to, and nothing else. Guarantee: messages go only to the
 * parent window, and only while its origin is registered by the merchant.
 */
export function mountParentMessages(): void {
  // The bank's page has returned into a frame of ours, and the browser did not send the header that shows it
  // is framed.
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
    // The page is already visible if the greeting is late, so its layout stays.
    if (dataset['framed'] === 'true') dataset['framed'] = 'element'
    postStep()
    postSize(true)
  })
  new ResizeObserver(() => postSize()).observe(document.body)
  window.addEventListener('focusout', () => setTimeout(() => postSize(), releasedMs))
  // The parent is unknown here, so the message contains nothing but the announcement.
  window.parent.postMessage({ vezne: 'page', type: 'here' }, '*')
}

/** Reports a new step of the payment. */
export function reportStep(now: Step): void {
  if (now === step) return
  step = now
  postStep()
}

/** Asks the parent window to scroll to this part if it is out of view. */
export function scrollParentTo(part: Element): void {
  if (listener === undefined) return
  const { top, bottom } = part.getBoundingClientRect()
  scrollParentToSpan(top, bottom)
}

/** Asks the parent window to scroll to a span, in pixels below the frame's upper edge. */
export function scrollParentToSpan(top: number, bottom: number): void {
  postSize()
  postToParent('look', { top: Math.round(top), bottom: Math.round(bottom) })
}

/** Asks the parent window to navigate. Returns false if no payment element is there. */
export function redirectParent(url: string): boolean {
  postToParent('leave', { url })
  return listener !== undefined
}

/**
 * True if the focus may be moved. Inside another site's page it must not be taken from the payer's work
 * there.
 */
export function mayFocus(): boolean {
  return !isFramed || document.hasFocus()
}

function postStep(): void {
  if (step) postToParent('standing', { step, transaction_id: transactionId })
}

/**
 * Reports a new height of the page. While the payer types, a notice above the field was scrolled past
 * (without-layout-jump.ts). The frame grows only when they are done, or the field would move.
 */
function postSize(isForced = false): void {
  if (listener === undefined) return
  const isTyping = document.activeElement instanceof HTMLInputElement && window.scrollY > 0
  const exactly = document.body.getBoundingClientRect().height
  const height = Math.ceil(exactly)
  // A hidden frame has no width, and every word would take a line.
  if (window.innerWidth === 0 || (!isForced && (isTyping || height === lastHeight))) return
  lastHeight = height
  // Frames have whole pixels. With a fraction left over, the page could not be scrolled to its end.
  document.documentElement.style.paddingBottom = `${height - exactly}px`
  postToParent('size', { height })
}

function postToParent(type: string, more: object): void {
  if (listener !== undefined) window.parent.postMessage({ vezne: 'page', type, ...more }, listener)
}
