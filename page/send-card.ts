import type { BankRedirect } from './bank-step.ts'
import type { TypedCard } from './card-fields.ts'
import { pause } from './element.ts'
import { fetchJson } from './fetch-json.ts'
import type { PlanChoice } from './offer.ts'
import type { PageState } from './rules/page-state.ts'
import { newSubmissionId } from './rules/submission.ts'

/** Response to a sent card. */
export type CardResponse =
  | { next: 'bank_frame'; standing: PageState }
  | { next: 'offer_changed' | 'limited' | 'not_taken' | 'refused' | 'not_found' }
  | ({ next: 'bank_form' } & BankRedirect)
  | { next: 'fields'; errors: Record<string, string> }
  | { next: 'not_open'; standing: PageState }

/** Time limit of a request. The service may call a directory server before it answers. */
const timeoutMs = 45_000
/** Pauses between attempts to send. */
const pausesMs = [1_000, 3_000, 6_000]
/**
 * Longest wait for the connection. A payer who was away longer may not want to pay any more and must press
 * again.
 */
const awayAtMostMs = 60_000

/**
 * Sends the card of one press of the button. Without a response it sends the same submission again: the
 * service repeats its answer and makes one attempt. Returns undefined if no response came at all.
 */
export async function sendCard(
  typed: TypedCard & PlanChoice & Record<string, string | number>,
  onLost: () => void,
): Promise<CardResponse | undefined> {
  const body = { ...typed, submission: newSubmissionId() }
  for (const pauseMs of [...pausesMs, undefined]) {
    const answer = await fetchJson<CardResponse>('card', body, timeoutMs)
    if (answer?.next) return answer
    onLost()
    if (pauseMs === undefined) break
    await pause(pauseMs)
    if (!(await isOnline())) break
  }
  return undefined
}

/** Waits for the connection, for a limited time. */
async function isOnline(): Promise<boolean> {
  if (navigator.onLine) return true
  const back = new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  await Promise.race([back, pause(awayAtMostMs)])
  return navigator.onLine
}
