/** Total to pay, and the extra cost of installments in it. */
export interface ChargeText {
  total: string
  extra: string | null
}

/** State of the payment with its texts, as sent by the service. */
export interface PageState {
  view: 'form' | 'asking' | 'paid' | 'held' | 'failed' | 'expired'
  title: string | null
  text: string | null
  notice: string[]
  charge: ChargeText
  takesCard: boolean
  canGoOn: boolean
  isEnding: boolean
  isUnderWay: boolean
  isReleased: boolean
  returnUrl: string | null
  leaves: boolean
  expiresInMs: number
  /** Field to fill in again after the last decline, with the reason. `number` asks for another card. */
  field: { name: 'number' | 'expiry' | 'cvc'; text: string } | null
  /** Lines of the receipt; empty before the payment is paid. */
  receipt: { name: string; label: string; value: string }[]
}

/** Defaults of omitted fields. */
const quiet: Omit<PageState, 'view' | 'charge' | 'expiresInMs'> = {
  title: null,
  text: null,
  notice: [],
  takesCard: false,
  canGoOn: false,
  isEnding: false,
  isUnderWay: false,
  isReleased: false,
  returnUrl: null,
  leaves: false,
  field: null,
  receipt: [],
}

/** Reads the state that is embedded in the page. */
export function parsePageState(text: string): PageState {
  return { ...quiet, ...JSON.parse(text) }
}

/** True while the payment waits for the payer's action at the bank. */
export function isWaiting({ view, isUnderWay }: Pick<PageState, 'view' | 'isUnderWay'>): boolean {
  return view === 'form' && isUnderWay
}

/** True if the payment has a final outcome. */
export function isOver({ view }: Pick<PageState, 'view'>): boolean {
  return view !== 'form' && view !== 'asking'
}
