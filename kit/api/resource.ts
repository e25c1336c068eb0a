import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Description } from '../input/fields.ts'
import {
  localizedExampleKey,
  referencedSchemaNameKey,
  schemaDescriptionOptions,
  schemaNameKey,
} from '../input/fields.ts'
import { Type } from '../input/schema.ts'
import type { Localized, LocalizedText } from '../text/locale.ts'

/** Building blocks of response schemas: each field has a description in both languages and an example. */

/** An object schema with a name. The OpenAPI document and generated clients use the name. */
export function resourceSchema<Properties extends TProperties>(
  name: string,
  about: Description,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { ...schemaDescriptionOptions(about), [schemaNameKey]: name })
}

/**
 * An object with the shape of a named resource whose schema is defined elsewhere. It may have further fields.
 */
export function resourceReferenceSchema(about: Description, name: string) {
  return Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    ...schemaDescriptionOptions(about),
    [referencedSchemaNameKey]: name,
  })
}

/** An example that differs between the languages is given in both. */
export function shownTextSchema(about: Description, example: string | LocalizedText | null) {
  const isInBoth = typeof example === 'object' && example !== null
  return Type.String({
    ...schemaDescriptionOptions(about),
    ...(isInBoth ? shownInBoth(example) : { examples: [example] }),
  })
}

export const shownCurrencySchema = shownTextSchema(
  { tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' },
  'TRY',
)

function shownInBoth<Value>(example: Localized<Value>) {
  return { examples: [example.en], [localizedExampleKey]: example }
}

/** One of these words. The example is the first word, unless another one is given. */
export function shownChoiceSchema<const Words extends readonly string[]>(
  about: Description,
  words: Words,
  example?: NoInfer<Words[number]>,
) {
  const shown = example === undefined ? {} : { examples: [example] }
  return Type.Unsafe<Words[number]>({
    type: 'string',
    ...schemaDescriptionOptions(about),
    enum: [...words],
    ...shown,
  })
}

export function shownIntegerSchema(about: Description, example: number) {
  return Type.Integer({ ...schemaDescriptionOptions(about), examples: [example] })
}

export function shownNumberSchema(about: Description, example: number) {
  return Type.Number({ ...schemaDescriptionOptions(about), examples: [example] })
}

export function shownBooleanSchema(about: Description, example: boolean) {
  return Type.Boolean({ ...schemaDescriptionOptions(about), examples: [example] })
}

/** ISO 8601 with seconds and an offset. The default example is the creation time that all examples share. */
export function shownTimeSchema(about: Description, example: string | null = '2026-11-15T09:30:00+03:00') {
  return Type.String({ ...schemaDescriptionOptions(about), format: 'date-time', examples: [example] })
}

/** The example is one item with the item schema's own example, unless a list is given. */
export function shownListSchema<Item extends TSchema>(
  about: Description,
  item: Item,
  example?: Localized<Static<Item>[]>,
) {
  return Type.Array(item, { ...schemaDescriptionOptions(about), ...(example && shownInBoth(example)) })
}

export function nullableSchema<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] }
  if (type === undefined) throw new Error('only a schema with a type can be nullable')
  // The schema differs now, so it must not keep the name.
  const { [schemaNameKey]: _name, ...unnamed } = schema as Schema & { [schemaNameKey]?: string }
  const orNone = words ? { enum: [...words, null] } : {}
  return Type.Unsafe<Static<Schema> | null>({ ...unnamed, type: [type, 'null'], ...orNone })
}
