import { setTimeout as pause } from 'node:timers/promises'
import type { Child } from './child.ts'
import type { PayResult, PayTask } from './payers.ts'
import { arrivedAt } from './webhooks.ts'
import type { WholeConfiguration } from './whole-configurations.ts'
import type { WholeInstallation } from './whole-installation.ts'

/** Processes that play the payers and the merchant's server with the webhook. */
export interface WholeTools {
  payers: Child
  receiver: Child
  signal: AbortSignal
}

/** End of a run: a number of payments, or a time in which as many as possible are made. */
export type Extent = { payments: number } | { seconds: number }

const timeoutMs = 60_000
/** Time for what the service still does after the last response, so that a payment pays for all of its work. */
const settleMs = 300
const arrivalTimeoutMs = 20_000

/** Pays at an installation, and waits until the webhook has received every event. */
export async function payWhole(
  tools: WholeTools,
  { addresses, withWebhook, withoutWebhook }: WholeInstallation,
  { mode, webhook, atOnce }: WholeConfiguration,
  extent: Extent,
): Promise<PayResult> {
  const { secretKey, webhookSecret } = webhook ? withWebhook : withoutWebhook
  if (webhookSecret !== undefined) tools.receiver.send({ secret: webhookSecret })
  const task = { ...addresses, secretKeys: [secretKey], mode, payers: atOnce }
  const result = await runPayers(tools, { ...task, ...taskExtent(extent) })
  if (webhookSecret !== undefined) await untilArrived(tools, result.payments)
  await pause(settleMs, undefined, { signal: tools.signal })
  return result
}

export function taskExtent(extent: Extent): Pick<PayTask, 'seconds' | 'most'> {
  return 'payments' in extent ? { seconds: timeoutMs / 1000, most: extent.payments } : extent
}

/** Gives the payers a task and waits for its end. A payment that fails throws. */
export async function runPayers({ payers, signal }: WholeTools, task: PayTask): Promise<PayResult> {
  const answer = payers.message<PayResult>(task.seconds * 1000 + timeoutMs)
  payers.send(task)
  const result = await answer.catch((error) => {
    throw signal.aborted ? signal.reason : error
  })
  if (result.failure !== undefined) throw new Error(`whole_payment: ${result.failure}`)
  return result
}

async function untilArrived({ receiver, signal }: WholeTools, due: number): Promise<void> {
  const giveUpAtMs = performance.now() + arrivalTimeoutMs
  for (;;) {
    const { events, bad } = await arrivedAt(receiver)
    if (bad > 0) throw new Error(`${bad} events had a wrong signature`)
    if (events.length >= due) return
    if (performance.now() > giveUpAtMs)
      throw new Error(`only ${events.length} of ${due} events arrived at the webhook`)
    await pause(100, undefined, { signal })
  }
}
