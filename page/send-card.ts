import type { BankRedirect } from './bank-step.ts'
import type { TypedCard } from './card-fields.ts'
import { pause } from './element.ts'
import { fetchJson } from './fetch-json.ts'
import type { PlanChoice } from './offer.ts'
import type { PageState } from './rules/page-state.ts'
import { newSubmissionId } from './rules/submission.ts'

/** What came of sending a card. */
export type CardResponse =
  | { next: 'bank_frame'; standing: PageState }
  | { next: 'offer_changed' | 'limited' | 'not_taken' | 'refused' | 'not_found' }
  | ({ next: 'bank_form' } & BankRedirect)
  | { next: 'fields'; errors: Record<string, string> }
  | { next: 'not_open'; standing: PageState }

/** A directory server may be asked before there is an answer. */
const timeoutMs = 45_000
/** How long after each try without an answer the next one comes. */
const pausesMs = [1_000, 3_000, 6_000]
/** Whoever is away for longer may not want to pay any more, and is asked again. */
const awayAtMostMs = 60_000

/**
 * Sends what one press of the button sends. Where no answer comes it is sent again, as the same submission: the service
 * answers as it did before, and one attempt is made of it. Undefined where there was no answer at all.
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

/** Waits for the connection to come back, for a while. */
async function isOnline(): Promise<boolean> {
  if (navigator.onLine) return true
  const back = new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))
  await Promise.race([back, pause(awayAtMostMs)])
  return navigator.onLine
}
