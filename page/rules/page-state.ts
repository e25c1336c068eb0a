/** What is paid in all, and how much of that installments cost. */
export interface ChargeText {
  total: string
  extra: string | null
}

/** How the payment stands, as the service says it: the words included. */
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
  returnUrl: string | null
  leaves: boolean
  expiresInMs: number
  /** The field that the last refusal was about. */
  field: 'number' | 'expiry' | 'cvc' | null
  /** What the payer may print and keep, by lines; empty before anything was paid. */
  receipt: { name: string; label: string; value: string }[]
}

/** What is not said where there is nothing to say. */
const quiet: Omit<PageState, 'view' | 'charge' | 'expiresInMs'> = {
  title: null,
  text: null,
  notice: [],
  takesCard: false,
  canGoOn: false,
  isEnding: false,
  isUnderWay: false,
  returnUrl: null,
  leaves: false,
  field: null,
  receipt: [],
}

/** Reads the state as it is written into the page. */
export function parsePageState(text: string): PageState {
  return { ...quiet, ...JSON.parse(text) }
}

/** Whether the payment waits for what its payer does at the bank. */
export function isWaiting({ view, isUnderWay }: Pick<PageState, 'view' | 'isUnderWay'>): boolean {
  return view === 'form' && isUnderWay
}

/** Whether there is an outcome, which nothing changes any more. */
export function isOver({ view }: Pick<PageState, 'view'>): boolean {
  return view !== 'form' && view !== 'asking'
}
