import type { Static } from 'typebox'
import type { Print } from '../../kit/command-line/command.ts'
import { command } from '../../kit/command-line/command.ts'
import { notOneOf } from '../../kit/input/complaints.ts'
import { choiceField, moneyField, objectSchema, optional, parsedTextField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import { parseCurrencyField } from '../../kit/money/countries-and-currencies.ts'
import { eventKinds } from '../events/index.ts'
import { merchantArgument, merchantOrDefault } from '../merchants/index.ts'
import { historyEventsOfPayment } from '../payment-history/index.ts'
import type { Services } from '../services.ts'
import { openMerchantClient } from './merchant-client.ts'
import { scenarios } from './scenarios.ts'
import { sendRequest } from './send-request.ts'
import { waitFor } from './wait-for.ts'

const TriggerEvent = objectSchema(
  {
    // Optional here, so that a missing kind gets the list of kinds, like an unknown one.
    kind: optional(choiceField('Kind of event. Required.', eventKinds)),
    merchant: optional({
      ...merchantArgument.properties.merchant,
      description: 'Id of a test merchant. Default: the demo merchant, or the only merchant.',
    }),
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
  run: triggerEvent,
})

/**
 * Makes an event of a kind happen, and waits for it. Guarantee: everything is written the way the running
 * service, merchants, payers and operators write it in normal use.
 */
async function triggerEvent(
  services: Services,
  { kind, amount = 10_000, ...input }: Static<typeof TriggerEvent>,
  print: Print,
): Promise<void> {
  if (kind === undefined) throw new Error('no kind of event was given')
  const merchant = await merchantOrDefault(services, input.merchant)
  if (merchant.live) {
    throw invalidParameter('merchant', {
      tr: 'Bu üye iş yeri canlı: olaylar yalnızca test üye iş yerleri için oluşturulabilir.',
      en: 'This merchant is live: events can be triggered only for test merchants.',
    })
  }
  const { apiUrl, sandboxUrl } = services.config
  const client = await openMerchantClient(services, merchant)
  const order = await client.createOrder({ amount, currency: input.currency ?? merchant.currency })
  await sendRequest(services, 'sandbox', { method: 'GET', url: `${sandboxUrl}/livez` })
  const id = await scenarios[kind]({ services, merchant, client, order })
  print(`Waiting for ${kind} of transaction ${id} …`)
  const event = await waitFor(services, `the event ${kind} of transaction ${id}`, async () =>
    (await historyEventsOfPayment(services.sql, { merchantId: merchant.id, id })).find(
      (each) => each.kind === kind,
    ),
  )
  print(`transaction  ${id}`)
  print(`event        ${event.id}  ${kind}`)
  print(`To read it: GET ${apiUrl}/v1/events/${event.id}`)
}
