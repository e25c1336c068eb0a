import type { Static, TObject, TProperties, TSchema, Type as TypeBox } from 'typebox'
import { lazyPackage } from '../runtime/lazy.ts'

/**
 * The TypeBox builders that we use, with TypeBox's types. The schemas equal TypeBox's own, but its 370
 * modules are not loaded: that took a fifth of a second of every start. schema.test.ts compares the two.
 */
export const Type = {
  String: ((options) => made({ type: 'string' }, options)) as typeof TypeBox.String,
  Integer: ((options) => made({ type: 'integer' }, options)) as typeof TypeBox.Integer,
  Number: ((options) => made({ type: 'number' }, options)) as typeof TypeBox.Number,
  Boolean: ((options) => made({ type: 'boolean' }, options)) as typeof TypeBox.Boolean,
  Null: ((options) => made({ type: 'null' }, options)) as typeof TypeBox.Null,
  Unknown: ((options) => made({}, options)) as typeof TypeBox.Unknown,
  Any: ((options) => made({}, options)) as typeof TypeBox.Any,
  Literal: ((value, options) =>
    made({ type: typeof value, const: value }, options)) as typeof TypeBox.Literal,
  Enum: ((values: unknown, options?: object) => made({ enum: values }, options)) as typeof TypeBox.Enum,
  Union: ((anyOf, options) => made({ anyOf }, options)) as typeof TypeBox.Union,
  Array: ((items, options) => made({ type: 'array', items }, options)) as typeof TypeBox.Array,
  Object: ((properties, options) =>
    made({ type: 'object', ...requiredIn(properties), properties }, options)) as typeof TypeBox.Object,
  Partial: (({ properties }: TObject) =>
    Type.Object(mapped(properties, Type.Optional))) as unknown as typeof TypeBox.Partial,
  Unsafe: ((schema) => marked(schema, {})) as typeof TypeBox.Unsafe,
  Optional: ((schema) => marked(schema, { '~optional': true })) as typeof TypeBox.Optional,
  Refine: ((schema: object, check: unknown) =>
    marked(schema, { '~refine': [{ check, error: () => 'Refine Error' }] })) as typeof TypeBox.Refine,
}

const checker = lazyPackage<typeof import('typebox/schema')>('typebox/schema')

/** True if the value matches the schema. TypeBox itself checks it. */
export function matchesSchema<const Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  return checker().Check(schema, value)
}

/** Returns `never`, so that each builder's declared return type applies. */
function made(schema: object, options?: object): never {
  return { ...schema, ...options } as never
}

/** A copy with further marks. It keeps the existing ones; no document shows them. */
function marked(schema: object, marks: object): never {
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema))
  for (const [name, value] of Object.entries(marks)) {
    Object.defineProperty(copy, name, { value, configurable: true, writable: true, enumerable: false })
  }
  return copy as never
}

function requiredIn(properties: TProperties): { required?: string[] } {
  const required = Object.entries(properties).flatMap(([name, schema]) =>
    '~optional' in schema ? [] : [name],
  )
  return required.length === 0 ? {} : { required }
}

function mapped(properties: TProperties, change: (schema: TSchema) => TSchema): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, change(schema)]))
}
