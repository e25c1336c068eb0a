import type { TestRequest } from '../harness/api.ts'
import type { RouteField } from './field.ts'

/**
 * Required outcome of a request: refused by this parameter, taken as this value, one of the two, as if not
 * sent, or unreadable.
 */
export type ExpectedOutcome = 'refused' | { taken: unknown } | { either: unknown } | 'blank' | 'unreadable'

/** A wrong or unusual encoding of one parameter: as a part of a form, of JSON, or of both. */
export interface HostileInput {
  about: string
  form?: string
  json?: string
  outcome: ExpectedOutcome
}

/** A request with the encoded parameter. */
export interface EncodedInput {
  about: string
  request: Partial<TestRequest>
}

const here = '\ue000here\ue000'

/** Requests whose body has this input and is otherwise valid, as a form and as JSON. */
export function encodeInBody(
  field: RouteField,
  base: Record<string, unknown>,
  { form, json }: HostileInput,
): EncodedInput[] {
  const sendings: EncodedInput[] = []
  if (form !== undefined) {
    const spread = field.path.length > 1 ? field.path[0] : undefined
    const others = formPairs(base, spread).filter(
      (pair) => !pair.startsWith(`${field.formName}=`) && !pair.startsWith(`${field.formName}[`),
    )
    sendings.push({ about: 'in a form', request: { form: [...others, form].join('&') } })
  }
  if (json !== undefined) {
    const text = JSON.stringify(withValueAt(base, field.path, here)).replace(JSON.stringify(here), () => json)
    sendings.push({
      about: 'in JSON',
      request: { body: text, headers: { 'content-type': 'application/json' } },
    })
  }
  return sendings
}

/** Requests whose query has this input and is otherwise valid. */
export function encodeInQuery(url: string, { form }: HostileInput): EncodedInput[] {
  return form === undefined ? [] : [{ about: 'in the query', request: { url: urlWithPair(url, form) } }]
}

/** The address with this pair added to its query. */
export function urlWithPair(url: string, pair: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${pair}`
}

/** A body as form pairs: lists as indexed keys, objects as JSON text, except the one to be spread. */
export function formPairs(body: object, spread?: string): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    Array.isArray(value) || name === spread ? indexedPairs(name, value) : [pair(name, value)],
  )
}

function indexedPairs(name: string, value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [pair(name, value)]
  return Object.entries(value).flatMap(([inner, each]) => indexedPairs(`${name}[${inner}]`, each))
}

function pair(name: string, value: unknown): string {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return `${name}=${encodeURIComponent(text)}`
}

/** Value at this path. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
}

/** Copy of the object with another value at this path. */
export function withValueAt(base: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const clone: Record<string, unknown> = Array.isArray(base) ? ([...base] as never) : { ...(base as object) }
  clone[name] = withValueAt(clone[name], rest, value)
  return clone
}
