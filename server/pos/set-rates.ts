import type { Static } from 'typebox'
import { command } from '../../kit/command-line/command.ts'
import { choiceField, listField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { ScaledPercentage } from '../../kit/money/percentage.ts'
import { parsePercentageField } from '../../kit/money/percentage.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { Bearer, Commission } from './commission.ts'
import { maxInstallments, otherCards } from './commission.ts'
import { rateTextLines } from './list-rates.ts'
import type { Pos } from './pos.ts'
import { posArgument } from './pos.ts'
import { changeRates, rateFields, segmentsOf } from './rate.ts'
import { requirePos } from './show-pos.ts'
import type { RateChange } from './store.ts'

interface RateOfCount {
  installment: number
  rate: ScaledPercentage
}

const SetRates = objectSchema({
  ...posArgument,
  family: rateFields.family,
  segment: rateFields.segment,
  rate: listField(
    'Number of installments and commission in percent, for example 3=4.29.',
    parsedTextField<RateOfCount>('A rate.', { max: 20, parse: readRate }),
    { max: maxInstallments },
  ),
  by: optional(
    choiceField(
      'Who bears the commission. Default: as before; at first, the merchant. The merchant always bears the commission of a single payment.',
      ['merchant', 'customer'],
    ),
  ),
  from: rateFields.from,
})

type Input = Static<typeof SetRates>

export const setRatesCommand = command({
  positionals: ['pos'],
  input: SetRates,
  run: async (services: Services, input, print) => {
    const pos = await requirePos(services, input.pos)
    const merchant = await requireMerchant(services, pos.merchantId)
    const changes = await setRates(services, merchant, input)
    print(
      changes.length === 0
        ? 'Nothing was changed: the POS already has these rates.'
        : `Rates set: ${changes.length}.`,
    )
    for (const line of await rateTextLines(services, pos, merchant)) print(line)
  },
})

/**
 * Sets rates from a time on and returns the changes; rates that are already valid are not written again.
 */
export function setRates(
  services: Pick<Services, 'sql' | 'clock' | 'ids'>,
  merchant: Merchant,
  input: Input,
): Promise<RateChange[]> {
  return changeRates(services, merchant, {
    ...input,
    most: segmentsOf(input).length * input.rate.length,
    check: (pos) => assertSensible(pos, input),
    change: (held) => changedRates(input, held),
  })
}

/** Requested rates that are not valid yet. The bearer stays the same unless it is given. */
function changedRates({ family: slug, rate: rates, by, ...input }: Input, held: readonly Commission[]) {
  return segmentsOf(input).flatMap((each) =>
    rates.flatMap(({ installment, rate }) => {
      const before = held.find(
        (one) => one.family === slug && one.segment === each && one.installment === installment,
      )
      const commissionBy: Bearer = by ?? before?.commissionBy ?? 'merchant'
      if (before?.rate === rate && before.commissionBy === commissionBy) return []
      return [{ family: slug, segment: each, installment, rate, commissionBy }]
    }),
  )
}

function assertSensible(pos: Pos, { family: slug, rate: rates, by }: Input): void {
  const counts = rates.map(({ installment }) => installment)
  assertAccepted(pos, slug)
  if (new Set(counts).size < counts.length) throw invalidParameter('rate', countTwice)
  if (slug === otherCards && counts.some((count) => count > 1)) throw invalidParameter('rate', singleAlone)
  if (by === 'customer' && counts.includes(1)) throw invalidParameter('by', merchantsOwn)
}

function assertAccepted(pos: Pos, slug: Input['family']): void {
  if (slug === otherCards || pos.families.includes(slug)) return
  const all = [...pos.families, otherCards].join(', ')
  throw invalidParameter('family', {
    tr: `Bu POS bu kart ailesini kabul etmiyor. Kabul ettiği aileler: ${all}.`,
    en: `The POS does not accept this card family. It accepts: ${all}.`,
  })
}

const countTwice: LocalizedText = {
  tr: 'Aynı taksit sayısı birden fazla kez verilmiş.',
  en: 'A number of installments occurs more than once.',
}

const singleAlone: LocalizedText = {
  tr: 'Diğer kartlarda yalnızca tek çekim (1=…) yapılabilir; taksit yalnızca kart aileleri içindir.',
  en: 'Other cards allow only single payments (1=…); installments are only for card families.',
}

const merchantsOwn: LocalizedText = {
  tr: 'Tek çekimde komisyonu her zaman üye iş yeri karşılar; müşteri yalnızca iki ve daha fazla taksitte karşılayabilir.',
  en: 'The merchant always bears the commission of a single payment. The customer can bear it from two installments upwards.',
}

function readRate(text: string): { value: RateOfCount } | LocalizedText {
  const [, count = '', percentage = ''] = /^([1-9]\d?)[=:](.+)$/.exec(text) ?? []
  const installment = Number(count)
  if (count === '' || installment > maxInstallments) {
    return {
      tr: `Taksit sayısı ve yüzde olmalıdır, örneğin 3=4.29; en fazla ${maxInstallments} taksit.`,
      en: `Must be a number of installments and a percentage, for example 3=4.29; at most ${maxInstallments} installments.`,
    }
  }
  const rate = parsePercentageField(percentage)
  return 'value' in rate ? { value: { installment, rate: rate.value } } : rate
}
