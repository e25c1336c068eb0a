import type { Services } from '../services.ts'

/** Counts how an authentication ended. */
export function countOutcome(
  { metrics }: Pick<Services, 'metrics'>,
  mode: 'us' | 'bank',
  outcome: string,
): void {
  metrics
    .counts('vezne_authentications_total', 'What was said at the end of authentications, by way.', [
      'way',
      'outcome',
    ])
    .inc({ way: mode, outcome })
}
