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

/** What answers are made of: each field with a sentence about it, in both languages, and an example. */

/** An object that documents and clients know by a name. */
export function resourceSchema<Properties extends TProperties>(
  name: string,
  about: Description,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { ...schemaDescriptionOptions(about), [schemaNameKey]: name })
}

/** An object that looks as the resource of this name does, whose schema is another's. What it has beside is shown too. */
export function resourceReferenceSchema(about: Description, name: string) {
  return Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    ...schemaDescriptionOptions(about),
    [referencedSchemaNameKey]: name,
  })
}

/** An example that reads otherwise in each language is given in both. */
export function shownTextSchema(about: Description, example: string | LocalizedText | null) {
  const isInBoth = typeof example === 'object' && example !== null
  return Type.String({
    ...schemaDescriptionOptions(about),
    ...(isInBoth ? shownInBoth(example) : { examples: [example] }),
  })
}

function shownInBoth<Value>(example: Localized<Value>) {
  return { examples: [example.en], [localizedExampleKey]: example }
}

/** One of these words. Examples show the first of them, unless another one is named. */
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

/** A number with decimals. Money is never one. */
export function shownNumberSchema(about: Description, example: number) {
  return Type.Number({ ...schemaDescriptionOptions(about), examples: [example] })
}

export function shownBooleanSchema(about: Description, example: boolean) {
  return Type.Boolean({ ...schemaDescriptionOptions(about), examples: [example] })
}

/** ISO 8601 with seconds and an offset. Examples show the moment at which theirs begins, unless another one is given. */
export function shownTimeSchema(about: Description, example: string | null = '2026-11-15T09:30:00+03:00') {
  return Type.String({ ...schemaDescriptionOptions(about), format: 'date-time', examples: [example] })
}

/** Examples show one item by the item's own example, unless a list is given. */
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
  // It is another schema now, so it cannot go by the same name.
  const { [schemaNameKey]: _name, ...unnamed } = schema as Schema & { [schemaNameKey]?: string }
  const orNone = words ? { enum: [...words, null] } : {}
  return Type.Unsafe<Static<Schema> | null>({ ...unnamed, type: [type, 'null'], ...orNone })
}
