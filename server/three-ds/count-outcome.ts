import type { Services } from '../services.ts'

/** Counts how an authentication ended. */
export function countOutcome(
  { metrics }: Pick<Services, 'metrics'>,
  mode: 'us' | 'bank',
  outcome: string,
): void {
  metrics
    .labelledCounter(
      'vezne_authentications_total',
      'Outcomes of 3-D Secure, by who ran it: us, or the bank by its page.',
      ['mode', 'way', 'outcome'],
    )
    // `way` is the name that the label had before: no alert on it falls silent.
    .inc({ mode, way: mode, outcome })
}
