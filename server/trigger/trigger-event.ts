import type { Static } from 'typebox'
import type { Print } from '../../kit/command-line/command.ts'
import { command } from '../../kit/command-line/command.ts'
import { notOneOf } from '../../kit/input/complaints.ts'
import {
  choiceField,
  integerField,
  moneyField,
  objectSchema,
  optional,
  parsedTextField,
} from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import type { EventKind } from '../events/index.ts'
import { eventKinds } from '../events/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantOrDefault } from '../merchants/index.ts'
import { historyEventsOfPayment } from '../payment-history/index.ts'
import type { Services } from '../services.ts'
import type { Price } from './merchant-client.ts'
import { newPaymentOrder, openMerchantClient } from './merchant-client.ts'
import { scenarios } from './scenarios.ts'
import type { HttpPeer } from './send-request.ts'
import { sendRequest } from './send-request.ts'
import { waitFor } from './wait-for.ts'

const TriggerEvent = objectSchema(
  {
    // Optional here, so that a missing kind gets the list of kinds, like an unknown one.
    kind: optional(choiceField('Kind of event. Required.', eventKinds)),
    merchant: optional(
      integerField('Id of a test merchant. Default: the demo merchant, or the only merchant.', {
        min: 1,
        max: Number.MAX_SAFE_INTEGER,
      }),
    ),
    amount: optional(moneyField('Amount to pay, in the minor unit. Default: 10000.')),
    currency: optional(
      parsedTextField<string>('Currency: three letters of ISO 4217. Default: the merchant’s own.', {
        min: 3,
        max: 3,
        parse: parseCurrencyField,
      }),
    ),
  },
  undefined,
  {
    *rule({ kind }) {
      if (kind === undefined) yield ['kind', notOneOf(eventKinds)]
    },
  },
)

export const triggerEventCommand = command({
  positionals: ['kind'],
  input: TriggerEvent,
  run: trigger,
})

async function trigger(services: Services, input: Static<typeof TriggerEvent>, print: Print): Promise<void> {
  const { kind, amount = 10_000 } = input
  if (kind === undefined) throw new Error('no kind of event was given')
  const merchant = await merchantOrDefault(services, input.merchant)
  const { currency = merchant.currency } = input
  const { transactionId, eventId } = await triggerEvent(services, merchant, { kind, amount, currency }, print)
  print(`transaction  ${transactionId}`)
  print(`event        ${eventId}  ${kind}`)
  print(`To read it: GET ${services.config.apiUrl}/v1/events/${eventId}`)
}

const sandbox: HttpPeer = {
  name: 'The sandbox bank',
  advice: 'start it with vezne start, or with vezne sandbox if you set DATABASE_URL, and check SANDBOX_URL',
}

/**
 * Makes an event of a kind happen, and waits for it. Guarantee: everything is written the way the running
 * service, merchants, payers and operators write it in normal use.
 */
export async function triggerEvent(
  services: Services,
  merchant: Merchant,
  { kind, ...price }: Price & { kind: EventKind },
  print: Print,
): Promise<{ transactionId: number; eventId: number }> {
  if (merchant.live) {
    throw invalidParameter('merchant', {
      tr: 'Bu üye iş yeri canlı: olaylar yalnızca test üye iş yerleri için oluşturulabilir.',
      en: 'This merchant is live: events can be triggered only for test merchants.',
    })
  }
  const client = await openMerchantClient(services, merchant)
  const order = newPaymentOrder(price, await client.createCustomer())
  await sendRequest(services, sandbox, { method: 'GET', url: `${services.config.sandboxUrl}/livez` })
  const id = await scenarios[kind]({ services, merchant, client, order })
  print(`Waiting for ${kind} of transaction ${id} …`)
  const event = await waitFor(services, `the event ${kind} of transaction ${id}`, async () =>
    (await historyEventsOfPayment(services.sql, { merchantId: merchant.id, id })).find(
      (each) => each.kind === kind,
    ),
  )
  return { transactionId: id, eventId: event.id }
}
