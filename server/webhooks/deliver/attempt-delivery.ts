import { redact } from '../../../kit/security/redaction.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { EventKind } from '../../events/index.ts'
import { eventBody } from '../../events/index.ts'
import { upcomingWork } from '../../instances/index.ts'
import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { testDeliveryKind } from '../records/delivery.ts'
import { openSecretIfPossible } from '../records/secrets.ts'
import { allowsLoopback } from '../records/url.ts'
import type { DeliveryAttemptVerdict, DeliveryResponseOrError } from './judge-delivery-attempt.ts'
import { judgeDeliveryAttempt } from './judge-delivery-attempt.ts'
import { signedRequest } from './sign.ts'
import type { ClaimedDelivery, DeliveryTarget } from './store.ts'
import { disableWebhookIfUrlUnchanged, recordFailureInWebhookHealth, saveDeliveryAttempt } from './store.ts'

/**
 * A webhook that only fails for this long is disabled. After this long without a failure, earlier failures no
 * longer count.
 */
const longestFailureMs = 5 * 24 * 3600 * 1000

/** Webhook that deliveries go to, with its merchant and its opened secrets. */
export interface DeliveryRecipient extends Omit<DeliveryTarget, 'secrets'> {
  merchant: Merchant
  secrets: string[]
}

/** Opens the secrets once for all deliveries claimed together, because opening costs more than signing. */
export function openRecipient(
  services: Services,
  target: DeliveryTarget,
  merchant: Merchant,
): DeliveryRecipient {
  const opened = target.secrets.map((sealed) => openSecretIfPossible(services, sealed))
  return { ...target, merchant, secrets: opened.filter((secret) => secret !== undefined) }
}

/** An attempt with its response and the verdict. Nothing of it is saved yet. */
export interface JudgedAttempt {
  claimed: ClaimedDelivery
  outcome: DeliveryResponseOrError
  verdict: DeliveryAttemptVerdict
  beganAt: Date
  at: Date
  durationMs: number
}

/** Attempts a delivery once. Returns undefined if shutdown interrupted the attempt, which then does not count. */
export async function attemptDelivery(
  services: Services,
  recipient: DeliveryRecipient,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<JudgedAttempt | undefined> {
  const { clock, random } = services
  const beganAt = clock.now()
  const beganMs = clock.monotonicMs()
  const outcome = await send(services, recipient, claimed, signal)
  if (!outcome) return undefined
  const at = clock.now()
  const count = { attemptCount: claimed.attemptCount + 1, isTest: claimed.reason === 'test' }
  const verdict = judgeDeliveryAttempt(outcome, count, at, random)
  const durationMs = Math.round(clock.monotonicMs() - beganMs)
  countResult(services, outcome)
  if (claimed.happenedAt && claimed.attemptCount === 0 && claimed.reason === 'event')
    noteDelay(services, claimed.happenedAt, beganAt)
  return { claimed, outcome, verdict, beganAt, at, durationMs }
}

/**
 * Guarantee: the result, the new state of the delivery and a success of its webhook are saved in one query; a
 * failure of the webhook is recorded after that.
 */
export async function saveAttempt(
  services: Services,
  recipient: DeliveryRecipient,
  { claimed, outcome, verdict, beganAt, at, durationMs }: JudgedAttempt,
): Promise<void> {
  const isTest = claimed.reason === 'test'
  await saveDeliveryAttempt(services.sql, {
    merchantId: claimed.merchantId,
    id: claimed.id,
    webhookId: claimed.webhookId,
    isTest,
    state: verdict.state,
    at,
    beganAt,
    durationMs,
    status: outcome.status,
    fault: outcome.fault,
    answer: readable(outcome.body),
    nextAttemptAt: verdict.nextAttemptAt,
  })
  upcomingWork(services).announce(verdict.nextAttemptAt, at)
  // A signing error is not the webhook's fault.
  const isTheirs = verdict.state !== 'delivered' && outcome.fault !== 'not_signed'
  if (isTheirs) await noteTrouble(services, recipient, verdict, { at, isTest })
}

/** Sends a signed request, never an unsigned one. Returns undefined if shutdown interrupted it. */
async function send(
  services: Services,
  { id, url, merchant, secrets }: DeliveryRecipient,
  claimed: ClaimedDelivery,
  signal: AbortSignal,
): Promise<DeliveryResponseOrError | undefined> {
  if (secrets.length === 0) {
    services.log.error(
      { webhook: id },
      'signing a delivery failed: no secret of its webhook can be opened; nothing was sent; see vezne webhook reseal',
    )
    return { status: null, fault: 'not_signed', body: Buffer.alloc(0), retryAfter: null }
  }
  const result = await services.outbound.send({
    url,
    ...signedRequest(services, { eventId: claimed.eventId, body: bodyOf(claimed, merchant) }, secrets),
    allowsLoopback: allowsLoopback(services.config, merchant),
    signal,
  })
  const { fault } = result
  return fault === 'ending' ? undefined : { ...result, fault }
}

/** Body of an event or of a test, whose type marks it as a test. */
function bodyOf(claimed: ClaimedDelivery, { timeZone }: Merchant): string {
  const { id, webhookId, reason, kind, createdAt, data, happenedAt } = claimed
  if (data && happenedAt) return eventBody({ kind: kind as EventKind, data, createdAt: happenedAt }, timeZone)
  if (reason !== 'test') throw new Error(`the event of the delivery ${id} is not there`)
  const timestamp = isoTime(createdAt, timeZone)
  return JSON.stringify({ type: testDeliveryKind, timestamp, data: { webhook_id: webhookId } })
}

/** Text that may be stored: without card numbers and keys, and without NUL, which PostgreSQL cannot store. */
function readable(answer: Buffer): string {
  return redact(answer.toString('utf8'), answer.length).replaceAll('\0', '\ufffd')
}

/** A failed test changes nothing in the webhook's health, except that a 410 disables the webhook. */
async function noteTrouble(
  { sql, log, metrics }: Services,
  recipient: DeliveryRecipient,
  { isGone, pausedUntil }: DeliveryAttemptVerdict,
  { at, isTest }: { at: Date; isTest: boolean },
): Promise<void> {
  const forgottenBefore = new Date(at.getTime() - longestFailureMs)
  const since = isTest
    ? at
    : await recordFailureInWebhookHealth(sql, recipient, { at, pausedUntil, forgottenBefore })
  const because = isGone ? 'gone' : since && since <= forgottenBefore ? 'failing' : undefined
  if (!because || !(await disableWebhookIfUrlUnchanged(sql, recipient, because, at))) return
  log.warn(
    { merchant_id: recipient.merchantId, webhook: recipient.id, because },
    'a webhook was disabled; it gets no events until it is enabled',
  )
  metrics
    .counter('vezne_webhooks_disabled_total', 'Webhooks that the service disabled, by reason.', ['because'])
    .inc({ because })
}

function countResult({ metrics }: Services, { status, fault }: DeliveryResponseOrError): void {
  const result = fault ?? `${Math.floor((status ?? 0) / 100)}xx`
  metrics
    .counter('vezne_webhook_attempts_total', 'Delivery attempts, by class of HTTP status or by error.', [
      'result',
    ])
    .inc({ result })
}

/** The delay is zero if an older program stamped the event with a fast clock. */
function noteDelay({ metrics }: Services, happenedAt: Date, beganAt: Date): void {
  metrics
    .histogram(
      'vezne_webhook_first_attempt_delay_seconds',
      'Time from an event to the start of its first delivery attempt.',
      [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 3600],
    )
    .observe(Math.max(0, beganAt.getTime() - happenedAt.getTime()) / 1000)
}
