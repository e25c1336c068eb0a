import { command } from '../../kit/command.ts'
import { flag, integer, optional, record } from '../../kit/fields.ts'
import { decimalText } from '../../kit/money.ts'
import { table } from '../../kit/table.ts'
import { isoTime } from '../../kit/zoned-time.ts'
import type { Services } from '../../services.ts'
import type { BankCall } from './attempt.ts'
import type { Unsettled } from './store.ts'
import { callsOf, countUnsettledAttempts, unsettledAttempts } from './store.ts'

export const listUnknownCommand = command({
  name: 'payment unknown',
  about:
    'Lists charges that people have to ask a bank about, with everything that was asked and answered. The service goes on trying meanwhile.',
  example: 'vezne payment unknown',
  input: record({
    all: optional(flag('Also those that the service is still finding out about by itself.')),
    limit: optional(integer('How many to show at most; 50 if not given.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { all = false, limit = 50 }, print) => {
    const found = await unsettledAttempts(services.sql, { isAll: all, limit })
    if (found.length === 0)
      return print(all ? 'Nothing is unknown.' : 'Nothing waits for people. What is still being asked: --all')
    for (const attempt of found) {
      print(describe(attempt))
      print(evidence(await callsOf(services.sql, attempt), attempt))
      print('')
    }
    const count = await countUnsettledAttempts(services.sql, all)
    if (count > found.length) print(`There are ${count - found.length} more: --limit ${count}`)
    if (found.some(({ needsPersonAt }) => needsPersonAt))
      print(
        'Ask the bank for the reference. Then: vezne payment conclude ATTEMPT --outcome taken|not_taken …',
      )
  },
})

function describe(attempt: Unsettled): string {
  const { state, tries, installment, timeZone } = attempt
  const amount = `${decimalText(attempt.chargedMinor, '.')} ${attempt.currency}`
  const kind = attempt.preAuth ? 'pre-authorization' : 'sale'
  const at = (time: Date | null) => (time ? isoTime(time, timeZone) : 'never')
  const times = tries === 1 ? 'once' : `${tries} times`
  const lines: [string, string][] = [
    ['merchant', `${attempt.merchantId} ${attempt.merchantName}`],
    ['POS', `${attempt.posId} ${attempt.posName} (${attempt.connector})`],
    ['reference', attempt.reference],
    [
      'card',
      `${attempt.cardMasked}, ${installment === 1 ? 'single payment' : `${installment} installments`}`,
    ],
    ['asked', `${at(attempt.askedAt)}${tries === 0 ? '' : `, in vain ${times} since it is ${state}`}`],
    ['asked again', at(attempt.dueAt)],
    ['payment', attempt.paymentState],
    ['for people', attempt.needsPersonAt ? `since ${at(attempt.needsPersonAt)}` : 'not yet'],
  ]
  return [
    `attempt ${attempt.id} of payment ${attempt.paymentId}: ${kind} of ${amount}, ${state}`,
    ...lines.map(([name, value]) => `  ${name.padEnd(11)}  ${value}`),
  ].join('\n')
}

function evidence(calls: readonly BankCall[], { timeZone }: Unsettled): string {
  const rows = calls.map((call) => [
    `  ${isoTime(call.askedAt, timeZone)}`,
    call.operation,
    call.outcome ?? 'no answer yet',
    call.code ?? '',
    call.detail ?? '',
  ])
  return table(['  ASKED', 'WHAT', 'ANSWER', 'CODE', 'DETAIL'], rows)
}
