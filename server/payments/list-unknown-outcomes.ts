import { command } from '../../kit/command-line/command.ts'
import { textTable } from '../../kit/command-line/text-table.ts'
import { booleanField, integerField, objectSchema, optional } from '../../kit/input/fields.ts'
import { decimalText } from '../../kit/money/money.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import type { Attempt } from './records/attempt.ts'
import { bankCallsOfAttemptOrModification } from './records/bank-call.sql.ts'
import type { BankCall } from './records/bank-call.ts'
import { attemptTable, modificationTable, verificationTable } from './records/bank-work.sql.ts'
import type { Modification } from './records/modification.ts'
import type { ReviewContext } from './records/unsettled-work.sql.ts'
import { countUnsettledWork, unsettledWork } from './records/unsettled-work.sql.ts'
import type { Verification } from './records/verification.ts'
import { evidenceTexts, surplusMinorOf } from './records/verification.ts'

export const listUnknownOutcomesCommand = command({
  input: objectSchema({
    all: optional(booleanField('Also lists outcomes that the service is still asking the bank about.')),
    limit: optional(integerField('Maximum number to show. Default: 50.', { min: 1, max: 1000 })),
  }),
  run: async ({ sql }: Services, { all: isAll = false, limit = 50 }, print) => {
    const attempts = await unsettledWork(sql, attemptTable, { isAll, limit })
    let left = limit - attempts.length
    const modifications = await unsettledWork(sql, modificationTable, { isAll, limit: left })
    left -= modifications.length
    const approvals = await unsettledWork(sql, verificationTable, { isAll, limit: left })
    const described = [
      ...attempts.map(descriptionOfAttempt),
      ...modifications.map(descriptionOfModification),
      ...approvals.map(descriptionOfApproval),
    ]
    if (described.length === 0)
      return print(
        isAll
          ? 'There are no unknown outcomes and no unverified amounts.'
          : 'Nothing needs manual review. To list outcomes that the service is still asking about: --all',
      )
    for (const { work, title, lines, modificationId } of described) {
      const { merchantId, id: attemptId } = work.attempt
      const of = modificationId === null ? { attemptId } : { modificationId }
      print([title, ...lines.map(([name, value]) => `  ${name.padEnd(11)}  ${value}`)].join('\n'))
      print(`${evidence(await bankCallsOfAttemptOrModification(sql, { merchantId, ...of }), work)}\n`)
    }
    const count =
      (await countUnsettledWork(sql, attemptTable, isAll)) +
      (await countUnsettledWork(sql, modificationTable, isAll)) +
      (await countUnsettledWork(sql, verificationTable, isAll))
    if (count > described.length) print(`${count - described.length} more. To list all: --limit ${count}`)
    const outcomes = [
      ...(attempts.some(needsReview) ? ['taken|not_taken'] : []),
      ...(modifications.some(needsReview) ? ['done|not_done'] : []),
    ]
    for (const outcome of outcomes)
      print(`Ask the bank about the reference. Then: vezne payment settle-outcome ID --outcome ${outcome} …`)
    if (approvals.some((each) => needsReview(each) && each.state === 'unverified'))
      print('Ask the bank for the amount. Then: vezne payment verify ID --amount AMOUNT …')
    for (const approval of approvals.filter((each) => needsReview(each) && each.state === 'differs'))
      print(
        `To settle the difference: vezne payment settle-difference ${approval.id} --choice ${choicesOf(approval).join('|')} …`,
      )
  },
})

function needsReview({ needsReviewAt }: { needsReviewAt: Date | null }): boolean {
  return needsReviewAt !== null
}

type Line = [name: string, value: string]

/** Unsettled work in words, as a call to the bank's support needs it. */
interface Description {
  work: ReviewContext
  title: string
  lines: Line[]
  /** Null if the work is about the charge itself. */
  modificationId: number | null
}

/** Lines that all kinds of work have. */
function commonLines(
  work: ReviewContext & Pick<Attempt, 'dueAt' | 'needsReviewAt'>,
): Record<'before' | 'after', Line[]> & { again: Line } {
  const { attempt, merchantName, posName, dueAt, needsReviewAt } = work
  const at = timesOf(work)
  return {
    before: [
      ['merchant', `${attempt.merchantId} ${merchantName}`],
      ['POS', `${attempt.posId} ${posName} (${attempt.connector})`],
      ['reference', attempt.reference],
    ],
    again: ['next try', at(dueAt)],
    after: [
      ['payment', work.paymentState],
      ['review', needsReviewAt ? `needed since ${at(needsReviewAt)}` : 'not needed yet'],
    ],
  }
}

function timesOf({ timeZone }: ReviewContext) {
  return (time: Date | null) => (time ? isoTime(time, timeZone) : 'never')
}

function inVain(tries: number): string {
  return tries === 0 ? '' : `, failed ${tries === 1 ? 'once' : `${tries} times`}`
}

function amountText(minor: number, { attempt: { currency } }: ReviewContext): string {
  return `${decimalText(minor, '.')} ${currency}`
}

function descriptionOfAttempt(work: ReviewContext & Pick<Attempt, 'dueAt' | 'needsReviewAt'>): Description {
  const { id, paymentId, preAuth, chargedMinor, installment, tries, state, instrument, askedAt } =
    work.attempt
  const { before, again, after } = commonLines(work)
  const kind = preAuth ? 'pre-authorization' : 'sale'
  const plan = installment === 1 ? 'single payment' : `${installment} installments`
  const vain = tries === 0 ? '' : `${inVain(tries)} while ${state}`
  return {
    work,
    title: `attempt ${id} of payment ${paymentId}: ${kind} of ${amountText(chargedMinor, work)}, ${state}`,
    lines: [
      ...before,
      ['card', `${instrument.mask}, ${plan}`],
      ['asked', `${timesOf(work)(askedAt)}${vain}`],
      again,
      ...after,
    ],
    modificationId: null,
  }
}

function descriptionOfModification(work: ReviewContext & Omit<Modification, 'bankAmountMinor'>): Description {
  const { id, paymentId, kind, amountMinor, state, refundId, operation, askedAt, tries } = work
  const at = timesOf(work)
  const { before, again, after } = commonLines(work)
  const refunded = `${amountText(work.priorRefundedMinor, work)} was refunded before it`
  return {
    work,
    title: `modification ${id} of payment ${paymentId}: ${kind} of ${amountText(amountMinor, work)}, ${state}`,
    lines: [
      ...before,
      ['card', work.attempt.instrument.mask],
      ...(refundId === null ? [] : ([['refund', `${refundId}; ${refunded}`]] satisfies Line[])),
      ['began', at(work.beganAt)],
      [
        'asked',
        operation && askedAt ? `${at(askedAt)}, operation ${operation}${inVain(tries)}` : at(askedAt),
      ],
      again,
      ...after,
    ],
    modificationId: id,
  }
}

const verificationLabels = {
  unverified: 'not verified',
  verified: 'verified',
  differs: 'differing',
  settled: 'settled',
} as const

/** Allowed choices for settling a difference manually. */
function choicesOf({
  kind,
  amountMinor,
  bankAmountMinor,
  paymentState,
}: ReviewContext & Verification): string[] {
  const surplusMinor = surplusMinorOf(kind, amountMinor, bankAmountMinor ?? amountMinor)
  const isPaid = paymentState === 'paid' || paymentState === 'partly_refunded'
  return [
    ...(kind !== 'hold' && surplusMinor > 0 ? ['return_surplus'] : []),
    ...(kind !== 'hold' && isPaid ? ['refund_all'] : []),
    'accept',
  ]
}

function descriptionOfApproval(work: ReviewContext & Verification): Description {
  const { id, paymentId, modificationId, kind, state, source, openRefundId, surplusRefundId } = work
  const { amountMinor, bankAmountMinor, tries, approvedAt, endedAt } = work
  const at = timesOf(work)
  const { before, again, after } = commonLines(work)
  const what = modificationId === null ? 'attempt' : 'modification'
  const amount = amountText(amountMinor, work)
  const has = kind === 'refund' ? 'refunded' : 'has'
  const bankAmount =
    bankAmountMinor === null ? 'amount unknown' : `${has} ${amountText(bankAmountMinor, work)}`
  const evidenceText = source ? `, by ${evidenceTexts[source]}, ${at(endedAt)}` : inVain(tries)
  const doing = [
    ...(openRefundId === null ? [] : [`refund ${openRefundId} is open`]),
    ...(surplusRefundId === null ? [] : [`modification ${surplusRefundId} refunds the surplus`]),
  ]
  return {
    work,
    title: `${what} ${id} of payment ${paymentId}: ${kind} of ${amount}, approved and ${verificationLabels[state]}`,
    lines: [
      ...before,
      ['card', work.attempt.instrument.mask],
      ['approved', at(approvedAt)],
      ['bank', `${bankAmount}${evidenceText}`],
      ...(state === 'unverified' ? [again] : []),
      ...(doing.length > 0 ? ([['in progress', doing.join(', ')]] satisfies Line[]) : []),
      ...after,
    ],
    modificationId,
  }
}

function evidence(calls: readonly BankCall[], { timeZone }: { timeZone: string }): string {
  const rows = calls.map((call) => [
    `  ${isoTime(call.askedAt, timeZone)}`,
    call.operation,
    call.outcome ?? 'no answer yet',
    call.code ?? '',
    call.detail ?? '',
  ])
  return textTable(['  ASKED', 'WHAT', 'ANSWER', 'CODE', 'DETAIL'], rows)
}
