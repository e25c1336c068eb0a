import { announcePolitely } from './announce.ts'
import type { BankRedirect } from './bank-step.ts'
import {
  bankTitle,
  closeBankStep,
  isBankPageOpen,
  isBankStepOpen,
  onBankStepClosed,
  onBankStepDone,
  openBankStep,
  redirectToBank,
  redirectToBankInFrame,
} from './bank-step.ts'
import {
  dispatchNumberInput,
  forgetCard,
  forgetCode,
  forgetDeclined,
  hasCard,
  onNumberInput,
  selectNumber,
  typedCard,
} from './card-fields.ts'
import { mountCvcHelp } from './cvc-help.ts'
import { element, painted, pause } from './element.ts'
import {
  hideFieldErrors,
  mountFieldErrors,
  showFieldError,
  showFieldErrors,
  validateFields,
} from './field-errors.ts'
import { mountLanguageLinks, mustRetypeCard } from './languages.ts'
import { chosenPlan, mountOffer, refreshOffer } from './offer.ts'
import { mountOrder, showCharge } from './order.ts'
import { focusOutcome, mountOutcome, showLeaving, showOutcome } from './outcome.ts'
import { initialPageState, seller, texts } from './page-data.ts'
import { isFramed, mountParentMessages, redirectParent, reportStep } from './parent.ts'
import { isBusy, setBusy, setPrice } from './pay-button.ts'
import { forgetPayer, mountPayerFields, typedPayer } from './payer-fields.ts'
import type { ChargeText, PageState } from './rules/page-state.ts'
import { isOver, isWaiting } from './rules/page-state.ts'
import type { CardResponse } from './send-card.ts'
import { sendCard } from './send-card.ts'
import type { Urgency } from './show-notice.ts'
import { focusNotice, forgetNotice, hideNotice, showNotice } from './show-notice.ts'
import { mountTestCards } from './test-cards.ts'
import { onTimeUp, setTimeLeft } from './time-left.ts'
import {
  discardPendingAnswers,
  refreshPageState,
  scheduleNextPoll,
  watchPageState,
} from './watch-page-state.ts'
import { withoutLayoutJump } from './without-layout-jump.ts'

const payPart = element('pay-part', HTMLElement)
const goOn = element('go-on', HTMLButtonElement)
const outcome = element('outcome', HTMLElement)
const footers = [...document.querySelectorAll('footer')]

const leaveAfterMs = 3_000
/** Time within which a navigation must have left this page. */
const navigationMs = 2_500

let pageState = initialPageState
/** Total of the chosen plan. */
let chosen: ChargeText | undefined
/** Message of this page itself, shown until the state changes. */
let message = ''
/** True if the payer has just returned from the bank's own page. */
const isBack = takeMark('#back')
/** True if the payer saw the outcome appear, false for an old receipt. */
let hasJustEnded = isBack
let isLeaving = false
/** True between a press of the button and the check of the form. */
let isPressed = false
/** True if the typed card is the one whose answer is awaited. */
let isCardSent = false
let leaving: ReturnType<typeof setTimeout> | undefined

mountParentMessages()
mountPayerFields()
mountFieldErrors()
mountCvcHelp()
mountOrder()
mountOutcome(stay)
mountOffer((charge) => {
  chosen = charge
  setPrice(charge.total)
  if (!payPart.hidden && !isBankStepOpen()) showCharge(charge)
})
onNumberInput(() => {
  isCardSent = false
})
mountTestCards()
mountLanguageLinks(hasCard)
element('form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  void submit()
})
goOn.addEventListener('click', () => {
  openBankStep(pageState.charge.total)
  paint('news')
})
onBankStepClosed((wantsOtherCard) => {
  const canType = wantsOtherCard && pageState.takesCard
  paint(canType ? 'aside' : 'answer')
  if (canType) selectNumber()
})
onBankStepDone(() => void refreshPageState())
onTimeUp(() => void refreshPageState())
watchPageState(receive, () => !isBusy())
window.addEventListener('offline', () => {
  if (!isOver(pageState)) showMessage(texts.noConnection, 'aside')
})
window.addEventListener('online', () => {
  if (message === texts.noConnection) showMessage('', 'aside')
})
// The browser may keep this page: it must not keep the card, and it shows an old state when it is restored.
window.addEventListener('pagehide', forgetCard)
window.addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  closeBankStep()
  stay()
  hasJustEnded = false
  isLeaving = false
  setBusy(false)
  dispatchNumberInput()
  void refreshPageState()
})
receive(pageState)
// Read once: the page before the language change recorded that a card was typed.
const isToType = mustRetypeCard()
if (pageState.notice.length > 0) {
  // The browser would scroll to the payer's previous position, and the notice is above it.
  window.history.scrollRestoration = 'manual'
  focusNotice('news')
} else if (isToType && pageState.takesCard) showMessage(texts.cardAgain, 'news')

/**
 * Sends the card once, however often the button is pressed. The service accepts one attempt at a time in any
 * case.
 */
async function submit(): Promise<void> {
  if (isBusy() || isPressed) return
  // The press is visible before the check, which takes longer than a frame on a slow phone.
  isPressed = true
  await painted()
  isPressed = false
  // The payment may have ended in another window meanwhile.
  if (payPart.hidden) return
  showMessage('', 'aside')
  if (!validateFields()) return
  setBusy(true)
  const plan = await chosenPlan()
  isCardSent = plan !== undefined
  if (plan) await follow(await sendCard({ ...typedCard(), ...typedPayer(), ...plan }, showConnectionLost))
  else showMessage(navigator.onLine ? texts.notArrived : texts.noConnection, 'answer')
  setBusy(false)
}

/** Continues as the service decides. */
async function follow(answer: CardResponse | undefined): Promise<void> {
  discardPendingAnswers()
  if (answer) showMessage('', 'aside')
  switch (answer?.next) {
    case 'bank_frame':
      forgetCode()
      openBankStep(answer.standing.charge.total)
      return receive(answer.standing)
    case 'bank_form':
      forgetCard()
      await leadToBank(answer)
      dispatchNumberInput()
      return refreshPageState()
    case 'fields':
      return showFieldErrors(answer.errors)
    case 'offer_changed':
      await refreshOffer()
      return showMessage(texts.offerChanged, 'answer')
    case 'limited':
      return showMessage(texts.limited, 'answer')
    case 'not_taken':
      showMessage(texts.notTaken, 'answer')
      forgetDeclined('number')
      return showFieldError('number', texts.faults.noNumber)
    case 'not_open':
      forgetCode()
      return receive(answer.standing)
    default:
      // The service knows if the card arrived; this page does not.
      showMessage(texts.unreachable, 'answer')
      return refreshPageState()
  }
}

/** Opens the bank's own page in this window, or in the sheet if this page is framed. */
async function leadToBank(redirect: BankRedirect): Promise<void> {
  if (isFramed) {
    const isRedirected = redirectToBankInFrame(redirect, (chosen ?? pageState.charge).total)
    paint('news')
    if (!(await isRedirected)) closeBankStep()
    return
  }
  await redirectToBank(redirect)
  // The navigation is in progress. If it never completes, the page shows the current state.
  await pause(navigationMs)
}

/** Shows a new state of the payment. */
function receive(now: PageState): void {
  const isNews = now.view !== pageState.view || String(now.notice) !== String(pageState.notice)
  if (isNews) message = ''
  // The service answers again, so it is known if the card arrived.
  if (message === texts.unreachable) message = now.takesCard && !now.isUnderWay ? texts.notArrived : ''
  if (message === texts.noConnection && navigator.onLine) message = ''
  if (isOver(now) && !isOver(pageState)) hasJustEnded = true
  pageState = now
  // The sheet stays until the outcome is known, so that the page does not change twice.
  const wasAtBank = isBankStepOpen()
  if (wasAtBank && !staysAtBank(now)) closeBankStep()
  if (isOver(now)) forgetAll()
  paint(wasAtBank || isBusy() || isWaitingForAnswer() ? 'answer' : 'news')
  setTimeLeft(now.view === 'form' ? now.expiresInMs : undefined)
  scheduleNextPoll(now)
  if (now.leaves && now.returnUrl && hasJustEnded) leave(now.returnUrl)
}

/** True if the payer waits for the answer to the typed card and does not type another one meanwhile. */
function isWaitingForAnswer(): boolean {
  return isCardSent && !(document.activeElement instanceof HTMLInputElement)
}

function staysAtBank(now: PageState): boolean {
  return now.canGoOn || now.isEnding || (isBankPageOpen() && isWaiting(now))
}

/** Updates the page and directs the payer to new content. */
function paint(urgency: Urgency): void {
  const isOther = outcome.dataset['view'] !== pageState.view
  const isTyping = urgency !== 'answer' && document.activeElement instanceof HTMLInputElement
  const isNew = withoutLayoutJump({ parts: [payPart, outcome, ...footers], isTyping }, isNewOnPage)
  if (isOther) focusOutcome()
  if (isNew) lead(urgency)
}

/** Updates the page. Returns true if a new notice is above the form. */
function isNewOnPage(): boolean {
  const { takesCard, canGoOn, isEnding, isUnderWay, charge, title, notice } = pageState
  const isAtBank = isBankStepOpen()
  reportStep(isAtBank ? 'bank' : pageState.view)
  payPart.hidden = !takesCard && !(isEnding && isAtBank)
  goOn.hidden = !canGoOn || isAtBank
  const shown = payPart.hidden || isAtBank ? charge : chosen
  if (shown) showCharge(shown)
  document.title = `${isAtBank ? bankTitle : (title ?? texts.title)} · ${seller}`
  showOutcome(pageState)
  const isOwn = message !== ''
  // No notice is shown behind the bank's sheet.
  if (!isAtBank) return showNotice(isOwn ? [message] : notice, isOwn || isUnderWay ? 'warning' : 'danger')
  hideNotice()
  return false
}

/**
 * Scrolls to the notice and then to the field to fill in again, which is cleared. Both are visible if they fit.
 */
function lead(urgency: Urgency): void {
  const { field } = pageState
  focusNotice(urgency)
  if (urgency !== 'answer' || message !== '' || payPart.hidden || field === null) return
  if (isCardSent) forgetDeclined(field.name)
  isCardSent = false
  showFieldError(field.name, field.text)
}

/** Clears all typed data, because the payment is over. */
function forgetAll(): void {
  forgetCard()
  forgetPayer()
  hideFieldErrors()
  announcePolitely('')
}

/**
 * Returns the payer to the shop unless they use the receipt first. The page is removed from the history, so
 * that going back does not show it again. After the bank's own page it stays, because going back would
 * otherwise show the bank.
 */
function leave(url: string): void {
  if (isLeaving) return
  isLeaving = true
  showLeaving(true)
  leaving = setTimeout(() => redirectParent(url) || goBack(url), leaveAfterMs)
}

function goBack(url: string): void {
  if (isBack) window.location.assign(url)
  else window.location.replace(url)
}

function stay(): void {
  clearTimeout(leaving)
  showLeaving(false)
}

/**
 * True if the address ends with this mark. The mark is removed, so that a reload does not report it again.
 */
function takeMark(mark: string): boolean {
  const { hash, pathname, search } = window.location
  if (hash === mark) window.history.replaceState(null, '', pathname + search)
  return hash === mark
}

/** Shows this message; an empty text shows the state of the payment again. */
function showMessage(text: string, urgency: Urgency): void {
  if (text === message && text === '') return
  message = text
  forgetNotice()
  paint(urgency)
}

function showConnectionLost(): void {
  const text = navigator.onLine ? texts.unreachable : texts.noConnection
  if (text !== message) showMessage(text, 'answer')
}
