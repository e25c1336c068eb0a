import type { DayOrInstant } from '../../kit/input/day-or-instant.ts'
import { parseDayOrInstantField, startInstant } from '../../kit/input/day-or-instant.ts'
import { choiceField, optional, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { SegmentSlug } from '../bins/index.ts'
import { segmentSlugs } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Commission } from './commission.ts'
import { ratedFamilies } from './commission.ts'
import type { Pos } from './pos.ts'
import { requirePos } from './show-pos.ts'
import type { RateChange } from './store.ts'
import { insertRates, posForUpdate, rateChanges } from './store.ts'

/** Arguments that name the rates of a command and their start. */
export const rateFields = {
  family: choiceField('Card family; other means cards without a rate of their own.', ratedFamilies),
  segment: optional(choiceField('Card segment. Default: both.', segmentSlugs)),
  from: optional(
    parsedTextField<DayOrInstant>('Start: a day, or a time with its UTC offset. Default: now.', {
      max: 40,
      parse: parseDayOrInstantField,
    }),
  ),
}

export function segmentsOf({ segment }: { segment?: SegmentSlug }): readonly SegmentSlug[] {
  return segment === undefined ? segmentSlugs : [segment]
}

/** Request for new rates of a POS. */
interface RateRequest {
  pos: number
  from?: DayOrInstant
  /** Largest number of changes. */
  most: number
  /** Refuses a wrong request for this POS. */
  check?(pos: Pos): void
  /** Changes, given the rates that would be valid at their start. */
  change(held: readonly Commission[]): Pick<RateChange, RequestedRateField>[]
}

type RequestedRateField = 'family' | 'segment' | 'installment' | 'rate' | 'commissionBy'

/** Writes new rates of a POS from a time on, and returns them. Guarantee: no rate before that time changes. */
export async function changeRates(
  services: Pick<Services, 'sql' | 'clock' | 'ids'>,
  merchant: Merchant,
  { pos: posId, from, most, check, change }: RateRequest,
): Promise<RateChange[]> {
  // Ids are reserved first, so that little time passes between reading the clock and writing.
  const ids = await services.ids.nextMany(most)
  return services.sql.transaction(async (sql) => {
    const pos = await requirePos({ sql }, posId, posForUpdate)
    check?.(pos)
    const before = await rateChanges(sql, pos)
    const start = nextRateStart(before, from, merchant, services.clock.now())
    const changes = change(ratesAt(before, start.validFrom)).map((rate, index) => {
      const id = ids[index]
      if (id === undefined) throw new Error('fewer ids were taken than there are changes')
      return { ...rate, ...start, id, posId }
    })
    if (changes.length > 0) await insertRates(sql, pos, changes)
    return changes
  })
}

/** Rates at a time: the latest change of each family, segment and number of installments. */
export function ratesAt(changes: readonly RateChange[], at: Date): Commission[] {
  const latest = new Map<string, RateChange>()
  for (const change of changes.filter(({ validFrom }) => validFrom <= at).toSorted(byRateStart)) {
    latest.set(`${change.family} ${change.segment} ${change.installment}`, change)
  }
  return [...latest.values()].filter((change): change is Commission => change.rate !== null)
}

/** Changes after a time, in order, without those that were replaced before they started. */
export function rateChangesAfter(changes: readonly RateChange[], at: Date): RateChange[] {
  const last = new Map<string, RateChange>()
  for (const change of changes.filter(({ validFrom }) => validFrom > at).toSorted(byRateStart)) {
    const { family, segment, installment, validFrom } = change
    last.set(`${family} ${segment} ${installment} ${validFrom.getTime()}`, change)
  }
  return [...last.values()]
}

/** Order of changes. If two start at the same time, the later revision counts. */
function byRateStart(one: RateChange, other: RateChange): number {
  return one.validFrom.getTime() - other.validFrom.getTime() || one.revision - other.revision
}

/** Start, revision and creation time of a rate change. */
interface RateStart {
  validFrom: Date
  revision: number
  createdAt: Date
}

/** Largest expected difference of correct clocks. A change from a clock further ahead is ignored. */
const clocksApartMs = 5 * 60_000

/**
 * Start of the next change. Payments were charged by the rates of their time, so no change starts in the
 * past. A change without a start begins no earlier than the creation of any earlier change, even if the clock
 * was set back.
 */
function nextRateStart(
  changes: readonly RateChange[],
  from: DayOrInstant | undefined,
  { timeZone }: Merchant,
  now: Date,
): RateStart {
  const revision = 1 + Math.max(0, ...changes.map((change) => change.revision))
  const madeMs = changes.map(({ createdAt }) => createdAt.getTime())
  const believable = madeMs.filter((ms) => ms <= now.getTime() + clocksApartMs)
  const createdAt = new Date(Math.max(now.getTime(), ...believable))
  const validFrom = from === undefined ? createdAt : startInstant(from, timeZone)
  if (validFrom >= createdAt) return { validFrom, revision, createdAt }
  throw invalidParameter('from', {
    tr: 'Geçmiş bir zaman olamaz: oranlar geriye dönük değişmez. Hemen başlaması için boş bırakın.',
    en: 'Must not be in the past: rates never change retroactively. Leave it out to start immediately.',
  })
}
