import { page } from './ask.ts'
import { element } from './element.ts'
import { postForm } from './post-form.ts'

/** A form for the bank's page, and the frame to post it from. */
export interface BankWay {
  carrier: string
  form: { action: string; fields: Record<string, string> }
}

const part = element('bank-part', HTMLDialogElement)
const place = element('bank-place', HTMLElement)
const title = element('bank-title', HTMLElement)
const amount = element('bank-amount', HTMLElement)

/** What the bank's step is called. */
export const bankTitle = title.textContent ?? ''

/** Whether the bank's step is open in its frame. */
export function isBankOpen(): boolean {
  return place.childElementCount > 0
}

/**
 * Opens the sheet in whose frame the bank asks the payer; all else cannot be reached meanwhile. The frame is made anew
 * each time, so that going back leaves the page and not a step inside the frame.
 */
export function openBank(total: string): void {
  const frame = document.createElement('iframe')
  frame.className = 'bank'
  frame.title = bankTitle
  frame.allow = 'payment *; publickey-credentials-get *'
  frame.src = `${page}/bank?lang=${document.documentElement.lang}`
  frame.addEventListener('load', () => frame.classList.add('loaded'))
  place.replaceChildren(frame)
  amount.textContent = total
  if (!part.open) part.showModal()
  // The title is read first. When the bank asks something, the frame takes the focus by itself.
  title.focus({ preventScroll: true })
}

/** Closes the sheet; the focus goes back to where it was. */
export function closeBank(): void {
  place.replaceChildren()
  part.close()
}

/** Calls when the payer has closed the sheet, by its button for another card or by Escape. The bank goes on waiting. */
export function onBankLeft(call: (wantsOtherCard: boolean) => void): void {
  const other = 'other'
  element('other-card', HTMLButtonElement).addEventListener('click', () => part.close(other))
  part.addEventListener('close', () => {
    if (!isBankOpen()) return
    place.replaceChildren()
    call(part.returnValue === other)
    part.returnValue = ''
  })
}

/** Calls when the frame says that it is over. What it says is only a reason to ask. */
export function onBankOver(call: () => void): void {
  window.addEventListener('message', ({ origin, source, data }) => {
    const frame = place.querySelector('iframe')
    if (origin !== window.location.origin || source !== frame?.contentWindow) return
    if (data?.vezne === 'bridge' && data.step === 'over') call()
  })
}

/**
 * Takes the card to the bank's own page: from an empty frame that can post to this bank alone, into this window. The
 * frame never shows the card, and nothing of it stays here.
 */
export function goToBank({ carrier, form }: BankWay): Promise<void> {
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
