import { command } from '../kit/command.ts'
import { flag, integer, optional, record } from '../kit/fields.ts'
import { decimalText } from '../kit/money.ts'
import { table } from '../kit/table.ts'
import { isoTime } from '../kit/zoned-time.ts'
import type { Services } from '../services.ts'
import type { Unsettled } from './attempts/store.ts'
import { countUnsettledAttempts, unsettledAttempts } from './attempts/store.ts'
import type { BankCall } from './calls/call.ts'
import { callsOf } from './calls/store.ts'
import type { UnsettledDeed } from './deeds/store.ts'
import { countUnsettledDeeds, unsettledDeeds } from './deeds/store.ts'

export const listUnknownCommand = command({
  input: record({
    all: optional(flag('Also those that the service is still finding out about by itself.')),
    limit: optional(integer('How many to show at most; 50 if not given.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { all = false, limit = 50 }, print) => {
    const { sql } = services
    const attempts = await unsettledAttempts(sql, { isAll: all, limit })
    const deeds = await unsettledDeeds(sql, { isAll: all, limit: limit - attempts.length })
    if (attempts.length + deeds.length === 0)
      return print(all ? 'Nothing is unknown.' : 'Nothing waits for people. What is still being asked: --all')
    for (const attempt of attempts) {
      const { merchantId, id: attemptId } = attempt
      print(described(titleOfAttempt(attempt), linesOfAttempt(attempt)))
      print(`${evidence(await callsOf(sql, { merchantId, attemptId }), attempt)}\n`)
    }
    for (const deed of deeds) {
      const { merchantId, id: deedId } = deed
      print(described(titleOfDeed(deed), linesOfDeed(deed)))
      print(`${evidence(await callsOf(sql, { merchantId, deedId }), deed)}\n`)
    }
    const count = (await countUnsettledAttempts(sql, all)) + (await countUnsettledDeeds(sql, all))
    const more = count - attempts.length - deeds.length
    if (more > 0) print(`There are ${more} more: --limit ${count}`)
    const outcomes = [
      ...(attempts.some(isForPeople) ? ['taken|not_taken'] : []),
      ...(deeds.some(isForPeople) ? ['done|not_done'] : []),
    ]
    for (const outcome of outcomes)
      print(`Ask the bank for the reference. Then: vezne payment conclude ID --outcome ${outcome} …`)
  },
})

function isForPeople({ needsPersonAt }: { needsPersonAt: Date | null }): boolean {
  return needsPersonAt !== null
}

function described(title: string, lines: readonly [string, string][]): string {
  return [title, ...lines.map(([name, value]) => `  ${name.padEnd(11)}  ${value}`)].join('\n')
}

/** What both have, and whoever calls the bank needs. */
function linesOfBoth(
  of: Unsettled | UnsettledDeed,
): Record<'merchant' | 'pos' | 'reference' | 'again' | 'payment' | 'people', [string, string]> {
  const at = timesOf(of)
  return {
    merchant: ['merchant', `${of.merchantId} ${of.merchantName}`],
    pos: ['POS', `${of.posId} ${of.posName} (${of.connector})`],
    reference: ['reference', of.reference],
    again: ['asked again', at(of.dueAt)],
    payment: ['payment', of.paymentState],
    people: ['for people', of.needsPersonAt ? `since ${at(of.needsPersonAt)}` : 'not yet'],
  }
}

function timesOf({ timeZone }: { timeZone: string }) {
  return (time: Date | null) => (time ? isoTime(time, timeZone) : 'never')
}

function inVain(tries: number): string {
  return tries === 0 ? '' : `, in vain ${tries === 1 ? 'once' : `${tries} times`}`
}

function titleOfAttempt(attempt: Unsettled): string {
  const kind = attempt.preAuth ? 'pre-authorization' : 'sale'
  const amount = `${decimalText(attempt.chargedMinor, '.')} ${attempt.currency}`
  return `attempt ${attempt.id} of payment ${attempt.paymentId}: ${kind} of ${amount}, ${attempt.state}`
}

function linesOfAttempt(attempt: Unsettled): [string, string][] {
  const { installment, tries, state } = attempt
  const { merchant, pos, reference, again, payment, people } = linesOfBoth(attempt)
  const plan = installment === 1 ? 'single payment' : `${installment} installments`
  const vain = tries === 0 ? '' : `${inVain(tries)} since it is ${state}`
  return [
    ...[merchant, pos, reference],
    ['card', `${attempt.cardMasked}, ${plan}`],
    ['asked', `${timesOf(attempt)(attempt.askedAt)}${vain}`],
    ...[again, payment, people],
  ]
}

function titleOfDeed(deed: UnsettledDeed): string {
  const amount = `${decimalText(deed.amountMinor, '.')} ${deed.currency}`
  return `deed ${deed.id} of payment ${deed.paymentId}: ${deed.kind} of ${amount}, ${deed.state}`
}

function linesOfDeed(deed: UnsettledDeed): [string, string][] {
  const { refundId, givenBackMinor, way, askedAt, tries } = deed
  const at = timesOf(deed)
  const { merchant, pos, reference, again, payment, people } = linesOfBoth(deed)
  const before = `${decimalText(givenBackMinor, '.')} ${deed.currency} was given back before it`
  return [
    ...[merchant, pos, reference],
    ['card', deed.cardMasked],
    ...(refundId === null ? [] : ([['refund', `${refundId}; ${before}`]] as [string, string][])),
    ['to be done', `since ${at(deed.beganAt)}`],
    ['asked', way && askedAt ? `${at(askedAt)} for a ${way}${inVain(tries)}` : at(askedAt)],
    ...[again, payment, people],
  ]
}

function evidence(calls: readonly BankCall[], { timeZone }: { timeZone: string }): string {
  const rows = calls.map((call) => [
    `  ${isoTime(call.askedAt, timeZone)}`,
    call.operation,
    call.outcome ?? 'no answer yet',
    call.code ?? '',
    call.detail ?? '',
  ])
  return table(['  ASKED', 'WHAT', 'ANSWER', 'CODE', 'DETAIL'], rows)
}
