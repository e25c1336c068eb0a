import type { Services } from '../services.ts'

/** Counts the outcome of an authentication. */
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
    // `way` is the old name of the label, kept so that existing alerts still work.
    .inc({ mode, way: mode, outcome })
}
