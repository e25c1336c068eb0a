import type { Language, LocalizedText } from '../../../kit/text/locale.ts'
import { redirectUrlWithTransactionId } from '../../payments/for-checkout.ts'
import type { Attempt, Payment } from '../../payments/index.ts'
import { maxAttempts } from '../../payments/index.ts'
import type { Services } from '../../services.ts'
import type { OwnThreeDsProgress, RefusalTextsForPayer } from '../../three-ds/index.ts'
import { ownThreeDsProgressOf, refusalTextsForPayer } from '../../three-ds/index.ts'
import { failedAttemptText } from '../texts/failed-attempt-text.ts'
import type { FieldToRetype } from '../texts/field-to-retype.ts'
import { fieldToRetype } from '../texts/field-to-retype.ts'
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
import type { VisitedPageContext } from './visitor.ts'

/** State of a payment as its page shows it, with all texts, so that the browser only inserts them. */
export interface PageState {
  view: 'form' | keyof typeof stateTexts
  title: string | null
  text: string | null
  /** Paragraphs for the payer before the next attempt. */
  notice: string[]
  /** Total charge if the form does not decide it, and the payer's installment surcharge in it. */
  charge: { total: string; extra: string | null }
  /** True if a card can be submitted. */
  takesCard: boolean
  /** True if a challenge is open in our frame and the payer can continue it. */
  canGoOn: boolean
  /** True if the authentication failed and the attempt is about to end. The reason follows shortly. */
  isEnding: boolean
  /** True if another party is being asked, so the state can change without the payer. */
  isUnderWay: boolean
  /** True if the amount was held and then released: nothing failed. */
  isReleased: boolean
  /** Return address at the seller: that of the payment, otherwise the merchant's website. */
  returnUrl: string | null
  /** True if the page redirects the payer there automatically. */
  leaves: boolean
  /** Time until the page expires and must ask again. */
  expiresInMs: number
  /** Field that the payer fills in again after the last decline, with the reason. `number` asks for another card. */
  field: FieldToRetype | null
  /** Receipt that the payer can print; empty before the payment. */
  receipt: ReceiptLine[]
}

/** State as written into the page, without empty fields. The page's script adds them again. */
export function omitEmptyPageStateFields(pageState: PageState): Partial<PageState> {
  const brief: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(pageState)) {
    const isNothing = value === null || value === false || (Array.isArray(value) && value.length === 0)
    if (!isNothing) brief[name] = value
  }
  return brief
}

/** Facts from which the page state is derived. */
export interface PageStateInput {
  payment: Payment
  /** Last attempt. */
  attempt: Attempt | undefined
  /** Progress of our own 3DS Server, if the payment waits for it. */
  ownThreeDsProgress: OwnThreeDsProgress
  /** Texts about a failed authentication. */
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

/** Guarantee: a card is requested only if it can be accepted; an uncertain charge is never shown as paid. */
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
    isReleased: isReleased(payment),
    returnUrl: view === 'form' || view === 'asking' ? null : returnUrlOf(facts),
    leaves: payment.redirectUrl !== null && (view === 'paid' || view === 'held'),
    expiresInMs: Math.max(0, payment.expiresAt.getTime() - now.getTime()),
    field: attempt ? fieldToRetype(attempt, language) : null,
    receipt: hasReceipt(payment, view) && attempt ? receiptLines({ ...facts, attempt }, language) : [],
  }
}

/** Texts of the outcome. A refund or release after the payment comes first. */
function outcomeTextOf(payment: Payment, view: PageState['view']) {
  if (view === 'form') return undefined
  const { state } = payment
  if (state === 'refunded') return refundedOrReleasedTexts.refunded
  if (state === 'partly_refunded') return refundedOrReleasedTexts.partlyRefunded
  return isReleased(payment) ? refundedOrReleasedTexts.released : stateTexts[view]
}

function isReleased({ state, resolvedAt }: Payment): boolean {
  return state === 'failed' && resolvedAt !== null
}

/** A released hold has a receipt too: the payer saw the amount on the card. */
function hasReceipt(payment: Payment, view: PageState['view']): boolean {
  return view === 'paid' || view === 'held' || isReleased(payment)
}

function returnUrlOf({ payment, merchant }: PageStateInput): string | null {
  return payment.redirectUrl === null
    ? merchant.website
    : redirectUrlWithTransactionId(payment.redirectUrl, payment.id)
}

/** An expired page is over before the expiry is recorded. During a bank call the bank's answer decides. */
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

/** Amount that was or will be charged; the price alone if nothing is charged. */
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
  // The issuer's own text must be shown.
  const text = explanation?.holderText
  const bankSays = text ? [interpolate(formNoticeTexts.bankSays[language], { text })] : []
  // Without an attempt left, the payer needs no advice for the next one.
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
