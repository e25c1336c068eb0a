import type { FieldCheck, KeyValueLimits } from '../../kit/input/fields.ts'
import {
  blankValueActionKey,
  fieldCheckKey,
  keyValueLimitsKey,
  refusesUnknownNamesKey,
  scalarMarkerKey,
} from '../../kit/input/fields.ts'
import type { ApiRoute } from '../../server/api.ts'

/** The subset of JSON Schema that our parameters and answers use, with our own keys. */
export interface RouteSchema {
  type?: string | string[]
  format?: string
  description?: string
  examples?: unknown[]
  properties?: Record<string, RouteSchema>
  required?: string[]
  items?: RouteSchema
  enum?: unknown[]
  const?: unknown
  anyOf?: RouteSchema[]
  minimum?: number
  maximum?: number
  pattern?: string
  maxLength?: number
  maxItems?: number
  [fieldCheckKey]?: FieldCheck<unknown>
  [blankValueActionKey]?: 'clear' | 'refuse'
  [refusesUnknownNamesKey]?: true
  [keyValueLimitsKey]?: KeyValueLimits
  [scalarMarkerKey]?: true
}

/**
 * Kinds of parameters: `text` is stored as it is, `judged` has its own check, `choice` is one of some words,
 * `plain` is any scalar as text.
 */
export type FieldKind =
  | 'text'
  | 'judged'
  | 'choice'
  | 'plain'
  | 'integer'
  | 'flag'
  | 'list'
  | 'record'
  | 'pairs'

/** A parameter of a route. The first item of a list is one too. */
export interface RouteField {
  /** Path in its part of the request: `['items', '0', 'key']`. */
  path: string[]
  /** Name in `errors`: `items.0.key`. */
  key: string
  /** Name in a form: `items[0][key]`. */
  formName: string
  schema: RouteSchema
  kind: FieldKind
  isRequired: boolean
}

export const routeName = ({ method, url }: Pick<ApiRoute, 'method' | 'url'>) => `${method} ${url}`

/** Every parameter of a part of a request, including those inside lists and records. */
export function fieldsOf(part: object | undefined, above: string[] = []): RouteField[] {
  const { properties = {}, required = [] } = (part ?? {}) as RouteSchema
  return Object.entries(properties).flatMap(([name, schema]) =>
    fieldAndBelow([...above, name], schema, required.includes(name)),
  )
}

export function fieldKind(schema: RouteSchema): FieldKind {
  if (schema[keyValueLimitsKey]) return 'pairs'
  if (schema[scalarMarkerKey]) return 'plain'
  const type = [schema.type].flat()[0]
  if (type === 'string') return schema.enum ? 'choice' : schema[fieldCheckKey] ? 'judged' : 'text'
  const kinds: Record<string, FieldKind> = {
    integer: 'integer',
    boolean: 'flag',
    array: 'list',
    object: 'record',
  }
  const kind = kinds[type ?? '']
  if (!kind) throw new Error(`say in testing/every-route/field.ts what a parameter of type ${type} is`)
  return kind
}

/** True if the part refuses unknown names. */
export const refusesUnknownFields = (part: object) => (part as RouteSchema)[refusesUnknownNamesKey] === true

export const isId = (schema: RouteSchema) =>
  fieldKind(schema) === 'integer' && schema.minimum === 10_000_000_000_000

function fieldAndBelow(path: string[], schema: RouteSchema, isRequired: boolean): RouteField[] {
  const [first = '', ...inner] = path
  const kind = fieldKind(schema)
  const field = {
    path,
    key: path.join('.'),
    formName: first + inner.map((part) => `[${part}]`).join(''),
    schema,
    kind,
    isRequired,
  }
  if (kind === 'list') return [field, ...fieldAndBelow([...path, '0'], schema.items ?? {}, true)]
  return kind === 'record' ? [field, ...fieldsOf(schema, path)] : [field]
}
