import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import type { DayOrInstant } from '../../kit/input/day-or-instant.ts'
import { parseDayOrInstantField, startInstant } from '../../kit/input/day-or-instant.ts'
import { booleanField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { percentageText } from '../../kit/money/percentage.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { sortedCommissions } from './commission.ts'
import type { Pos } from './pos.ts'
import { posArgument } from './pos.ts'
import { rateChangesAfter, ratesAt } from './rate.ts'
import { requirePos } from './show-pos.ts'
import type { RateChange } from './store.ts'
import { rateChanges } from './store.ts'

export const listRatesCommand = command({
  positionals: ['pos'],
  input: objectSchema({
    ...posArgument,
    at: optional(
      parsedTextField<DayOrInstant>(
        'Time of the rates: a time with its UTC offset, or a day (its first moment). Default: now.',
        {
          max: 40,
          parse: parseDayOrInstantField,
        },
      ),
    ),
    history: optional(booleanField('Shows every change, oldest first.')),
  }),
  run: async (services: Services, input, print) => {
    const pos = await requirePos(services, input.pos)
    const merchant = await requireMerchant(services, pos.merchantId)
    if (input.history) return print(changesTable(await rateChanges(services.sql, pos), merchant))
    const at = input.at === undefined ? undefined : startInstant(input.at, merchant.timeZone)
    for (const line of await rateTextLines(services, pos, merchant, at)) print(line)
  },
})

/** Text of the current rates and of future changes. Families that the POS no longer accepts are left out. */
export async function rateTextLines(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  pos: Pos,
  merchant: Merchant,
  requestedAt?: Date,
): Promise<string[]> {
  const now = clock.now()
  const at = requestedAt ?? now
  const changes = await rateChanges(sql, pos)
  const held = sortedCommissions({ pos, commissions: ratesAt(changes, at) })
  const coming = rateChangesAfter(changes, at)
  return [
    held.length === 0
      ? `${pos.name} has no rates at ${isoTime(at, merchant.timeZone)}.`
      : `${pos.name} at ${isoTime(at, merchant.timeZone)}:\n${changesTable(held, merchant)}`,
    ...(coming.length === 0
      ? []
      : [`${at < now ? 'Later rates' : 'Future rates'}:\n${changesTable(coming, merchant)}`]),
  ]
}

function changesTable(changes: readonly RateChange[], { timeZone }: Merchant): string {
  const rows = changes.map(({ family, segment, installment, rate, commissionBy, validFrom, createdAt }) => [
    family,
    segment,
    String(installment),
    rate === null ? 'ended' : `${percentageText(rate)} %`,
    rate === null ? '' : commissionBy,
    isoTime(validFrom, timeZone),
    isoTime(createdAt, timeZone),
  ])
  return textTable(['FAMILY', 'SEGMENT', 'INSTALLMENTS', 'RATE', 'BORNE BY', 'FROM', 'ENTERED'], rows)
}
