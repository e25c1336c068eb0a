import { page } from './ask.js'
import { element } from './element.js'
import { postForm } from './post-form.js'

const part = element('bank-part', HTMLElement)
const place = element('bank-place', HTMLElement)
const title = element('bank-title', HTMLElement)

/** Whether the bank's step is open in its frame. */
export function isBankOpen() {
  return place.childElementCount > 0
}

/**
 * Opens the frame in which the bank asks the payer. It is made anew each time, so that going back leaves the page and
 * not a step inside the frame.
 */
export function openBank() {
  const frame = document.createElement('iframe')
  frame.className = 'bank'
  frame.title = title.textContent ?? ''
  frame.allow = 'payment *; publickey-credentials-get *'
  frame.src = `${page}/bank`
  place.replaceChildren(frame)
  part.hidden = false
  // On a phone it begins below what is seen.
  part.scrollIntoView({ block: 'start' })
  title.focus({ preventScroll: true })
}

export function closeBank() {
  place.replaceChildren()
  part.hidden = true
}

/**
 * Calls whenever the frame says that something has changed. What it says is only a reason to ask.
 *
 * @param {() => void} onChange
 */
export function onBankNews(onChange) {
  window.addEventListener('message', ({ origin, source, data }) => {
    const frame = place.querySelector('iframe')
    if (origin === window.location.origin && source === frame?.contentWindow && data?.vezne === 'bridge')
      onChange()
  })
}

/**
 * Takes the card to the bank's own page: from an empty frame that can post to this bank alone, into this window. The
 * frame never shows the card, and nothing of it stays here.
 *
 * @param {{ carrier: string, form: { action: string, fields: Record<string, string> } }} way
 * @returns {Promise<void>}
 */
export function goToBank({ carrier, form }) {
  const frame = document.createElement('iframe')
  frame.hidden = true
  return new Promise((resolve) => {
    frame.addEventListener('load', () => {
      const inside = frame.contentDocument
      if (inside) postForm(inside, { url: form.action, fields: form.fields, target: '_parent' })
      resolve()
    })
    frame.src = carrier
    document.body.append(frame)
  })
}
