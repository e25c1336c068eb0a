import { isRecord } from './call-api.ts'
import { webAddress } from './web-address.ts'

/** Step of the payment page, as the payer sees it. */
export type Step = 'form' | 'bank' | 'asking' | 'paid' | 'held' | 'failed' | 'expired'

const steps: readonly unknown[] = ['form', 'bank', 'asking', 'paid', 'held', 'failed', 'expired']

/** Message of the payment page from its frame. */
export type PageMessage =
  | { type: 'here' }
  | { type: 'standing'; step: Step; transactionId: number }
  | { type: 'size'; height: number }
  | { type: 'look'; top: number; bottom: number }
  | { type: 'leave'; url: string }

/**
 * Response of the element to `here`, sent to the page's origin only. It contains nothing about the web page.
 */
export const greeting = { vezne: 'element', type: 'greet', version: 1 }

export const heightLimits = { least: 200, most: 4_000 }

/**
 * Reads a message of the payment page. Guarantee: every part has its type and is within its bounds, or the
 * result is undefined.
 */
export function readMessage(data: unknown): PageMessage | undefined {
  if (!isRecord(data) || data['vezne'] !== 'page') return undefined
  const { type, step, transaction_id: transactionId, height, top, bottom } = data
  switch (type) {
    case 'here':
      return { type }
    case 'standing':
      return steps.includes(step) && isId(transactionId)
        ? { type, step: step as Step, transactionId }
        : undefined
    case 'size':
      return isNumber(height) ? { type, height: Math.ceil(bounded(height, heightLimits.least)) } : undefined
    case 'look':
      return isNumber(top) && isNumber(bottom) && top <= bottom
        ? { type, top: bounded(top, 0), bottom: bounded(bottom, 0) }
        : undefined
    case 'leave': {
      const url = webAddress(data['url'])
      return url && { type, url: url.href }
    }
    default:
      return undefined
  }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function bounded(length: number, least: number): number {
  return Math.min(heightLimits.most, Math.max(least, length))
}
