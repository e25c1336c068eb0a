import type { Static, TSchema } from 'typebox'
import { matchesSchema, Type } from '../../../kit/input/schema.ts'
import type { ProtocolReadResult } from './protocol-error.ts'
import { protocolError } from './protocol-error.ts'

/** The elements that several messages have. Elements that we do not know are let pass: a later version may have them. */

/** What nobody types and no database keeps: control characters, and halves of characters. */
const unspeakable = /\p{Cc}/u

/** Lengths are counted as JavaScript does, by which a text is never longer than the other side counts. */
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

/** By what a server knows a transaction: a UUID, of whichever kind. */
export const uuidSchema = Type.String({ pattern: uuidPattern })

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && new RegExp(uuidPattern).test(value)
}

export const webAddressSchema = (longest: number) =>
  Type.Refine(Type.String(), (value) => value.length <= longest && /^https?:\/\/[\x21-\x7e]+$/i.test(value))

export const yesOrNoSchema = enumSchema('Y', 'N')
export const versionSchema = Type.String({ pattern: '^[0-9]{1,2}\\.[0-9]{1,2}\\.[0-9]{1,2}$' })
export const referenceNumberSchema = textOfLengthSchema(1, 32)
/** Also letters: some schemes have N0 and N2 for what is no payment. */
export const eciSchema = Type.String({ pattern: '^[0-9A-Z]{2}$' })
/** Twenty bytes in base64. */
export const authenticationValueSchema = Type.String({ pattern: '^[A-Za-z0-9+/]{27}=$' })
export const authenticationTypeSchemas = {
  '2.2.0': enumSchema('01', '02', '03', '04'),
  '2.3.1': digitsOfLengthSchema(2, 2),
} as const
/** Reserved numbers are none; 2.3.1 has given some of them a meaning. */
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

/** A message as far as its names are known. */
export type RawMessageElements = Readonly<Record<string, unknown>>

/** The elements of what came; undefined when it is no object. An element that is null is none. */
export function nonNullElementsOf(value: unknown): RawMessageElements | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

/** A schema of an object, as far as it matters here. */
export type MessageSchema = TSchema & {
  properties: Readonly<Record<string, TSchema>>
  required?: readonly string[]
}

/** Reads a message by its form. Guarantee: all that is missing is named, or else all that is wrong. */
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

/** Whether each element that is there has its form; those that have not are added to the wrong ones. */
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
