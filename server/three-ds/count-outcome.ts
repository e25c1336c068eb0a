import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'

export function countOutcome(
  { metrics }: Pick<Services, 'metrics'>,
  mode: Authentication['mode'],
  outcome: string,
): void {
  metrics
    .counter(
      'vezne_authentications_total',
      'Outcomes of 3-D Secure, by mode: our own 3DS Server, or the page of the bank.',
      ['mode', 'outcome'],
    )
    .inc({ mode, outcome })
}
