import type { PaymentCard } from '../../../kit/money/card.ts'
import type { HttpClient } from '../../../kit/outbound/http-client.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Log } from '../../../kit/runtime/log.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { Language, LocalizedText } from '../../../kit/text/locale.ts'

/** Code that reaches one kind of virtual POS. Each POS of a merchant names its connector. */
export interface Connector {
  name: string
  about: string
  /** Test merchants reach only the sandbox; live merchants never do. */
  mode: 'test' | 'live'
  /** Credentials that the bank gives a merchant. They are stored sealed and never shown. */
  secrets: readonly { name: string; about: string }[]
  /** Other settings of a POS. They are not secret. */
  settings: readonly PosSettingField[]
  /** Supported currencies; all if undefined. */
  currencies?: readonly string[]
  /** Codes by which the bank declines. A bank can answer other codes; they count as `other`. */
  declineCodes: Readonly<Record<string, DeclineCode>>
  /** Codes after which the outcome is unknown: the money may have moved. Vezne asks the bank for the outcome. */
  unknownCodes?: Readonly<Record<string, LocalizedText>>
  /** Codes with which the bank's own 3-D Secure page returns a payer who is not authenticated. */
  authenticationCodes?: Readonly<Record<string, AuthenticationCode>>
  /** Creates the secrets of a POS, if the bank does not issue them. */
  issueSecrets?(random: Random): Record<string, string>
  /** Opens one POS of the bank. Sends nothing. */
  open(tools: ConnectorTools, access: PosAccess): Bank
}

export interface PosSettingField {
  name: string
  about: string
  /** Default value. Without one the setting is required. */
  defaultValue?: string
  /** Returns the value to store, or the error text. */
  read(text: string): { value: string } | LocalizedText
}

/** Tools of a connector. It opens no connection and has no clock or random source of its own. */
export interface ConnectorTools {
  http: HttpClient
  clock: Clock
  random: Random
  log: Log
}

/** Address and credentials of a POS. */
export interface PosAccess {
  /** Address of the sandbox, without a slash at the end. A live bank's address is in the settings. */
  sandboxUrl: string
  settings: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
  /** Longest wait for an answer of the bank. */
  timeoutMs: number
}

/**
 * One POS. A missing method means that the bank cannot do it. Guarantee of every method: it throws only for
 * bugs. A missing or unreadable answer is an outcome.
 */
export interface Bank {
  /** Party that authenticates the cardholder. */
  authentication: OwnThreeDsAuthentication | BankPageAuthentication
  /** Charges immediately. */
  authorize(charge: BankChargeRequest): Promise<BankAnswer>
  /** Creates a hold, to be captured or released. */
  preAuthorize?(charge: BankChargeRequest): Promise<BankAnswer>
  /** Captures a hold, fully or partly. */
  capture?(modification: BankModificationRequest): Promise<BankAnswer>
  /** Undoes a charge or a hold before the end of the bank's day. */
  void?(modification: BankModificationRequest): Promise<BankAnswer>
  /**
   * Refunds a charge, fully or partly. Guarantee, without `inquireRefund`: repeated requests for the same
   * refund refund once.
   */
  refund?(modification: BankRefundRequest): Promise<BankAnswer>
  /**
   * Returns whether this refund was made, for banks that refund again on a repeated request. Without this
   * method a repeated request is safe.
   */
  inquireRefund?(modification: BankRefundRequest): Promise<RefundStatus>
  /** Status of a charge, by our reference. Every bank must support it. */
  inquire(chargeInquiry: ChargeInquiry): Promise<ChargeStatus>
}

/** Our own 3DS Server authenticates, and the bank gets the proof with the card. */
export interface OwnThreeDsAuthentication {
  by: 'three_ds_server'
  /** Address of the directory server, and the merchant's registration there. */
  directoryUrl: string
  acquirerBin: string
  acquirerMerchantId: string
  /** Merchant category code, four digits of ISO 18245. */
  merchantCategory: string
  /** Challenge indicator of EMV 3DS: 01 leaves the challenge to the issuer. */
  challengeIndicator: string
  /** Unauthenticated statuses that this POS accepts, at the merchant's risk. */
  acceptedStatuses: readonly UnauthenticatedStatus[]
}

/** U: authentication was not possible. I: the issuer was only informed. not_enrolled: no 3-D Secure. */
export type UnauthenticatedStatus = 'U' | 'I' | 'not_enrolled'

/** The payer's browser posts the card to the bank's page, which posts the proof back. */
export interface BankPageAuthentication {
  by: 'bank_page'
  /** Origin that the form may be posted to, for the browser policy: `https://bank.example`. */
  formHost: string
  /** Form that the browser posts, with its address. Only the form holds the card. */
  form(charge: BankFormTerms, card: PaymentCard): BankForm
  /** Checks the posted bytes: first the bank's signature, then the charge, then the result. */
  readReturn(charge: ChargeTerms, body: Buffer): BankPageResult
}

export interface BankFormTerms extends ChargeTerms {
  preAuth: boolean
  /** Address the bank returns the browser to, whatever the result. */
  returnUrl: string
  language: Language
}

export interface BankForm {
  action: string
  fields: Record<string, string>
  /** Fields that may be stored: no card, no security code, no hash. */
  trace: Readonly<Record<string, string>>
}

export type BankPageResult = {
  /** Received fields that may be stored. */
  trace: Readonly<Record<string, string>>
} & (
  | {
      verdict: 'proven'
      proof: BankPageProof
      /** Authenticated (Y) or attempted (A). */
      status: 'Y' | 'A'
      eci: string | null
    }
  | { verdict: 'not_proven'; code: string | null; message: string | null }
  /** Not from the bank, or not about this charge. It must have no effect. */
  | { verdict: 'not_genuine'; why: string }
)

/** Terms of a charge. The bank's answer is compared with them. */
export interface ChargeTerms {
  /** Reference shared with the bank. It is never reused for another charge. */
  reference: string
  amountMinor: number
  currency: string
  /** 1 for a single payment. */
  installment: number
}

export interface BankChargeRequest extends ChargeTerms {
  payment: PaymentWithCardAndProof | PaymentWithBankPageProof
  payerAddress: string | null
}

/** Payment with a card whose holder our 3DS Server authenticated. */
export interface PaymentWithCardAndProof {
  by: 'three_ds_server'
  card: PaymentCard
  proof: ThreeDsProof
}

/** Payment with the proof of the bank's page. The bank knows the card. */
export interface PaymentWithBankPageProof {
  by: 'bank_page'
  proof: BankPageProof
}

/** Outcome of a 3-D Secure authentication. */
export interface ThreeDsProof {
  /** Authenticated or attempted; another status only if the POS accepts it. */
  status: 'Y' | 'A' | UnauthenticatedStatus
  eci: string | null
  /** Issuer's cryptogram for this card and amount. */
  cavv: string | null
  /** Transaction id of the directory server. */
  dsTransId: string | null
  /** Authenticated amount. Another amount is not covered. */
  amountMinor: number
  currency: string
}

export type BankPageProof = Readonly<Record<string, string>>

/** Capture, void or refund of an earlier charge. */
export interface BankModificationRequest {
  reference: string
  amountMinor: number
  currency: string
  /** References from the bank's approval. */
  bankReferences: BankReferences
}

export interface BankRefundRequest extends BankModificationRequest {
  /** Distinguishes several refunds of one charge. */
  refundKey: string
  /** Sum of the earlier refunds known at the bank. Some banks distinguish refunds by nothing else. */
  priorRefundedMinor: number
}

/** Status of one refund. `not_refunded` does not rule out a request that is still on its way. */
export type RefundStatus =
  | { status: 'refunded'; bankReferences: BankReferences; code: string; message: string | null }
  | { status: 'not_refunded' }
  | { status: 'unknown'; why: string }

export type ChargeInquiry = Pick<ChargeTerms, 'reference' | 'currency'>

export type BankReferences = Readonly<Record<string, string>>

/** Outcome of a charge or a modification: approved, declined or unknown. */
export type BankAnswer = BankApproval | BankDecline | UnknownBankAnswer

/**
 * Terms that the bank's answer repeats. A connector leaves out terms that the answer does not name. An
 * approval with all three is proven; any other is verified later.
 */
export interface EchoedTerms {
  reference?: string
  amountMinor?: number
  currency?: string
}

/** The bank reports that it is done. The echoed terms are compared with the request. */
export interface BankApproval {
  outcome: 'approved'
  echoed: EchoedTerms
  code: string
  message: string | null
  bankReferences: BankReferences
}

/**
 * The request is certainly not done, with one exception: for a charge, `duplicate_reference` means that the
 * bank already has the reference. The outcome of that charge is then unknown.
 */
export interface BankDecline {
  outcome: 'declined'
  reason: DeclineReason
  code: string
  message: string | null
}

/** The request may be done, or may still be done later. */
export interface UnknownBankAnswer {
  outcome: 'unknown'
  /** Event in place of an answer, without secrets. */
  why: string
}

/** Our decline reasons. The bank's own are in code and message. */
export const declineReasons = [
  'insufficient_funds',
  'do_not_honour',
  'invalid_transaction',
  'lost_card',
  'stolen_card',
  'pick_up_card',
  'suspected_fraud',
  'expired_card',
  'wrong_cvc',
  'not_permitted_to_holder',
  'not_permitted_to_terminal',
  'authentication_failed',
  'duplicate_reference',
  'nothing_to_undo',
  'already_settled',
  'not_settled_yet',
  'sums_differ',
  'bank_not_reached',
  'other',
] as const

export type DeclineReason = (typeof declineReasons)[number]

/** A code of a bank's own 3-D Secure page, with the next try that makes sense. */
export interface AuthenticationCode {
  meaning: LocalizedText
  retry: 'same_card' | 'other_card' | 'later'
}

/** A code by which a bank declines. */
export interface DeclineCode {
  reason: DeclineReason
  /** Meaning the bank gives to the code; undefined if the bank publishes none. */
  meaning?: LocalizedText
}

/** Status of a charge at the bank. */
export type ChargeStatus =
  | (Omit<BankApproval, 'outcome' | 'echoed'> & {
      status: 'taken' | 'held'
      echoed: EchoedTerms & { amountMinor: number }
      /** Refunded sum; null if the bank does not report it. */
      refundedMinor: number | null
    })
  | { status: 'declined'; reason: DeclineReason; code: string; message: string | null }
  /** Charged or held, and then fully voided or refunded. */
  | { status: 'undone' }
  /** The bank does not know it. A request may still be on its way. */
  | { status: 'absent' }
  | { status: 'unknown'; why: string }
