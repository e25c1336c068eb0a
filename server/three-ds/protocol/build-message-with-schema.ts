import type { Static } from 'typebox'
import type { MessageSchema } from './element-schemas.ts'
import { readElementsWithSchema } from './element-schemas.ts'

/**
 * A message of ours, without the elements that are undefined. Guarantee: what goes out is as its form demands; anything
 * else is a bug of ours and thrown, naming elements and no values.
 */
export function buildMessageWithSchema<Schema extends MessageSchema>(
  schema: Schema,
  elements: { readonly [Name in keyof Schema['properties']]: unknown },
): Static<Schema> {
  const read = readElementsWithSchema(schema, withoutUndefined(elements))
  if ('error' in read) {
    throw new Error(`we built an invalid message (${read.error.code}) in ${read.error.detail}`)
  }
  return read.message
}

function withoutUndefined(elements: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(elements).filter(([, value]) => value !== undefined))
}
