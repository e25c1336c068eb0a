import type { PageState } from './page-state.ts'
import { isOver } from './page-state.ts'

/** First interval near the end: a decline is known in a moment. Later intervals are longer. */
const soonMs = 400
const askEveryMs = 2_500
const askSeldomMs = 10_000
/** Interval while the payer is at the bank. The bridge reports the end in between. */
const atBankMs = 5_000
/** Interval of an idle page, which may have been paid in another window. */
const lookEveryMs = 15_000
const slower = 1.15

/** Part of the state that determines the interval. */
export type PollingState = Pick<PageState, 'view' | 'isEnding' | 'isUnderWay'>

/**
 * Time until the next poll after this number of polls without a change. Undefined: no poll until something
 * happens here, because the payment is over or a hidden page only waits for its payer.
 */
export function pollDelayMs(course: PollingState, polls: number, isHidden: boolean): number | undefined {
  if (isOver(course)) return undefined
  if (course.isEnding) return Math.min(soonMs * 2 ** polls, askEveryMs)
  if (!course.isUnderWay) return isHidden ? undefined : lookEveryMs
  if (isHidden) return askSeldomMs
  return Math.min((course.view === 'asking' ? askEveryMs : atBankMs) * slower ** polls, askSeldomMs)
}

/** Time until the next poll after a failed one. */
export const retryDelayMs = askEveryMs
