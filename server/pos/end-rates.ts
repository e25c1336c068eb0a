import type { Static } from 'typebox'
import { command } from '../../kit/command-line/command.ts'
import { integerField, listField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Commission } from './commission.ts'
import { maxInstallments, otherCards } from './commission.ts'
import { rateTextLines } from './list-rates.ts'
import { posArgument } from './pos.ts'
import { changeRates, rateFields, segmentsOf } from './rate.ts'
import { requirePos } from './show-pos.ts'
import type { RateChange } from './store.ts'

const EndRates = objectSchema({
  ...posArgument,
  family: rateFields.family,
  segment: rateFields.segment,
  installment: listField(
    'Number of installments that the POS no longer offers.',
    integerField('Number of installments.', { min: 1, max: maxInstallments }),
    { max: maxInstallments },
  ),
  from: rateFields.from,
})

export const endRatesCommand = command({
  positionals: ['pos'],
  input: EndRates,
  run: async (services: Services, input, print) => {
    const pos = await requirePos(services, input.pos)
    const merchant = await requireMerchant(services, pos.merchantId)
    print(`Rates ended: ${(await endRates(services, merchant, input)).length}.`)
    for (const line of await rateTextLines(services, pos, merchant)) print(line)
  },
})

/**
 * Ends rates from a time on. The rate for single payments with other cards cannot end, so every payment has a
 * price.
 */
export async function endRates(
  services: Pick<Services, 'sql' | 'clock' | 'ids'>,
  merchant: Merchant,
  input: Static<typeof EndRates>,
): Promise<RateChange[]> {
  if (input.family === otherCards) {
    throw invalidParameter('family', {
      tr: 'Tek çekim oranı sona erdirilemez. Değiştirmek için: vezne rate set.',
      en: 'The rate for single payments cannot be ended. To change it: vezne rate set.',
    })
  }
  const segments = segmentsOf(input)
  const change = (held: readonly Commission[]) => {
    const ended = held.filter(
      ({ family, segment, installment }) =>
        family === input.family && segments.includes(segment) && input.installment.includes(installment),
    )
    if (ended.length > 0) return ended.map((commission) => ({ ...commission, rate: null }))
    throw invalidParameter('installment', {
      tr: 'O tarihte böyle bir oran yok.',
      en: 'The POS has no such rate at that time.',
    })
  }
  return changeRates(services, merchant, {
    ...input,
    most: segments.length * input.installment.length,
    change,
  })
}
