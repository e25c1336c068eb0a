import type { PageState } from './page-state.ts'
import { isOver } from './page-state.ts'

/** A refusal is explained in a moment; what takes longer is not asked for all the time. */
const soonMs = 400
const askEveryMs = 2_500
const askSeldomMs = 10_000
/** While the payer is at the bank, the frame between says when that is over. */
const atBankMs = 5_000
/** A page that waits for its payer may have been paid for elsewhere. */
const lookEveryMs = 15_000
const slower = 1.15

/** What it depends on how often is asked. */
export type PollingState = Pick<PageState, 'view' | 'isEnding' | 'isUnderWay'>

/**
 * How long to wait before asking again how the payment stands, when it was asked so many times already and nothing has
 * changed. Undefined: not before something happens here, as where it is over, or nobody looks at a page that only
 * waits for its payer.
 */
export function pollDelayMs(course: PollingState, polls: number, isHidden: boolean): number | undefined {
  if (isOver(course)) return undefined
  if (course.isEnding) return Math.min(soonMs * 2 ** polls, askEveryMs)
  if (!course.isUnderWay) return isHidden ? undefined : lookEveryMs
  if (isHidden) return askSeldomMs
  return Math.min((course.view === 'asking' ? askEveryMs : atBankMs) * slower ** polls, askSeldomMs)
}

/** Whoever could not be reached is asked again. */
export const retryDelayMs = askEveryMs
