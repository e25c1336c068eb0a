import type { Print } from '../../kit/command-line/command.ts'
import { command } from '../../kit/command-line/command.ts'
import { terminalSafeText, truncated } from '../../kit/command-line/terminal-safe-text.ts'
import { choiceField, listField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { maxUrlLength } from '../../kit/input/http-url.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { OutboundResult } from '../../kit/outbound/outbound-client.ts'
import type { Keyring } from '../../kit/security/keyring.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { EventKind, ListedEvent } from '../events/index.ts'
import {
  eventBody,
  eventKinds,
  eventsAfterPosition,
  lastPosition,
  oldestUnpositionedAt,
} from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantArgument, merchantOrDefault } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { signedRequest } from './deliver/sign.ts'
import { isLoopbackUrl, parseWebhookUrlField } from './records/url.ts'

/** Interval between reads of the event list. */
const everyMs = 500
const maxAtOnce = 100

/** Time after which an event without a position means that no instance assigns positions. */
const positionTimeoutMs = 5_000

export const listenCommand = command({
  input: objectSchema({
    forward: optional(
      parsedTextField<string>(
        'Address on this machine to forward events to. Default: events are only shown.',
        {
          max: maxUrlLength,
          parse: readForward,
        },
      ),
    ),
    merchant: optional({
      ...merchantArgument.properties.merchant,
      description: 'Id of a test merchant. Default: the demo merchant, or the only merchant.',
    }),
    events: optional(
      listField('Kinds of events. Default: all.', choiceField('Kind of event.', eventKinds), {
        max: eventKinds.length,
      }),
    ),
  }),
  isEndless: true,
  run: async (services: Services, { forward, merchant: id, events: kinds }, print, ending) => {
    const merchant = await merchantOrDefault(services, id)
    if (merchant.live) throw invalidParameter('merchant', notTest)
    await printAndForwardEvents(services, merchant, { forward, kinds }, print, ending)
  },
})

const notTest: LocalizedText = {
  tr: 'Yalnızca bir test üye iş yerinin olayları dinlenebilir; bu üye iş yeri canlıdır.',
  en: 'This merchant is live. You can listen only to events of a test merchant.',
}

const notHere: LocalizedText = {
  tr: 'Bu makinedeki bir adres olmalıdır, örneğin http://localhost:3000/webhooks; 127.0.0.1 veya [::1] de olabilir.',
  en: 'Must be an address on this machine, for example http://localhost:3000/webhooks; 127.0.0.1 and [::1] are also allowed.',
}

function readForward(text: string): { value: string } | LocalizedText {
  const address = parseWebhookUrlField(text)
  if (!('value' in address)) return /^https?:\/\//i.test(text) ? address : notHere
  return isLoopbackUrl(address.value) ? address : notHere
}

export interface EventListenOptions {
  forward?: string | undefined
  kinds?: readonly EventKind[] | undefined
}

/**
 * Prints a merchant's new events, one line each, and forwards them one after the other, in order. The result
 * is printed and a failure is not retried, because a developer is watching.
 */
export async function printAndForwardEvents(
  services: Pick<Services, 'sql' | 'clock' | 'outbound' | 'keyring' | 'config'>,
  merchant: Merchant,
  { forward, kinds = eventKinds }: EventListenOptions,
  print: Print,
  ending: AbortSignal,
): Promise<void> {
  const { sql, clock, outbound } = services
  const secrets = listenSigningSecrets(services.keyring, merchant)
  let position = await lastPosition(sql, merchant.id)
  let isWarned = false
  print(`merchant        ${merchant.id}  ${merchant.name}`)
  print(`signing secret  ${secrets[0]}`)
  if (forward !== undefined) print(`forwarding to   ${forward}`)
  print('Listening. Press Ctrl-C to stop.')
  while (!ending.aborted) {
    const events = await eventsAfterPosition(sql, merchant.id, position, maxAtOnce)
    for (const event of events.filter(({ kind }) => kinds.includes(kind))) {
      print(lineOf(event, merchant))
      if (forward === undefined) continue
      const beganMs = clock.monotonicMs()
      const body = eventBody(event, merchant.timeZone)
      const request = signedRequest(services, { eventId: event.id, body }, secrets)
      const result = await outbound.send({ ...request, url: forward, allowsLoopback: true, signal: ending })
      if (ending.aborted) return
      print(outcomeOf(result, clock.monotonicMs() - beganMs))
    }
    position = events.at(-1)?.position ?? position
    const isStuck = events.length === 0 && (await isDispatcherDown(services, merchant))
    if (isStuck && !isWarned) print(dispatcherDown)
    isWarned = isStuck
    if (events.length < maxAtOnce) await clock.sleep(everyMs, ending).catch(() => undefined)
  }
}

const dispatcherDown =
  'Events are waiting, but no running service dispatches them. Start one: vezne start, or vezne work'

async function isDispatcherDown(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { id }: Merchant,
): Promise<boolean> {
  const since = await oldestUnpositionedAt(sql, id)
  return since !== undefined && clock.now().getTime() - since.getTime() > positionTimeoutMs
}

/**
 * Secrets that sign forwarded events. They are the same at every start, so a developer configures the
 * receiver once. The secret of the installation's previous secret signs too, as long as that is configured.
 */
export function listenSigningSecrets(keyring: Keyring, { id }: Pick<Merchant, 'id'>): string[] {
  return keyring.keysFor(`vezne listen ${id}`).map(({ key }) => `whsec_${key.toString('base64')}`)
}

function lineOf({ id, kind, createdAt, paymentId, data }: ListedEvent, { timeZone }: Merchant): string {
  const payload = data as { currency_code?: string; formatted_amount?: string; refund?: typeof payload }
  const { formatted_amount = '', currency_code = '' } = payload.refund ?? payload
  const widest = Math.max(...eventKinds.map(({ length }) => length))
  return `${isoTime(createdAt, timeZone)}  ${kind.padEnd(widest)}  ${id}  ${paymentId}  ${formatted_amount} ${currency_code}`
}

/** Result of a forward; if the receiver did not accept the event, with the beginning of its response. */
function outcomeOf({ status, fault, body: answer }: OutboundResult, tookMs: number): string {
  const what = [status, fault].filter((part) => part !== null).join(', ')
  const isTaken = status !== null && status >= 200 && status < 300
  const answerText = isTaken ? '' : terminalSafeText(answer.toString().trim())
  return `    → ${what} in ${Math.round(tookMs)} ms${answerText === '' ? '' : `: ${truncated(answerText, longestAnswerText)}`}`
}

const longestAnswerText = 80
