import { ask } from './ask.js'
import { closeBank, goToBank, isBankOpen, onBankNews, openBank } from './bank-step.js'
import { forgetCard, forgetCode, showFaults, typedCard } from './card-fields.js'
import { element, pause } from './element.js'
import { chosenPlan, mountOffer, offerAnew } from './offer.js'
import { hideNotice, sayNotice } from './say-notice.js'

/**
 * @typedef {{ total: string, extra: string | null }} Charge
 * @typedef {{
 *   view: string, title: string | null, text: string | null, notice: string[], charge: Charge,
 *   takesCard: boolean, canGoOn: boolean, isEnding: boolean, isUnderWay: boolean, returnUrl: string | null,
 *   leaves: boolean, expiresInMs: number,
 * }} Standing
 * @typedef {{ next: 'bank_frame' | 'offer_changed' | 'limited' | 'not_taken' | 'refused' | 'not_found' }
 *   | { next: 'bank_form', carrier: string, form: { action: string, fields: Record<string, string> } }
 *   | { next: 'fields', errors: Record<string, string> }
 *   | { next: 'not_open', standing: Standing }} Taken what came of sending a card
 */

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset['words'] ?? '{}')
const form = element('form', HTMLFormElement)
const payPart = element('pay-part', HTMLElement)
const pay = element('pay', HTMLButtonElement)
const goOn = element('go-on', HTMLButtonElement)
const outcome = element('outcome', HTMLElement)
const back = element('return', HTMLAnchorElement)
const extra = element('extra', HTMLElement)

/** A refusal is explained in a moment; what takes longer is not asked for all the time. */
const soonMs = 400
const askEveryMs = 2_500
/** A page that waits for its payer may have been paid for elsewhere. */
const lookEveryMs = 15_000
const leaveAfterMs = 3_000

/** @type {Standing} */
let standing = JSON.parse(document.body.dataset['standing'] ?? '{}')
let payLabel = pay.textContent ?? ''
let isBusy = false
/** @type {Charge | undefined} what was chosen in the form */
let chosen
/** What this page has to say by itself, until something else has happened. */
let message = ''
let endingAskMs = soonMs
/** How often it was asked how things stand: an answer to anything but the last question is out of date. */
let questions = 0
let isLeaving = false
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer

mountOffer((charge) => {
  chosen = charge
  payLabel = (words['pay'] ?? '').replace('{amount}', charge.total)
  if (!isBusy) pay.textContent = payLabel
  showCharge()
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void submit()
})
goOn.addEventListener('click', () => {
  openBank()
  show(standing)
})
element('other-card', HTMLButtonElement).addEventListener('click', () => {
  closeBank()
  void refresh()
})
onBankNews(() => void refresh())
// A page that the browser kept shows what was, not what is.
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  closeBank()
  isLeaving = false
  busy(false)
  void refresh()
})
window.addEventListener('focus', look)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') look()
})
show(standing)

/** Sends the card once, however often the button is pressed; the service takes one at a time whatever happens here. */
async function submit() {
  if (isBusy) return
  busy(true)
  if (message !== '') hideNotice()
  message = ''
  const plan = await chosenPlan()
  /** @type {Taken | undefined} */
  const answer = await ask('card', { ...typedCard(), ...plan })
  questions += 1
  switch (answer?.next) {
    case 'bank_frame':
      forgetCode()
      openBank()
      await refresh()
      break
    case 'bank_form':
      forgetCard()
      await goToBank(answer)
      // The window is on its way; should it never get there, the page says how things stand.
      await pause(askEveryMs)
      await refresh()
      break
    case 'fields':
      showFaults(answer.errors)
      break
    case 'offer_changed':
      await offerAnew()
      tell(words['offerChanged'] ?? '')
      break
    case 'limited':
      tell(words['limited'] ?? '')
      break
    case 'not_taken':
      tell(words['notTaken'] ?? '')
      break
    case 'not_open':
      forgetCode()
      show(answer.standing)
      break
    default:
      // Whether it arrived is not known here, but the service knows.
      tell(words['unreachable'] ?? '')
      await refresh()
  }
  busy(false)
}

/** Looks how things stand, unless a card is on its way: what comes of that says more. */
function look() {
  if (isBusy) schedule(askEveryMs)
  else void refresh()
}

/** Asks how the payment stands, and shows it. */
async function refresh() {
  questions += 1
  const question = questions
  /** @type {Standing | undefined} */
  const now = await ask('status')
  if (question !== questions) return
  if (now?.view) show(now)
  else schedule(askEveryMs)
}

/** @param {Standing} now */
function show(now) {
  if (now.view !== standing.view || String(now.notice) !== String(standing.notice)) message = ''
  // Who could not be reached has answered, and knows whether a card has arrived.
  if (message !== '' && message === words['unreachable'])
    message = now.takesCard && !now.isUnderWay ? (words['notArrived'] ?? '') : ''
  standing = now
  // In its last moment the frame stays, so that the page does not jump twice.
  if (isBankOpen() && !now.canGoOn && !now.isEnding) closeBank()
  const isAtBank = isBankOpen()
  payPart.hidden = !now.takesCard || isAtBank
  goOn.hidden = !now.canGoOn || isAtBank
  showCharge()
  showNotice()
  showOutcome(now)
  if (now.leaves && now.returnUrl) leave(now.returnUrl)
  else schedule(untilNextLookMs(now))
}

/** @param {Standing} now */
function untilNextLookMs({ isEnding, isUnderWay, expiresInMs }) {
  const endingMs = endingAskMs
  endingAskMs = isEnding ? Math.min(endingAskMs * 2, askEveryMs) : soonMs
  if (isEnding) return endingMs
  return isUnderWay ? askEveryMs : Math.min(expiresInMs + 1_000, lookEveryMs)
}

/** What is to be paid: as chosen while there is a choice, else as it is charged. */
function showCharge() {
  const charge = payPart.hidden ? standing.charge : chosen
  if (!charge) return
  element('total', HTMLElement).textContent = charge.total
  element('extra-amount', HTMLElement).textContent = charge.extra
  extra.hidden = charge.extra === null
}

/** @param {Standing} now */
function showOutcome({ view, title, text, returnUrl }) {
  const isNew = outcome.dataset['view'] !== view
  outcome.dataset['view'] = view
  outcome.hidden = view === 'form'
  const heading = element('outcome-title', HTMLElement)
  heading.textContent = title
  element('outcome-text', HTMLElement).textContent = text
  back.hidden = returnUrl === null
  if (returnUrl !== null) back.href = returnUrl
  if (isNew && view !== 'form') {
    forgetCard()
    heading.focus()
  }
}

/** Takes the payer back to the seller; the page does not stay in the history, or going back would lead here again. @param {string} url */
function leave(url) {
  if (isLeaving) return
  isLeaving = true
  setTimeout(() => window.location.replace(url), leaveAfterMs)
}

/** @param {number} ms */
function schedule(ms) {
  clearTimeout(timer)
  const isOver = !['form', 'asking'].includes(standing.view)
  if (!isOver) timer = setTimeout(look, ms)
}

/** @param {string} text */
function tell(text) {
  message = text
  hideNotice()
  showNotice()
}

/** What the payer should know; nothing while the bank is asking. */
function showNotice() {
  if (isBankOpen()) hideNotice()
  else sayNotice(message === '' ? standing.notice : [message], isBusy)
}

/** @param {boolean} isNow */
function busy(isNow) {
  isBusy = isNow
  pay.disabled = isNow
  pay.setAttribute('aria-busy', String(isNow))
  pay.textContent = isNow ? (words['busy'] ?? '') : payLabel
}
