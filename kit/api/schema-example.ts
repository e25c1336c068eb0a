import { localizedExampleKey, referencedSchemaNameKey } from '../input/fields.ts'
import type { Language, Localized } from '../text/locale.ts'

/** Parts of a schema that an example is built from. */
interface Shape {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  examples?: unknown[]
  properties?: Record<string, Shape>
  items?: Shape
  maxItems?: number
  [localizedExampleKey]?: Localized<unknown>
  [referencedSchemaNameKey]?: string
}

export type SchemasByName = ReadonlyMap<string, object>

/** A value that the schema allows: its own example if it has one, otherwise one built from its parts. */
export function schemaExample(
  schema: object,
  language: Language,
  schemas: SchemasByName = new Map(),
): unknown {
  const { [localizedExampleKey]: inBoth, [referencedSchemaNameKey]: other } = schema as Shape
  if (inBoth) return inBoth[language]
  if (other !== undefined) return schemaExample(schemas.get(other) ?? {}, language, schemas)
  const { examples, const: only, enum: choices, properties, items, maxItems, type } = schema as Shape
  if (examples && examples.length > 0) return examples[0]
  if (only !== undefined) return only
  if (choices && choices.length > 0) return choices[0]
  if (properties) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, schemaExample(field, language, schemas)]),
    )
  }
  if (items) return maxItems === 0 ? [] : [schemaExample(items, language, schemas)]
  return plainExamples[[type].flat()[0] ?? 'null'] ?? null
}

const plainExamples: Record<string, unknown> = {
  string: '…',
  integer: 1,
  number: 1,
  boolean: true,
  object: {},
}
