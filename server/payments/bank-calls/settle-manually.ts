import { invalidParameter } from '../../../kit/input/refusals.ts'
import { redact } from '../../../kit/security/redaction.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { hasPendingBankCall } from '../records/bank-call.sql.ts'
import type { BankCall } from '../records/bank-call.ts'
import { locateWork } from '../records/bank-work.sql.ts'
import { newBankCall } from './ask-bank.ts'
import type { BankWork, BankWorkState, Decision } from './bank-work.ts'
import { bankCallSubjectOf, leaseCutoff, rowOf, writeDecision } from './bank-work.ts'

/** An operator's decision that replaces a bank's answer. */
export interface ManualDecision {
  outcome: string
  by: string
  reason: string
}

const notInReview: LocalizedText = {
  tr: 'Bu numarayla, manuel inceleme bekleyen bir ödeme denemesi veya banka işlemi yok.',
  en: 'There is no attempt or modification with this ID in manual review.',
}

/** Work with its merchant, as an operator names it: by its id only. Refuses with `absent` if there is none. */
export async function requireWork<State extends BankWorkState>(
  { sql }: Pick<Services, 'sql'>,
  work: BankWork<State>,
  id: number,
  absent: LocalizedText,
): Promise<{ merchant: Merchant; state: State }> {
  const ownedId = await locateWork(sql, work.table, id)
  const state = ownedId && (await work.read(sql, ownedId))
  const merchant = ownedId && (await merchantById(sql, ownedId.merchantId))
  if (!state || !merchant) throw invalidParameter('id', absent)
  return { merchant, state }
}

/** Refuses a manual decision while a bank is asked, because its answer might contradict the decision. */
export async function refuseWhileBankIsAsked(
  services: Pick<Services, 'sql' | 'clock' | 'config'>,
  { attempt }: BankWorkState,
): Promise<void> {
  if (await hasPendingBankCall(services.sql, attempt, leaseCutoff(services)))
    throw new Error('The service is asking the bank about it at the moment. Try again in a few minutes.')
}

/**
 * Settles work in manual review as an operator decided. Guarantee: only work in review is settled, and only while no
 * bank is asked about it. `decide` throws if the outcome is not possible.
 */
export async function settleInReview<State extends BankWorkState>(
  services: Services,
  work: BankWork<State>,
  { id, ...manual }: { id: number } & ManualDecision,
  decide: (state: State) => Decision,
): Promise<State> {
  const { merchant, state } = await requireWork(services, work, id, notInReview)
  if (rowOf(state).needsReviewAt === null) throw invalidParameter('id', notInReview)
  const decision = decide(state)
  await refuseWhileBankIsAsked(services, state)
  return settleManually(services, merchant, work, state, decision, manual)
}

/**
 * Settles work by an operator's decision. Guarantee: the effects are the same as after a bank's answer, and the
 * operator's name and reason are stored with the evidence.
 */
export async function settleManually<State extends BankWorkState>(
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics' | 'processState'>,
  merchant: Merchant,
  work: BankWork<State>,
  state: State,
  decision: Decision,
  manual: ManualDecision,
): Promise<State> {
  const bankCall = await manualDecisionAsBankCall(services, state, manual)
  const after = await writeDecision(services, merchant, work, state, decision, { bankCall })
  if (!after) throw new Error('It has changed in the meantime. Look at it again: vezne payment unknown')
  return after
}

/** A manual decision as evidence. Card numbers in it are removed. */
export async function manualDecisionAsBankCall(
  services: Pick<Services, 'ids' | 'clock'>,
  state: BankWorkState,
  { outcome, by, reason }: ManualDecision,
): Promise<BankCall> {
  const call = await newBankCall(services, bankCallSubjectOf(state), 'manual')
  return { ...call, answeredAt: call.askedAt, outcome, detail: redact(`${by}: ${reason}`) }
}
