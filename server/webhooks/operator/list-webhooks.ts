import { command } from '../../../kit/command-line/command.ts'
import { terminalSafeText } from '../../../kit/command-line/terminal-safe-text.ts'
import { assumedTerminalColumns, textTable } from '../../../kit/command-line/text-table.ts'
import { objectSchema, optional } from '../../../kit/input/fields.ts'
import { merchantArgument, requireMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { WebhookWithDeliveryCounts } from '../records/webhook.sql.ts'
import { webhooksWithDeliveryCounts } from '../records/webhook.sql.ts'
import { durationTextBetween } from './duration-text.ts'

/** Counting limit; larger counts are shown as `100000+`. */
const countedTo = 100_000

export const listWebhooksCommand = command({
  input: objectSchema({
    merchant: optional({
      ...merchantArgument.properties.merchant,
      description: 'Id of a merchant. Lists only its webhooks.',
    }),
  }),
  run: async (services: Services, { merchant }, print) => {
    if (merchant !== undefined) await requireMerchant(services, merchant)
    const found = await webhooksWithDeliveryCounts(services.sql, merchant, countedTo + 1)
    if (found.length === 0) return print('There are no webhooks.')
    const now = services.clock.now()
    const heads = ['WEBHOOK', 'MERCHANT', 'STATUS', 'PENDING', 'FAILED', 'ADDRESS']
    const lines = found.map((webhook) => [
      String(webhook.id),
      String(webhook.merchantId),
      statusOf(webhook, now),
      countText(webhook.pending),
      countText(webhook.failed),
      terminalSafeText(webhook.url),
    ])
    print(textTable(heads, lines, assumedTerminalColumns))
    print('To see the deliveries of one: vezne webhook deliveries WEBHOOK')
  },
})

/** Status of a webhook; for an enabled one with the length of its failure period and of its pause. */
function statusOf(
  { status, disabledBecause, failingSince, pausedUntil }: WebhookWithDeliveryCounts,
  now: Date,
): string {
  if (disabledBecause !== null) return `disabled (${disabledBecause})`
  const troubles = [
    failingSince ? [`failing ${durationTextBetween(failingSince, now)}`] : [],
    pausedUntil && pausedUntil > now ? [`paused ${durationTextBetween(now, pausedUntil)}`] : [],
  ].flat()
  return troubles.length > 0 ? troubles.join(', ') : status
}

function countText(count: number): string {
  return count > countedTo ? `${countedTo}+` : String(count)
}
