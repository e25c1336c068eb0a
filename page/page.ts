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
  hasCard,
  selectNumber,
  typedCard,
} from './card-fields.ts'
import { mountCvcHelp } from './cvc-help.ts'
import { element, pause } from './element.ts'
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
/** A window that is on its way elsewhere is there by then. */
const navigationMs = 2_500

let pageState = initialPageState
/** What was chosen in the form. */
let chosen: ChargeText | undefined
/** What this page has to say by itself, until something else has happened. */
let message = ''
/** Whether the payer comes from the bank's own page just now. */
const isBack = takeMark('#back')
/** Whether the payer has seen it end just now, and is not looking at an old receipt. */
let hasJustEnded = isBack
let isLeaving = false
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
// A card does not stay in a page that the browser keeps, and such a page shows what was, not what is.
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
// Asked once: the page that the payer came from said that it took the card away.
const isToType = mustRetypeCard()
if (pageState.notice.length > 0) {
  // A browser that goes back or reloads would go to where the payer was, and what is new stands above that.
  window.history.scrollRestoration = 'manual'
  focusNotice('news')
} else if (isToType && pageState.takesCard) showMessage(texts.cardAgain, 'news')

/** Sends the card once, however often the button is pressed; the service takes one at a time whatever happens here. */
async function submit(): Promise<void> {
  if (isBusy()) return
  showMessage('', 'aside')
  if (!validateFields()) return
  setBusy(true)
  const plan = await chosenPlan()
  if (plan) await follow(await sendCard({ ...typedCard(), ...typedPayer(), ...plan }, showConnectionLost))
  else showMessage(navigator.onLine ? texts.notArrived : texts.noConnection, 'answer')
  setBusy(false)
}

/** Goes on where the service says. */
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
      return showMessage(texts.notTaken, 'answer')
    case 'not_open':
      forgetCode()
      return receive(answer.standing)
    default:
      // Whether it arrived is not known here, but the service knows.
      showMessage(texts.unreachable, 'answer')
      return refreshPageState()
  }
}

/** The bank's own page takes the window, and where that is a frame of somebody's, the sheet. */
async function leadToBank(redirect: BankRedirect): Promise<void> {
  if (isFramed) {
    const isRedirected = redirectToBankInFrame(redirect, (chosen ?? pageState.charge).total)
    paint('news')
    if (!(await isRedirected)) closeBankStep()
    return
  }
  await redirectToBank(redirect)
  // The window is on its way; should it never get there, the page says how things stand.
  await pause(navigationMs)
}

/** Shows how the payment stands now. */
function receive(now: PageState): void {
  const isNews = now.view !== pageState.view || String(now.notice) !== String(pageState.notice)
  if (isNews) message = ''
  // Who could not be reached has answered, and knows whether a card has arrived.
  if (message === texts.unreachable) message = now.takesCard && !now.isUnderWay ? texts.notArrived : ''
  if (message === texts.noConnection && navigator.onLine) message = ''
  if (isOver(now) && !isOver(pageState)) hasJustEnded = true
  pageState = now
  // In its last moment the sheet stays, so that the page does not change twice.
  const wasAtBank = isBankStepOpen()
  if (wasAtBank && !staysAtBank(now)) closeBankStep()
  if (isOver(now)) forgetAll()
  paint(wasAtBank || isBusy() ? 'answer' : 'news')
  setTimeLeft(now.view === 'form' ? now.expiresInMs : undefined)
  scheduleNextPoll(now)
  if (now.leaves && now.returnUrl && hasJustEnded) leave(now.returnUrl)
}

function staysAtBank(now: PageState): boolean {
  return now.canGoOn || now.isEnding || (isBankPageOpen() && isWaiting(now))
}

/** Puts it on the page, and leads the payer to what is new. */
function paint(urgency: Urgency): void {
  const isOther = outcome.dataset['view'] !== pageState.view
  const isTyping = urgency !== 'answer' && document.activeElement instanceof HTMLInputElement
  const isNew = withoutLayoutJump({ parts: [payPart, outcome, ...footers], isTyping }, isNewOnPage)
  if (isOther) focusOutcome()
  if (isNew) lead(urgency)
}

/** Puts it on the page. Answers whether there is something new to be read above the form. */
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
  // Behind the bank's sheet nothing is said.
  if (!isAtBank) return showNotice(isOwn ? [message] : notice, isOwn || isUnderWay ? 'warning' : 'danger')
  hideNotice()
  return false
}

/** Leads to the notice, and from there to the field that the bank has found a fault with: both are seen if they fit. */
function lead(urgency: Urgency): void {
  const { field } = pageState
  focusNotice(urgency)
  if (urgency === 'answer' && message === '' && !payPart.hidden && field !== null)
    showFieldError(field, texts.faults[field])
}

/** The payment is over: nothing that was typed is wanted here any more. */
function forgetAll(): void {
  forgetCard()
  forgetPayer()
  hideFieldErrors()
  announcePolitely('')
}

/**
 * Takes the payer back to the seller, unless they do something with the receipt before. The page does not stay in the
 * history, or going back would lead here again; but behind the bank's own page it does, or going back would lead there.
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

/** Whether the address ends with this mark, which is said once: who loads the page again does not say it again. */
function takeMark(mark: string): boolean {
  const { hash, pathname, search } = window.location
  if (hash === mark) window.history.replaceState(null, '', pathname + search)
  return hash === mark
}

/** Says this, or if nothing, how the payment stands. */
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
