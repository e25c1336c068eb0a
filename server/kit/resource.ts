import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { About } from './fields.ts'
import { descriptionOf, exampleInBoth, nameOf, sameAs } from './fields.ts'
import type { InBoth, Sentence } from './locale.ts'
import { Type } from './schema.ts'

/** What answers are made of: each field with a sentence about it, in both languages, and an example. */

/** An object that documents and clients know by a name. */
export function resource<Properties extends TProperties>(
  name: string,
  about: About,
  properties: Properties,
): TObject<Properties> {
  return Type.Object(properties, { ...descriptionOf(about), [nameOf]: name })
}

/** An object that looks as the resource of this name does, whose schema is another's. What it has beside is shown too. */
export function shownAs(about: About, name: string) {
  return Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    ...descriptionOf(about),
    [sameAs]: name,
  })
}

/** An example that reads otherwise in each language is given in both. */
export function shownText(about: About, example: string | Sentence | null) {
  const isInBoth = typeof example === 'object' && example !== null
  return Type.String({
    ...descriptionOf(about),
    ...(isInBoth ? shownInBoth(example) : { examples: [example] }),
  })
}

function shownInBoth<Value>(example: InBoth<Value>) {
  return { examples: [example.en], [exampleInBoth]: example }
}

/** One of these words. Examples show the first of them, unless another one is named. */
export function shownChoice<const Words extends readonly string[]>(
  about: About,
  words: Words,
  example?: NoInfer<Words[number]>,
) {
  const shown = example === undefined ? {} : { examples: [example] }
  return Type.Unsafe<Words[number]>({ type: 'string', ...descriptionOf(about), enum: [...words], ...shown })
}

export function shownInteger(about: About, example: number) {
  return Type.Integer({ ...descriptionOf(about), examples: [example] })
}

/** A number with decimals. Money is never one. */
export function shownNumber(about: About, example: number) {
  return Type.Number({ ...descriptionOf(about), examples: [example] })
}

export function shownFlag(about: About, example: boolean) {
  return Type.Boolean({ ...descriptionOf(about), examples: [example] })
}

/** ISO 8601 with seconds and an offset. Examples show the moment at which theirs begins, unless another one is given. */
export function shownTime(about: About, example: string | null = '2026-11-15T09:30:00+03:00') {
  return Type.String({ ...descriptionOf(about), format: 'date-time', examples: [example] })
}

/** Examples show one item by the item's own example, unless a list is given. */
export function shownList<Item extends TSchema>(about: About, item: Item, example?: InBoth<Static<Item>[]>) {
  return Type.Array(item, { ...descriptionOf(about), ...(example && shownInBoth(example)) })
}

export function orNull<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words } = schema as { type?: string; enum?: unknown[] }
  if (type === undefined) throw new Error('only what has a type can be null')
  // It is another schema now, so it cannot go by the same name.
  const { [nameOf]: _name, ...unnamed } = schema as Schema & { [nameOf]?: string }
  const orNone = words ? { enum: [...words, null] } : {}
  return Type.Unsafe<Static<Schema> | null>({ ...unnamed, type: [type, 'null'], ...orNone })
}
