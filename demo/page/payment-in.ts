/** Parts of a live entry that can name a payment. */
interface EntryContent {
  body?: unknown
  sent?: unknown
  answered?: unknown
}

/** Transaction and amount that an entry names. What was answered counts more than what was sent. */
export function paymentIn({ body, answered, sent }: EntryContent): {
  transaction?: string
  amountMinor?: number
} {
  const parts = [body, answered, sent].flatMap((part) => [
    memberOf(part, 'data'),
    memberOf(part, 'body'),
    part,
  ])
  const [transaction] = membersOf(parts, 'transaction_id')
  const amountMinor = membersOf(parts, 'amount').find((amount) => typeof amount === 'number')
  return {
    ...(transaction === undefined ? {} : { transaction: String(transaction) }),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  }
}

function membersOf(parts: unknown[], name: string): unknown[] {
  return parts.map((part) => memberOf(part, name)).filter((member) => member !== undefined && member !== null)
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
