import { decimalText } from '../../kit/money.ts'
import { plainText } from './plain-text.ts'
import type { ShownAttempt, ShownCall, ShownEvent, ShownPayment, ShownTransfer } from './store.ts'

/** Something that happened to a payment. */
export interface Happening {
  at: Date
  what: string
}

/** Everything that is known of a payment. */
export interface Records {
  payment: ShownPayment
  attempts: ShownAttempt[]
  calls: ShownCall[]
  events: ShownEvent[]
  transfers: ShownTransfer[]
}

/** All that happened, in the order of time; of one moment, in the order in which it must have been. */
export function happenings({ payment, attempts, calls, events, transfers }: Records): Happening[] {
  const all = [
    { at: payment.createdAt, what: `started with a ${payment.startedBy} key` },
    ...(payment.viewedAt ? [{ at: payment.viewedAt, what: 'its page was looked at' }] : []),
    ...attempts.map(beginning),
    ...calls.map((call) => asked(call, attempts)),
    ...attempts.flatMap(ending),
    ...transfers.map(posted),
    ...events.map(({ at, kind, number }) => ({ at, what: `event ${number}: ${kind}` })),
  ]
  // Sorting keeps the order of what is equal.
  return all.toSorted((a, b) => a.at.getTime() - b.at.getTime())
}

function beginning({ beganAt, number, card, pos, installment }: ShownAttempt): Happening {
  const plan = installment === 1 ? 'at once' : `in ${installment} installments`
  return { at: beganAt, what: `attempt ${number} began: ${card}, ${plan}, through ${plainText(pos)}` }
}

function ending({ number, state, endedAt, needsPersonAt, ...attempt }: ShownAttempt): Happening[] {
  const said = spoken(attempt.code, attempt.message)
  return [
    ...(needsPersonAt ? [{ at: needsPersonAt, what: `attempt ${number}: people have to look at it` }] : []),
    ...(endedAt ? [{ at: endedAt, what: `attempt ${number} ended: ${state}${said && `, ${said}`}` }] : []),
  ]
}

function asked(call: ShownCall, attempts: readonly ShownAttempt[]): Happening {
  const number = attempts.find(({ id }) => id === call.attemptId)?.number
  if (call.operation === 'person') {
    const { reason } = saidByPerson(call)
    return { at: call.askedAt, what: `attempt ${number}: ${conclusionOf(call)}: ${plainText(reason)}` }
  }
  const question = `attempt ${number}: bank asked to ${plainText(call.operation)}`
  if (!call.answeredAt || call.outcome === null)
    return { at: call.askedAt, what: `${question}, no answer is written` }
  const seconds = (call.answeredAt.getTime() - call.askedAt.getTime()) / 1000
  const said = spoken(call.code, call.detail)
  return {
    at: call.askedAt,
    what: `${question}, ${plainText(call.outcome)} after ${seconds.toFixed(1)} s${said && `: ${said}`}`,
  }
}

/** What a person said in the place of a bank, without why. */
export function conclusionOf(call: ShownCall): string {
  const standing = call.outcome === 'taken' ? 'it was taken' : 'it was not taken'
  return `${plainText(saidByPerson(call).by)} concluded that ${standing}`
}

/** Who said it and why are one text in the evidence, `Ayşe Işık: On today’s statement.` */
function saidByPerson({ detail }: ShownCall): { by: string; reason: string } {
  const [by = '', ...reasons] = (detail ?? '').split(': ')
  return { by, reason: reasons.join(': ') }
}

function posted({ at, reason, debit, credit, amountMinor, currency }: ShownTransfer): Happening {
  return {
    at,
    what: `posted: ${reason} ${decimalText(amountMinor, '.')} ${currency} from ${credit} to ${debit}`,
  }
}

/** A code and the words to it, as far as there are any. */
export function spoken(code: string | null, words: string | null): string {
  return [code, words]
    .filter((part) => part !== null && part !== '')
    .map((part) => plainText(part ?? ''))
    .join(' ')
}
