import type { Metrics } from '../../kit/metrics.ts'
import type { Services } from '../../services.ts'
import { unsettledCounts } from './store.ts'

interface Counts {
  unknown: number
  forPeople: number
  oldestAskedAt: Date | null
}

const counted = new WeakMap<Metrics, { counts: Counts }>()

/** Looks how many charges are not settled, for the metrics. Every copy tells the same numbers, of the whole database. */
export async function countUnsettled(services: Services): Promise<number> {
  const counts = await unsettledCounts(services.sql)
  const known = counted.get(services.metrics)
  if (known) known.counts = counts
  else show(services, counts)
  return 0
}

function show({ metrics, clock }: Services, counts: Counts): void {
  const latest = { counts }
  counted.set(metrics, latest)
  metrics.value(
    'vezne_unknown_outcomes',
    'Charges whose outcome at the bank is not known, or that are being undone.',
    () => latest.counts.unknown,
  )
  metrics.value(
    'vezne_unknown_outcomes_for_people',
    'Charges that people have to ask the bank about: vezne payment unknown.',
    () => latest.counts.forPeople,
  )
  metrics.value(
    'vezne_oldest_unknown_outcome_seconds',
    'How long ago the oldest of them was asked for.',
    () => {
      const { oldestAskedAt } = latest.counts
      return oldestAskedAt ? (clock.now().getTime() - oldestAskedAt.getTime()) / 1000 : 0
    },
  )
}
