import { command } from '../../../kit/command-line/command.ts'
import { terminalSafeText } from '../../../kit/command-line/terminal-safe-text.ts'
import { assumedTerminalColumns, textTable } from '../../../kit/command-line/text-table.ts'
import { choiceField, integerField, objectSchema, optional } from '../../../kit/input/fields.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import { requireMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { searchDeliveries } from '../deliveries/store.ts'
import type { DeliveryWithAttempts } from '../records/delivery.ts'
import { deliveryStates, effectiveNextAttemptAt } from '../records/delivery.ts'
import { durationTextBetween } from './duration-text.ts'
import { requireWebhook, webhookArgument } from './require-webhook.ts'

export const listDeliveriesCommand = command({
  positionals: ['webhook'],
  input: objectSchema({
    ...webhookArgument,
    status: optional(choiceField('Only deliveries with this status.', deliveryStates)),
    limit: optional(integerField('Maximum number to show. Default: 50.', { min: 1, max: 1000 })),
  }),
  run: async (services: Services, { webhook: webhookId, status, limit = 50 }, print) => {
    const webhook = await requireWebhook(services, webhookId)
    const { timeZone } = await requireMerchant(services, webhook.merchantId)
    const search = { ownedId: webhook, state: status, eventId: undefined, after: undefined, limit }
    const { items, hasMore } = await searchDeliveries(services.sql, search)
    if (items.length === 0)
      return print(
        status ? `No delivery has the status ${status}.` : 'Nothing has been sent to this webhook yet.',
      )
    const now = services.clock.now()
    const heads = ['DELIVERY', 'MADE', 'EVENT', 'KIND', 'STATUS', 'LAST ATTEMPT']
    const lines = items.map((delivery) => [
      String(delivery.id),
      // No year and no seconds: deliveries are kept for weeks only.
      isoTime(delivery.createdAt, timeZone)
        .slice('2026-'.length, '2026-11-15T09:30'.length)
        .replace('T', ' '),
      String(delivery.eventId),
      delivery.kind,
      statusOf(delivery, now),
      lastAnswer(delivery),
    ])
    print(textTable(heads, lines, assumedTerminalColumns))
    if (hasMore) print('There are more. To list more: --limit N')
  },
})

/** Status of a delivery; for a pending one, the time until its next attempt. */
function statusOf(delivery: DeliveryWithAttempts, now: Date): string {
  if (delivery.state !== 'pending') return delivery.state
  const next = effectiveNextAttemptAt(delivery)
  if (next === null) return 'waits'
  return next <= now ? 'now' : `in ${durationTextBetween(now, next)}`
}

function lastAnswer({ attempts, attemptCount }: DeliveryWithAttempts): string {
  const last = attempts.at(-1)
  if (!last) return '-'
  const parts = [last.status, last.fault, terminalSafeText(last.answer)].filter(
    (part) => part !== null && part !== '',
  )
  return `${attemptCount}× ${parts.join(' ')}`
}
