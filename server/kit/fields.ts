import type { TObject, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { Sentence } from './locale.ts'

/** A schema may carry a check that JSON Schema cannot express. The key is a symbol, so that no document shows it. */
export const check = Symbol('check')

export type Check<Value> = (value: Value) => Sentence | undefined

/** Text of at most `max` characters, as people count them. It arrives trimmed, in Unicode's composed form, never blank. */
export function text(about: string, options: { max: number; check?: Check<string> }) {
  return Type.String({ description: about, minLength: 1, maxLength: options.max, ...checked(options.check) })
}

export function integer(about: string, options: { min: number; max: number }) {
  return Type.Integer({ description: about, minimum: options.min, maximum: options.max })
}

export function flag(about: string) {
  return Type.Boolean({ description: about })
}

export function choice<const Values extends readonly string[]>(about: string, values: Values) {
  return Type.Unsafe<Values[number]>({ type: 'string', description: about, enum: [...values] })
}

/** A list as indexed keys, as JSON, or as JSON in one text. */
export function list<Item extends TSchema>(about: string, item: Item, options: { max: number }) {
  return Type.Array(item, { description: about, maxItems: options.max })
}

export function record<Properties extends TProperties>(
  properties: Properties,
  about?: string,
): TObject<Properties> {
  return Type.Object(properties, about === undefined ? {} : { description: about })
}

export const optional = Type.Optional

function checked(rule: Check<string> | undefined): object {
  return rule ? { [check]: rule } : {}
}
