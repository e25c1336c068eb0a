import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText } from '../../kit/command-line/terminal-safe-text.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import { requireMerchant } from '../merchants/index.ts'
import type { Modification } from '../payments/for-refunds.ts'
import { modificationsOfPayment, refundWaitText } from '../payments/for-refunds.ts'
import type { Services } from '../services.ts'
import type { Refund } from './refund.ts'
import { violationMessage } from './review-rules.ts'
import { refundOfAnyMerchant } from './store.ts'

/** Argument that names a refund on the command line. */
export const refundArgument = {
  refund: idField('Id of the refund, from `vezne refund list`.'),
}

export const showRefundCommand = command({
  positionals: ['refund'],
  input: objectSchema(refundArgument),
  run: async (services: Services, input, print) => {
    const refund = await requireRefund(services, input.refund)
    const merchant = await requireMerchant(services, refund.merchantId)
    const modifications = await modificationsOfPayment(services.sql, {
      merchantId: merchant.id,
      id: refund.paymentId,
    })
    const modification = modifications.find(({ refundId }) => refundId === refund.id)
    for (const line of refundTextLines(refund, merchant, modification)) print(line)
    print(`\nTo see the history of its payment: vezne payment show ${refund.paymentId}`)
    if (refund.state !== 'under_review') return
    print(`To decide: vezne refund approve ${refund.id} --by "…" --reason "…", or vezne refund reject`)
  },
})

/** Refund with this id; throws a refusal of the `refund` parameter if there is none. */
export async function requireRefund({ sql }: Pick<Services, 'sql'>, refundId: number): Promise<Refund> {
  const refund = await refundOfAnyMerchant(sql, refundId)
  if (refund) return refund
  throw invalidParameter('refund', {
    tr: 'Bu numarayla bir iade talebi yok.',
    en: 'There is no refund with this ID.',
  })
}

export function refundTextLines(
  refund: Refund,
  { name, live, timeZone }: Merchant,
  modification: Modification | undefined,
): string[] {
  const time = (at: Date | null, otherwise: string) => (at ? isoTime(at, timeZone) : otherwise)
  const money = (minor: number) => `${decimalText(minor, '.')} ${refund.currency}`
  const { dueAt, decidedBy, decidedAt, reason, violations } = refund
  const { code, message } = modification ?? refund
  const rows: [string, string | number][] = [
    ['id', refund.id],
    ['merchant', `${refund.merchantId} ${name} (${live ? 'live' : 'test'})`],
    ['payment', refund.paymentId],
    ['state', refund.state],
    ['amount', money(refund.amountMinor)],
    [
      'to the card',
      `${money(refund.chargedMinor)}, including ${money(refund.commissionMinor)} commission that the bank returns`,
    ],
    ['description', terminalSafeText(refund.description)],
    ['requested by', terminalSafeText(refund.requestedBy)],
    ['requested', time(refund.requestedAt, '')],
    ['policy', refund.policy],
    ...violations.map((violation): [string, string] => ['violated rule', violationMessage(violation).en]),
    ['decided by', decidedBy === null ? whoDecides(dueAt, time) : terminalSafeText(decidedBy)],
    ['decided', time(decidedAt, 'not yet')],
    ['reason', terminalSafeText(reason ?? 'not yet')],
    ['ended', time(refund.endedAt, 'not yet')],
    ['bank answer', terminalSafeText([code, message].filter((part) => part !== null).join(' ') || 'none')],
    ...(refund.state === 'approved'
      ? [
          ['waits for', refundWaitText(refund)] as [string, string],
          ['next try', time(refund.nextBankCallAt, 'unknown')] as [string, string],
        ]
      : []),
    ...(modification?.needsReviewAt
      ? [
          ['manual review', `since ${time(modification.needsReviewAt, '')}: vezne payment unknown`] as [
            string,
            string,
          ],
        ]
      : []),
  ]
  return rows.map(([field, value]) => `${field.padEnd(14)}${value}`)
}

function whoDecides(dueAt: Date | null, time: (at: Date | null, otherwise: string) => string): string {
  return dueAt ? `the rules, at ${time(dueAt, '')}` : 'nobody yet: needs manual review'
}
