import type { Language, LocalizedText } from '../../../kit/text/locale.ts'
import { redirectUrlWithTransactionId } from '../../payments/for-checkout.ts'
import type { Attempt, Payment } from '../../payments/index.ts'
import { maxAttempts } from '../../payments/index.ts'
import type { Services } from '../../services.ts'
import type { OwnThreeDsProgress, RefusalTextsForPayer } from '../../three-ds/index.ts'
import { ownThreeDsProgressOf, refusalTextsForPayer } from '../../three-ds/index.ts'
import { failedAttemptText } from '../texts/failed-attempt-text.ts'
import { moneyText, surchargeText } from '../texts/money-text.ts'
import type { ReceiptLine, Seller } from '../texts/receipt.ts'
import { receiptLines, refundedToPayerMinor } from '../texts/receipt.ts'
import {
  formNoticeTexts,
  interpolate,
  pageTexts,
  refundedOrReleasedTexts,
  stateTexts,
} from '../texts/texts.ts'
import type { CardField } from './read-card.ts'
import type { VisitedPageContext } from './visitor.ts'

/** How a payment stands, as its page shows it: the words included, so that the browser only has to put them there. */
export interface PageState {
  view: 'form' | keyof typeof stateTexts
  title: string | null
  text: string | null
  /** What the payer should know before trying again, by paragraphs. */
  notice: string[]
  /** What is charged in all, where the form has no say in it, and how much of that installments cost the payer. */
  charge: { total: string; extra: string | null }
  /** Whether a card can be taken. */
  takesCard: boolean
  /** Whether the bank is asking the payer in a frame of ours, and can be answered. */
  canGoOn: boolean
  /** Whether the payer was not proven and the attempt is about to end, so that the reason is known in a moment. */
  isEnding: boolean
  /** Whether somebody is being asked, so that this may change without the payer. */
  isUnderWay: boolean
  /** The way back to the seller. */
  returnUrl: string | null
  /** Whether the payer is taken there. */
  leaves: boolean
  /** When to ask again although nothing is under way. */
  expiresInMs: number
  /** The field that the last refusal was about. */
  field: CardField | null
  /** What the payer may print and keep; empty before anything was paid. */
  receipt: ReceiptLine[]
}

/** As it is written into the page: what is nothing is left out, and put back by the page's script. */
export function omitEmptyPageStateFields(pageState: PageState): Partial<PageState> {
  const brief: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(pageState)) {
    const isNothing = value === null || value === false || (Array.isArray(value) && value.length === 0)
    if (!isNothing) brief[name] = value
  }
  return brief
}

/** Facts that the state of a page is derived from. */
export interface PageStateInput {
  payment: Payment
  /** The last attempt. */
  attempt: Attempt | undefined
  /** How far our own 3-D Secure is, where the payment waits for its payer. */
  ownThreeDsProgress: OwnThreeDsProgress
  /** What came of that, where it came to nothing. */
  explanation: RefusalTextsForPayer | undefined
  merchant: Seller
}

export function pageStateForVisitor(
  { clock }: Pick<Services, 'clock'>,
  visitor: VisitedPageContext,
): PageState {
  const { payment, attempt, merchant, authentication, language } = visitor
  const isAuthenticationFailed = attempt?.declineReason === 'authentication_failed'
  const explanation = isAuthenticationFailed ? refusalTextsForPayer(authentication) : undefined
  const facts = {
    payment,
    attempt,
    merchant,
    ownThreeDsProgress: ownThreeDsProgressOf(visitor),
    explanation,
  }
  return derivePageState(facts, language, clock.now())
}

/** Guarantee: a card is asked for only where one can be taken, and money is never said to be taken that may not be. */
export function derivePageState(facts: PageStateInput, language: Language, now: Date): PageState {
  const { payment, attempt } = facts
  const view = viewOf(payment, now)
  const amount = moneyText(attempt?.chargedMinor ?? payment.amountMinor, payment.currency, language)
  const outcomeText = outcomeTextOf(payment, view)
  const part =
    attempt && payment.refundedMinor > 0
      ? moneyText(refundedToPayerMinor(payment, attempt), payment.currency, language)
      : ''
  const left = maxAttempts - payment.attemptCount
  const isWaiting = view === 'form' && payment.state === 'authenticating'
  const isEnding = isWaiting && facts.ownThreeDsProgress === 'refused'
  return {
    view,
    title: outcomeText ? outcomeText.title[language] : null,
    text: outcomeText ? interpolate(outcomeText.text[language], { amount, part }) : null,
    notice: noticeOf(facts, view, left, language),
    charge: chargeOf(facts, view, language),
    takesCard: view === 'form' && left > 0 && !isEnding,
    canGoOn: isWaiting && facts.ownThreeDsProgress === 'proving',
    isEnding,
    isUnderWay: view === 'asking' || isWaiting,
    returnUrl:
      payment.redirectUrl === null || view === 'form' || view === 'asking'
        ? null
        : redirectUrlWithTransactionId(payment.redirectUrl, payment.id),
    leaves: payment.redirectUrl !== null && (view === 'paid' || view === 'held'),
    expiresInMs: Math.max(0, payment.expiresAt.getTime() - now.getTime()),
    field: attempt ? fieldOf(attempt) : null,
    receipt:
      (view === 'paid' || view === 'held') && attempt ? receiptLines({ ...facts, attempt }, language) : [],
  }
}

/** What is said of it: what came after it was paid or held, where something did. */
function outcomeTextOf({ state, resolvedAt }: Payment, view: PageState['view']) {
  if (view === 'form') return undefined
  if (state === 'refunded') return refundedOrReleasedTexts.refunded
  if (state === 'partly_refunded') return refundedOrReleasedTexts.partlyRefunded
  return state === 'failed' && resolvedAt ? refundedOrReleasedTexts.released : stateTexts[view]
}

/** A page whose time has run out is over, noticed or not, unless a bank is being asked: its answer decides. */
function viewOf({ state, expiresAt }: Payment, now: Date): PageState['view'] {
  switch (state) {
    case 'open':
    case 'authenticating':
      return now.getTime() < expiresAt.getTime() ? 'form' : 'expired'
    case 'authorizing':
    case 'reversing':
      return 'asking'
    case 'capturing':
    case 'releasing':
      return 'held'
    case 'partly_refunded':
    case 'refunded':
      return 'paid'
    default:
      return state
  }
}

/** What was charged, or is about to be; the price alone where nothing is. */
function chargeOf({ payment, attempt }: PageStateInput, view: PageState['view'], language: Language) {
  const { amountMinor, currency } = payment
  const isOver = view === 'failed' || view === 'expired' || payment.state === 'open'
  const chargedMinor = isOver ? amountMinor : (attempt?.chargedMinor ?? amountMinor)
  return {
    total: moneyText(chargedMinor, currency, language),
    extra: surchargeText({ chargedMinor, amountMinor, currency }, language),
  }
}

function noticeOf(
  facts: PageStateInput,
  view: PageState['view'],
  left: number,
  language: Language,
): string[] {
  const { payment, attempt, explanation } = facts
  if (!attempt) return []
  if (view === 'form' && payment.state === 'authenticating') return [waitingWords(facts, left)[language]]
  // What the issuer itself wants the payer to read has to be shown.
  const text = explanation?.holderText
  const bankSays = text ? [interpolate(formNoticeTexts.bankSays[language], { text })] : []
  // Who has no attempt left need not be told what to try next.
  if (view !== 'form') return view === 'failed' ? bankSays : []
  const why = explanation?.sentence ?? failedAttemptText(attempt)
  return why
    ? [why[language], ...bankSays, interpolate(formNoticeTexts.attemptsLeft[language], { count: left })]
    : []
}

function waitingWords({ ownThreeDsProgress }: PageStateInput, left: number): LocalizedText {
  switch (ownThreeDsProgress) {
    case 'none':
      return formNoticeTexts.unfinished
    case 'proving':
      return left > 0 ? formNoticeTexts.goOn : formNoticeTexts.lastGoOn
    case 'refused':
      return pageTexts.busy
  }
}

/** Where a payer who mistyped something looks first. */
function fieldOf({ state, declineReason }: Attempt): CardField | null {
  if (state !== 'declined') return null
  if (declineReason === 'wrong_cvc') return 'cvc'
  return declineReason === 'expired_card' ? 'expiry' : null
}
