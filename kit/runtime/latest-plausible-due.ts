import type { Clock } from './clock.ts'

/** Margin beyond a longest wait: clocks of instances differ. */
const marginS = 120

/** The moment beyond which nothing can be due that has to wait for one of these times at most. */
export function latestPlausibleDueAt({ clock }: { clock: Clock }, ...waitsS: readonly number[]): Date {
  return new Date(clock.now().getTime() + (Math.max(...waitsS) + marginS) * 1000)
}
