import type { Clock } from './clock.ts'

/** Margin beyond the longest wait, because the clocks of instances differ. */
const marginS = 120

/** Latest due time that is plausible for an item that waits for one of these times at most. */
export function latestPlausibleDueAt({ clock }: { clock: Clock }, ...waitsS: readonly number[]): Date {
  return new Date(clock.now().getTime() + (Math.max(...waitsS) + marginS) * 1000)
}
