import type { ApiRoute } from '../../server/api.ts'
import { refusalsOf } from '../../server/api.ts'
import type { TestAnswer } from '../harness/api.ts'
import type { RouteSchema } from './field.ts'
import { routeName } from './field.ts'

/** Faults of a route's answer: a success that does not match its schema, or an undeclared failure. */
export function routeAnswerFaults(route: ApiRoute, answer: TestAnswer): string[] {
  const faults =
    answer.status === 200 ? schemaMismatches(route.answer.schema, answer.json) : failureFaults(route, answer)
  if (typeof answer.headers['x-request-id'] !== 'string') faults.push('no X-Request-Id')
  return faults.map((fault) => `${routeName(route)} answered ${answer.status}: ${fault}`)
}

/** Differences between a value and its schema. Missing and additional fields count. */
export function schemaMismatches(schema: RouteSchema, value: unknown, path = '$'): string[] {
  if (schema.anyOf) {
    const alternatives = schema.anyOf.map((each) => schemaMismatches(each, value, path))
    return alternatives.some((mismatches) => mismatches.length === 0) ? [] : (alternatives[0] ?? [])
  }
  const types = [schema.type ?? []].flat()
  if (types.length > 0 && !types.some((type) => isOfType(type, value))) {
    return [`${path} is no ${types.join(' or ')}`]
  }
  if (Array.isArray(value)) return misfitsInList(schema, value, path)
  if (typeof value === 'object' && value !== null) return misfitsInObject(schema, value, path)
  if (schema.enum && !schema.enum.includes(value)) return [`${path} is none of its values`]
  if ('const' in schema && schema.const !== value) return [`${path} is not ${schema.const}`]
  if (schema.format === 'date-time' && value !== null && !isIsoTime(value)) return [`${path} is no time`]
  return isInForm(schema, value) ? [] : [`${path} has another form: ${value}`]
}

/** True if a text matches its pattern and a number is in its range. */
function isInForm({ pattern = '', minimum, maximum }: RouteSchema, value: unknown): boolean {
  if (typeof value === 'string') return new RegExp(pattern).test(value)
  if (typeof value !== 'number') return true
  return value >= (minimum ?? value) && value <= (maximum ?? value)
}

/** ISO 8601 with seconds and a UTC offset. */
function isIsoTime(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  )
}

/** Faults of a failure: its envelope, or a status and code that the route does not declare. */
export function failureFaults(route: ApiRoute, { status, json }: TestAnswer): string[] {
  const faults = schemaMismatches(failure, json)
  if (faults.length > 0) return faults
  // Every route declares 500 and 503, but a test must never get them.
  if (status >= 500) faults.push(`this is our fault: ${json.message}`)
  if (json.message.trim() === '') faults.push('the message is blank')
  const declared = refusalsOf(route).some((each) => each.status === status && each.code === json.error_code)
  if (!declared) faults.push(`the route declares no ${json.error_code} with this status`)
  const named = Object.entries(json.errors as object)
  if ((named.length === 0) === ([901, 902] as unknown[]).includes(json.error_code)) {
    faults.push('errors names parameters where none is wrong, or none where one is')
  }
  for (const [name, sentences] of named) {
    if (!Array.isArray(sentences) || sentences.length === 0 || sentences.some((each) => !isSentence(each))) {
      faults.push(`errors says nothing about ${name}`)
    }
  }
  return faults
}

const isSentence = (text: unknown) => typeof text === 'string' && text.trim() !== ''

const failure: RouteSchema = {
  type: 'object',
  required: ['status', 'message', 'errors', 'error_code', 'data'],
  properties: {
    status: { const: false },
    message: { type: 'string' },
    errors: { anyOf: [{ type: 'array', maxItems: 0 }, { type: 'object' }] },
    error_code: { type: 'integer' },
    data: { type: 'null' },
  },
}

function misfitsInList(
  { items, maxItems = Number.POSITIVE_INFINITY }: RouteSchema,
  list: unknown[],
  path: string,
) {
  if (list.length > maxItems) return [`${path} has more than ${maxItems} items`]
  return items ? list.flatMap((item, index) => schemaMismatches(items, item, `${path}[${index}]`)) : []
}

function misfitsInObject({ properties, required = [] }: RouteSchema, value: object, path: string): string[] {
  if (!properties) return []
  const given = value as Record<string, unknown>
  return [
    ...required.filter((name) => !(name in given)).map((name) => `${path}.${name} is missing`),
    ...Object.entries(given).flatMap(([name, each]) => {
      const schema = properties[name]
      return schema
        ? schemaMismatches(schema, each, `${path}.${name}`)
        : [`${path}.${name} is one field too many`]
    }),
  ]
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === type
}
