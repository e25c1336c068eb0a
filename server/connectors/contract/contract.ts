import type { PaymentCard } from '../../../kit/money/card.ts'
import type { HttpClient } from '../../../kit/outbound/http-client.ts'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Log } from '../../../kit/runtime/log.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { Language, LocalizedText } from '../../../kit/text/locale.ts'

/** A way to reach a bank's virtual POS. A merchant's POS names the one that it is reached by. */
export interface Connector {
  name: string
  about: string
  /** Whose payments it carries: a test merchant's reach the sandbox alone, a live merchant's never do. */
  mode: 'test' | 'live'
  /** What the bank gives to a merchant to sign in with. All of it is sealed, and none of it ever shown. */
  secrets: readonly PosSecretField[]
  /** What else has to be known of a POS. None of it is secret. */
  settings: readonly PosSettingField[]
  /** The currencies that it can carry; any that there is where it says nothing. */
  currencies?: readonly string[]
  /** Codes by which the bank declines. A bank may answer codes that are not listed; they count as `other`. */
  declineCodes: Readonly<Record<string, DeclineCode>>
  /** Codes with which the bank's own 3-D Secure page returns a payer who is not authenticated. */
  authenticationCodes?: Readonly<Record<string, AuthenticationCode>>
  /** Where nobody has to apply for them: makes a POS its secrets. */
  issueSecrets?(random: Random): Record<string, string>
  /** One POS of the bank, ready to be asked. Nothing is sent yet. */
  open(tools: ConnectorTools, access: PosAccess): Bank
}

export interface PosSecretField {
  name: string
  about: string
}

export interface PosSettingField {
  name: string
  about: string
  /** What holds where nothing is said; where there is none, something must be said. */
  defaultValue?: string
  /** The value as it is kept, or what is wrong with it. */
  read(text: string): { value: string } | LocalizedText
}

/** All that a connector gets of the world. It opens no connection, reads no clock and makes up nothing by itself. */
export interface ConnectorTools {
  http: HttpClient
  clock: Clock
  random: Random
  log: Log
}

/** How a POS is reached. */
export interface PosAccess {
  /** The address of the sandbox, without a slash at its end. A connector to a real bank has its address among its settings. */
  sandboxUrl: string
  settings: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, string>>
  /** How long the bank may take to answer. */
  timeoutMs: number
}

/**
 * One POS. Being able to do something is having the method. Guarantee of every method: it throws for bugs alone; a
 * bank that does not answer, or not what can be understood, is an outcome.
 */
export interface Bank {
  /** Who proves that the payer is the holder of the card. */
  authentication: OwnThreeDsAuthentication | BankPageAuthentication
  /** Takes the money at once. */
  authorize(charge: BankChargeRequest): Promise<BankAnswer>
  /** Holds the money, to be captured or let go. */
  preAuthorize?(charge: BankChargeRequest): Promise<BankAnswer>
  /** Takes what was held, all of it or less. */
  capture?(modification: BankModificationRequest): Promise<BankAnswer>
  /** Makes undone what was taken or held, as long as the bank's day has not ended. */
  void?(modification: BankModificationRequest): Promise<BankAnswer>
  /**
   * Gives back what was taken, all of it or a part. Guarantee, where there is no `queryRefund`: the same part is given
   * back once, however often it is asked.
   */
  refund?(modification: BankRefundRequest): Promise<BankAnswer>
  /**
   * Whether this part was given back, for banks that would give it back again if they were asked again. Where the method
   * is missing, asking again is safe.
   */
  queryRefund?(modification: BankRefundRequest): Promise<RefundStatus>
  /** Status of a charge, by our reference. The one thing that every bank must be able to tell. */
  query(chargeQuery: ChargeQuery): Promise<ChargeStatus>
}

/** Our own 3-D Secure server does it, and the bank gets the proof with the card. */
export interface OwnThreeDsAuthentication {
  by: 'us'
  /** Where the directory server is, and as whom the bank has registered the merchant there. */
  directoryUrl: string
  acquirerBin: string
  acquirerMerchantId: string
  /** What the merchant sells, as four digits of ISO 18245. */
  merchantCategory: string
  /** Whether the payer is to be asked, in the words of the protocol: 01 leaves it to the issuer. */
  challengeIndicator: string
  /** What this POS takes beyond a holder who is proven, at the merchant's own risk. */
  acceptedStatuses: readonly UnauthenticatedStatus[]
}

/** That nobody could say, that the issuer was only informed, or that the card knows no 3-D Secure. */
export type UnauthenticatedStatus = 'U' | 'I' | 'not_enrolled'

/** The payer's browser carries the card to the bank's own page, which posts the proof back. */
export interface BankPageAuthentication {
  by: 'bank'
  /** The hosts that the form may be posted to, as a policy of the browser names them: `https://bank.example`. */
  formHost: string
  /** What the browser has to post, card and all, and where. The card is in it alone. */
  form(charge: BankFormTerms, card: PaymentCard): BankForm
  /**
   * Judges what the browser brought back, as its bytes: first that it is the bank's, then that it is about this very
   * charge, then what it says.
   */
  readReturn(charge: ChargeTerms, body: Buffer): BankPageResult
}

export interface BankFormTerms extends ChargeTerms {
  preAuth: boolean
  /** Where the bank sends the payer's browser back to, whatever came of it. */
  returnUrl: string
  language: Language
}

export interface BankForm {
  action: string
  fields: Record<string, string>
  /** The same without what must not be kept: no card, no code, no hash. */
  trace: Readonly<Record<string, string>>
}

export type BankPageResult = {
  /** What came, without what must not be kept. */
  trace: Readonly<Record<string, string>>
} & (
  | {
      verdict: 'proven'
      proof: BankPageProof
      /** Proven, or attempted. */
      status: 'Y' | 'A'
      eci: string | null
    }
  | { verdict: 'not_proven'; code: string | null; message: string | null }
  /** Not the bank's words, or not about this charge: nothing may follow from it. */
  | { verdict: 'not_genuine'; why: string }
)

/** What is to be charged. What the bank answers is compared with it. */
export interface ChargeTerms {
  /** By what we and the bank both know it. Never used for another charge. */
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

/** With a card whose holder we had authenticated. */
export interface PaymentWithCardAndProof {
  by: 'us'
  card: PaymentCard
  proof: ThreeDsProof
}

/** With what the bank's own page said; it knows the card. */
export interface PaymentWithBankPageProof {
  by: 'bank'
  proof: BankPageProof
}

/** What a 3-D Secure authentication ended with. */
export interface ThreeDsProof {
  /** Authenticated, or attempted; anything else only where the POS takes it. */
  status: 'Y' | 'A' | UnauthenticatedStatus
  eci: string | null
  /** The cryptogram that the issuer made for this card and amount. */
  cavv: string | null
  /** By what the directory server knows the authentication. */
  dsTransId: string | null
  /** What was authenticated: a charge of anything else is not covered by it. */
  amountMinor: number
  currency: string
}

export type BankPageProof = Readonly<Record<string, string>>

/** Something done to an earlier charge. */
export interface BankModificationRequest {
  reference: string
  amountMinor: number
  currency: string
  /** What the bank gave us with its approval. */
  bankReferences: BankReferences
}

export interface BankRefundRequest extends BankModificationRequest {
  /** Tells several refunds of one charge apart. */
  refundKey: string
  /** The sum that the bank is known to have given back of the charge before: some banks tell refunds apart by nothing else. */
  priorRefundedMinor: number
}

/** Whether a part was given back. That it was not says nothing of a request that is still on its way. */
export type RefundStatus =
  | { status: 'given_back'; bankReferences: BankReferences; code: string; message: string | null }
  | { status: 'not_given_back' }
  | { status: 'unknown'; why: string }

export type ChargeQuery = Pick<ChargeTerms, 'reference' | 'currency'>

export type BankReferences = Readonly<Record<string, string>>

/** Outcome of a charge or a modification: the bank approved it, declined it, or we do not know. */
export type BankAnswer = BankApproval | BankDecline | UnknownBankAnswer

/**
 * The part of a charge or a modification that the bank's own words name. A connector leaves out what they do not name: an approval
 * that names all three is proven, any other is verified later.
 */
export interface EchoedTerms {
  reference?: string
  amountMinor?: number
  currency?: string
}

/** It is done, by the bank's word. What the word shows is compared with what was asked. */
export interface BankApproval {
  outcome: 'approved'
  echoed: EchoedTerms
  code: string
  message: string | null
  bankReferences: BankReferences
}

/**
 * It is certainly not done. But for one reason: of a charge, `duplicate_reference` says that the bank has it already, and
 * so nothing of what became of it.
 */
export interface BankDecline {
  outcome: 'declined'
  reason: DeclineReason
  code: string
  message: string | null
}

/** It may be done, or be about to be done. */
export interface UnknownBankAnswer {
  outcome: 'unknown'
  /** What happened instead of an answer, in words without secrets. */
  why: string
}

/** Why a bank declines, in our words; the bank's own are in code and message. */
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
      /** The sum that was given back of it; null where the bank does not tell. */
      refundedMinor: number | null
    })
  | { status: 'declined'; reason: DeclineReason; code: string; message: string | null }
  /** It was taken or held, and all of it was undone or given back. */
  | { status: 'undone' }
  /** The bank has never heard of it. It may still be about to. */
  | { status: 'absent' }
  | { status: 'unknown'; why: string }
