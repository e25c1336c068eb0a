import type { TSchema } from 'typebox'
import { matchesSchema } from '../../../kit/input/schema.ts'
import { protocolError } from './protocol-error.ts'

/** Elements to send: a constant of the protocol, or a value with its schema. An optional one may be undefined. */
export type OutgoingElements = Readonly<
  Record<string, string | boolean | readonly [value: unknown, schema: TSchema, need?: 'optional']>
>

/** Guarantee: each element matches its schema; otherwise an error is thrown that names elements and no values. */
export function buildMessage<Elements extends OutgoingElements>(
  elements: Elements,
): { readonly [Name in keyof Elements]?: unknown } {
  const wrong: string[] = []
  const message: { [Name in keyof Elements]?: unknown } = {}
  for (const [name, element] of Object.entries(elements)) {
    const [value, schema, need] = typeof element === 'object' ? element : [element]
    if (value !== undefined) Object.assign(message, { [name]: value })
    const isAllowed = value === undefined ? need === 'optional' : !schema || matchesSchema(schema, value)
    if (!isAllowed) wrong.push(name)
  }
  if (wrong.length === 0) return message
  const { code, detail } = protocolError('203', ...wrong)
  throw new Error(`we built an invalid message (${code}) in ${detail}`)
}
