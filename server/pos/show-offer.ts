import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { moneyField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { decimalText } from '../../kit/money/money.ts'
import { percentageText } from '../../kit/money/percentage.ts'
import type { CardKind } from '../bins/index.ts'
import { binNumber } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantOrDefault, merchantOrDefaultArgument } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { familyName } from './commission.ts'
import { makeOfferFromPoses } from './make-offer.ts'
import type { Plan } from './offer.ts'
import { installmentObstacle } from './offer.ts'
import { installmentObstacleTexts, posChoiceText } from './offer-texts.ts'
import { posOfMerchant, posWithCommissions } from './store.ts'

export const showOfferCommand = command({
  input: objectSchema({
    bin: binNumber,
    amount: moneyField('Amount of the payment, in the minor unit: 10000 is 100.00.'),
    currency: optional(
      parsedTextField<string>('Currency. Default: the merchant’s own.', {
        max: 3,
        parse: parseCurrencyField,
      }),
    ),
    merchant: optional(merchantOrDefaultArgument),
  }),
  run: async (services: Services, input, print) => {
    const merchant = await merchantOrDefault(services, input.merchant)
    const currency = input.currency ?? merchant.currency
    const request = { merchant, bin: input.bin, amountMinor: input.amount, currency }
    const poses = await posWithCommissions(services.sql, merchant.id, services.clock.now())
    const { card, plans } = await makeOfferFromPoses(services, request, poses)
    print(`${merchant.name}, ${decimalText(input.amount, '.')} ${currency}`)
    print(`${input.bin}: ${describeCard(card)}`)
    const obstacle = installmentObstacle({
      card,
      currency,
      installmentsOffered: merchant.supportsInstallment,
    })
    if (obstacle) print(`Only a single payment is possible. ${installmentObstacleTexts[obstacle]}`)
    print(
      plans.length === 0 ? await noPlans(services, merchant, currency) : plansTable(plans, card, currency),
    )
  },
})

async function noPlans({ sql }: Services, merchant: Merchant, currency: string): Promise<string> {
  const active = (await posOfMerchant(sql, merchant.id)).filter(({ state }) => state === 'active')
  if (active.length === 0) return `The merchant has no active POS. To add one: vezne pos add ${merchant.id}`
  const taken = [...new Set(active.flatMap(({ currencies }) => currencies))].join(', ')
  return `No active POS takes ${currency}. The active POS take: ${taken}.`
}

function describeCard(card: CardKind | undefined): string {
  if (!card) return 'not in the BIN table'
  const family = card.family === null ? 'no family' : familyName(card.family).en
  const prepaid = card.prepaid ? ', prepaid' : ''
  return `${card.bankName}, ${card.brand}, ${card.type}, ${family}, ${card.segment}, ${card.country}${prepaid}`
}

function plansTable(plans: readonly Plan[], card: CardKind | undefined, currency: string): string {
  const rows = plans.map((plan) => [
    String(plan.installment),
    decimalText(plan.chargedMinor, '.'),
    installmentsText(plan.installmentsMinor),
    decimalText(plan.commissionMinor, '.'),
    `${percentageText(plan.commission.rate)} %`,
    plan.bearer,
    decimalText(plan.merchantGetsMinor, '.'),
    plan.pos.name,
    posChoiceText(plan, { card, currency }),
  ])
  return textTable(
    ['INSTALLMENTS', 'PAYER PAYS', 'EACH', 'COMMISSION', 'RATE', 'BORNE BY', 'MERCHANT GETS', 'POS', 'WHY'],
    rows,
  )
}

/** `33.34 + 2 × 33.33` if the parts differ, `3 × 33.33` if they do not. */
function installmentsText(parts: readonly number[]): string {
  const sizes = [...new Set(parts)]
  return sizes
    .map((size) => {
      const count = parts.filter((part) => part === size).length
      return count === 1 ? decimalText(size, '.') : `${count} × ${decimalText(size, '.')}`
    })
    .join(' + ')
}
