import type { TestRequest } from '../harness/api.ts'
import type { RouteField } from './field.ts'

/**
 * What must come of a request: refused on this parameter, taken as this value, one of the two, as if nothing had been
 * sent, or not even read.
 */
export type ExpectedOutcome = 'refused' | { taken: unknown } | { either: unknown } | 'blank' | 'unreadable'

/** A wrong or unusual way to send one parameter, as pieces of a form, of JSON, or of both. */
export interface HostileInput {
  about: string
  form?: string
  json?: string
  outcome: ExpectedOutcome
}

/** A way to send a request; `N=…` of a form, a value of JSON. */
export interface EncodedInput {
  about: string
  request: Partial<TestRequest>
}

const here = '\ue000here\ue000'

/** An attempt on one parameter of a body whose others are right, as a form and as JSON. */
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

/** An attempt on one parameter of a query, at an address whose other parameters are right. */
export function encodeInQuery(url: string, { form }: HostileInput): EncodedInput[] {
  return form === undefined ? [] : [{ about: 'in the query', request: { url: urlWithPair(url, form) } }]
}

/** The address with this at the end of its query. */
export function urlWithPair(url: string, pair: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${pair}`
}

/** A body as the pairs of a form: lists by indexed keys, objects as JSON in one text, but for the one to be spread. */
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

/** The part of a value at this path. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value)
}

/** The object with another value at this path. */
export function withValueAt(base: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const clone: Record<string, unknown> = Array.isArray(base) ? ([...base] as never) : { ...(base as object) }
  clone[name] = withValueAt(clone[name], rest, value)
  return clone
}
