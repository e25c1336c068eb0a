import type { Static } from 'typebox'
import type { MessageSchema } from './element-schemas.ts'
import { readElementsWithSchema } from './element-schemas.ts'

/**
 * Builds a message without its undefined elements. Guarantee: it matches its schema; otherwise an error is
 * thrown that names elements and no values.
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
