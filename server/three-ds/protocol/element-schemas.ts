import type { Static, TSchema } from 'typebox'
import { matchesSchema, Type } from '../../../kit/input/schema.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/** Elements shared by several messages. Unknown elements are ignored: a later version can add some. */

/** Control characters. Lone surrogates are refused as well. */
const unspeakable = /\p{Cc}/u

/** Lengths are counted in UTF-16 units, which is never less than the number of characters. */
export function textOfLengthSchema(shortest: number, longest: number) {
  return Type.Refine(Type.String(), (value) => {
    const isLong = value.length >= shortest && value.length <= longest
    return isLong && !unspeakable.test(value) && value.isWellFormed()
  })
}

export function enumSchema<Values extends string[]>(...values: readonly [...Values]) {
  return Type.Enum(values)
}

export const digitsOfLengthSchema = (shortest: number, longest: number) =>
  Type.String({ pattern: `^[0-9]{${shortest},${longest}}$` })

const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** Transaction id: a UUID of any version. */
export const uuidSchema = Type.String({ pattern: uuidPattern })

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(uuidPattern).test(value)
}

export const webAddressSchema = (longest: number) =>
  Type.Refine(Type.String(), (value) => value.length <= longest && /^https?:\/\/[\x21-\x7e]+$/i.test(value))

/**
 * True for an absolute address without credentials. HTTPS is required unless the merchant is a test merchant:
 * the sandbox runs on plain HTTP on the same machine.
 */
export function isWebAddress(text: string, isLive: boolean): boolean {
  // Refuses addresses that the URL parser would silently correct.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || !isLive) && username === '' && password === ''
}

export const yesOrNoSchema = enumSchema('Y', 'N')
export const versionSchema = Type.String({ pattern: '^[0-9]{1,2}\\.[0-9]{1,2}\\.[0-9]{1,2}$' })
export const referenceNumberSchema = textOfLengthSchema(1, 32)
/** Letters are allowed: some schemes use N0 and N2 for non-payments. */
export const eciSchema = Type.String({ pattern: '^[0-9A-Z]{2}$' })
/** 20 bytes in base64. */
export const authenticationValueSchema = Type.String({ pattern: '^[A-Za-z0-9+/]{27}=$' })
export const authenticationTypeSchemas = {
  '2.2.0': enumSchema('01', '02', '03', '04'),
  '2.3.1': digitsOfLengthSchema(2, 2),
} as const
/** Reserved codes are invalid; 2.3.1 defines some of them. */
export const statusReasonSchemas = {
  '2.2.0': Type.String({ pattern: '^(?:0[1-9]|1[0-9]|2[0-6]|[89][0-9])$' }),
  '2.3.1': Type.String({ pattern: '^(?!00)[0-9]{2}$' }),
} as const

const longestExtension = 8059

const Extension = Type.Object({
  name: textOfLengthSchema(1, 64),
  id: textOfLengthSchema(1, 64),
  criticalityIndicator: Type.Boolean(),
  data: Type.Refine(Type.Unknown(), (data) => (JSON.stringify(data)?.length ?? 0) <= longestExtension),
})

export const messageExtensionSchema = Type.Array(Extension, { maxItems: 10 })

/** Elements of a message, unchecked. */
export type RawMessageElements = Readonly<Record<string, unknown>>

/** Elements of a message; undefined if it is no object. An element with value null counts as missing. */
export function nonNullElementsOf(value: unknown): RawMessageElements | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

/** Object schema, as far as it is needed here. */
export type MessageSchema = TSchema & {
  properties: Readonly<Record<string, TSchema>>
  required?: readonly string[]
}

/**
 * Reads a message by its schema. Guarantee: the error names all missing elements or, if none is missing, all
 * invalid ones.
 */
export function readElementsWithSchema<Schema extends MessageSchema>(
  schema: Schema,
  elements: RawMessageElements,
): ProtocolReadResult<Static<Schema>> {
  const missing = (schema.required ?? []).filter((name) => elements[name] === undefined)
  if (missing.length > 0) return { error: protocolError('201', ...missing) }
  const wrong: string[] = []
  if (isRight(schema, elements, wrong)) return { message: elements }
  return { error: protocolError('203', ...wrong) }
}

/** True if each present element is valid. Adds the names of invalid elements to `wrong`. */
function isRight<Schema extends MessageSchema>(
  schema: Schema,
  elements: RawMessageElements,
  wrong: string[],
): elements is RawMessageElements & Static<Schema> {
  for (const [name, element] of Object.entries(schema.properties)) {
    if (elements[name] !== undefined && !matchesSchema(element, elements[name])) wrong.push(name)
  }
  return wrong.length === 0
}
