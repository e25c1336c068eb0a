import type { Services } from '../services.ts'

/** Counts how an authentication ended. */
export function countOutcome(
  { metrics }: Pick<Services, 'metrics'>,
  mode: 'us' | 'bank',
  outcome: string,
): void {
  metrics
    .counts(
      'vezne_authentications_total',
      'Outcomes of 3-D Secure, by who ran it: us, or the bank by its page.',
      ['way', 'outcome'],
    )
    .inc({ way: mode, outcome })
}
