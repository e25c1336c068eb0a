import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Description } from './fields.ts'
import { descriptionOf, localizedExample, sameSchemaAs, schemaName } from './fields.ts'
import type { Localized, LocalizedText } from './locale.ts'
import { Type } from './schema.ts'

/** What answers are made of: each field with a sentence about it, in both languages, and an example. */

/** An object that documents and clients know by a name. */
export function resource<Properties extends TProperties>(
  name: string,
  about: Description,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { ...descriptionOf(about), [schemaName]: name })
}

/** An object that looks as the resource of this name does, whose schema is another's. What it has beside is shown too. */
export function shownAs(about: Description, name: string) {
  return Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    ...descriptionOf(about),
    [sameSchemaAs]: name,
  })
}

/** An example that reads otherwise in each language is given in both. */
export function shownText(about: Description, example: string | LocalizedText | null) {
  const isInBoth = typeof example === 'object' && example !== null
  return Type.String({
    ...descriptionOf(about),
    ...(isInBoth ? shownInBoth(example) : { examples: [example] }),
  })
}

function shownInBoth<Value>(example: Localized<Value>) {
  return { examples: [example.en], [localizedExample]: example }
}

/** One of these words. Examples show the first of them, unless another one is named. */
export function shownChoice<const Words extends readonly string[]>(
  about: Description,
  words: Words,
  example?: NoInfer<Words[number]>,
) {
  const shown = example === undefined ? {} : { examples: [example] }
  return Type.Unsafe<Words[number]>({ type: 'string', ...descriptionOf(about), enum: [...words], ...shown })
}

export function shownInteger(about: Description, example: number) {
  return Type.Integer({ ...descriptionOf(about), examples: [example] })
}

/** A number with decimals. Money is never one. */
export function shownNumber(about: Description, example: number) {
  return Type.Number({ ...descriptionOf(about), examples: [example] })
}

export function shownFlag(about: Description, example: boolean) {
  return Type.Boolean({ ...descriptionOf(about), examples: [example] })
}

/** ISO 8601 with seconds and an offset. Examples show the moment at which theirs begins, unless another one is given. */
export function shownTime(about: Description, example: string | null = '2026-11-15T09:30:00+03:00') {
  return Type.String({ ...descriptionOf(about), format: 'date-time', examples: [example] })
}

/** Examples show one item by the item's own example, unless a list is given. */
export function shownList<Item extends TSchema>(
  about: Description,
  item: Item,
  example?: Localized<Static<Item>[]>,
) {
  return Type.Array(item, { ...descriptionOf(about), ...(example && shownInBoth(example)) })
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] }
  if (type === undefined) throw new Error('only a schema with a type can be nullable')
  // It is another schema now, so it cannot go by the same name.
  const { [schemaName]: _name, ...unnamed } = schema as Schema & { [schemaName]?: string }
  const orNone = words ? { enum: [...words, null] } : {}
  return Type.Unsafe<Static<Schema> | null>({ ...unnamed, type: [type, 'null'], ...orNone })
}
