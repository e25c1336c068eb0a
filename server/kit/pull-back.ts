import type { Clock } from './clock.ts'

/** Beyond a longest wait nothing is too far ahead yet: clocks of instances differ, and so may their settings for a while. */
const marginS = 120

/** The moment beyond which nothing can be due that has to wait for one of these times at most. */
export function latestDue({ clock }: { clock: Clock }, ...waitsS: readonly number[]): Date {
  return new Date(clock.now().getTime() + (Math.max(...waitsS) + marginS) * 1000)
}
