import type { ApiRoute } from '../../server/api.ts'
import { isIsoTime } from '../every-route/answers.ts'
import type { RouteSchema } from '../every-route/field.ts'
import { fieldKind } from '../every-route/field.ts'
import type {
  Contract,
  ContractEndpoint,
  ContractField,
  ContractParameter,
  ContractResponse,
} from './document.ts'

/** Deliberate differences from the contract, where it contradicts itself or is silent. */
export interface ContractExceptions {
  /** Other types of a field, by `Resource.field`. */
  types?: Readonly<Record<string, string>>
  /** Fields that the contract names without their shape, by `Resource.field`. */
  fields?: readonly string[]
  /** True if a parameter is required, by `METHOD /path parameter`. */
  required?: Readonly<Record<string, boolean>>
  /** Parameters missing in the tables, by `METHOD /path parameter`. */
  parameters?: readonly string[]
}

/** Differences between the schema of an answer and the contract. */
export function schemaFaults(
  contract: Contract,
  response: ContractResponse,
  schema: RouteSchema,
  exceptions: ContractExceptions,
): string[] {
  const about = new Agreement(contract, exceptions)
  if (response.form === 'list') {
    if (schema.type !== 'array') return ['the answer is no list']
    return about.ofSchema(response.resource ?? '', schema.items ?? {})
  }
  if (response.form === 'bare') return about.ofSchema(response.resource ?? '', schema)
  return [
    ...about.ofEnvelopeSchema(schema),
    ...about.ofData(response.resource, schema.properties?.['data'] ?? {}),
  ]
}

/** Differences between a real answer and the contract. */
export function answerFaults(
  contract: Contract,
  response: ContractResponse,
  answer: unknown,
  exceptions: ContractExceptions,
): string[] {
  const about = new Agreement(contract, exceptions)
  const { form, resource } = response
  if (form === 'list') {
    if (!Array.isArray(answer)) return ['the answer is no list']
    return answer.flatMap((item) => about.ofValue(resource ?? '', item))
  }
  if (form === 'bare') return about.ofValue(resource ?? '', answer)
  const faults = about.ofEnvelope(answer)
  if (faults.length > 0) return faults
  const { data } = answer as { data: unknown }
  if (resource === undefined) return data === null ? [] : ['data is not null']
  return about.ofValue(resource, data)
}

/** Differences between an envelope, of success or failure, and the contract. */
export function envelopeFaults(contract: Contract, answer: unknown): string[] {
  return new Agreement(contract, {}).ofEnvelope(answer)
}

/** Differences between the parameters of a route and the contract. */
export function parameterFaults(
  endpoint: ContractEndpoint,
  route: ApiRoute,
  exceptions: ContractExceptions,
): string[] {
  const name = `${endpoint.method} ${endpoint.url}`
  const faults = endpoint.parameters.flatMap((parameter) =>
    partsFor(parameter, route).flatMap((part) => {
      const schema = part.properties?.[parameter.name]
      if (!schema) return [`${parameter.name} is not there`]
      const mustBe = exceptions.required?.[`${name} ${parameter.name}`] ?? requiredness(parameter)
      const isMust = part.required?.includes(parameter.name) ?? false
      return [
        ...typeFaults(parameter, schema),
        ...(isMust === mustBe ? [] : [`${parameter.name} is ${isMust ? 'a must' : 'optional'}`]),
      ]
    }),
  )
  if (endpoint.parameters.length === 0) return faults
  const listed = endpoint.parameters.map((parameter) => parameter.name)
  const taken = [route.body, route.query].flatMap((part) =>
    Object.keys((part as RouteSchema | undefined)?.properties ?? {}),
  )
  const more = [...new Set(taken)].filter(
    (each) => !listed.includes(each) && !exceptions.parameters?.includes(`${name} ${each}`),
  )
  return [...faults, ...more.map((each) => `${each} is one parameter too many`)]
}

class Agreement {
  readonly #contract: Contract
  readonly #exceptions: ContractExceptions

  constructor(contract: Contract, exceptions: ContractExceptions) {
    this.#contract = contract
    this.#exceptions = exceptions
  }

  ofSchema(resource: string, { properties = {}, required = [] }: RouteSchema): string[] {
    const fields = this.#fields(resource)
    const missing = fields.filter(({ name }) => !properties[name] || !required.includes(name))
    return [
      ...missing.map(({ name }) => `${resource}.${name} is missing in the schema`),
      ...this.#beyond(resource, Object.keys(properties)).map(
        (fieldPath) => `${fieldPath} is one field too many in the schema`,
      ),
      ...fields.flatMap((field) => {
        const schema = properties[field.name]
        return schema ? this.#ofFieldSchema(resource, field, schema) : []
      }),
    ]
  }

  ofValue(resource: string, value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return [`${resource} is no object`]
    const given = value as Record<string, unknown>
    const fields = this.#fields(resource)
    return [
      ...fields.filter(({ name }) => !(name in given)).map(({ name }) => `${resource}.${name} is missing`),
      ...this.#beyond(resource, Object.keys(given)).map((fieldPath) => `${fieldPath} is one field too many`),
      ...fields.flatMap((field) =>
        field.name in given ? this.#ofField(resource, field, given[field.name]) : [],
      ),
    ]
  }

  ofEnvelopeSchema({ properties = {} }: RouteSchema): string[] {
    const names = this.#contract.envelope.map(({ name }) => name)
    const same = names.toSorted().join() === Object.keys(properties).toSorted().join()
    return [
      ...(same ? [] : [`the envelope has the fields ${Object.keys(properties)}`]),
      ...this.#contract.envelope.flatMap(({ name, type }) => {
        const types = typesOf(properties[name] ?? {})
        const allowed = jsonTypes(type)
        return types.every((each) => allowed.includes(each))
          ? []
          : [`envelope.${name} is ${types} in the schema`]
      }),
    ]
  }

  ofEnvelope(answer: unknown): string[] {
    if (typeof answer !== 'object' || answer === null) return ['the envelope is no object']
    const given = answer as Record<string, unknown>
    const names = this.#contract.envelope.map(({ name }) => name)
    if (names.toSorted().join() !== Object.keys(given).toSorted().join())
      return [`the envelope has the fields ${Object.keys(given)}`]
    const faults = this.#contract.envelope
      .filter(({ name, type }) => !jsonTypes(type).includes(jsonType(given[name], jsonTypes(type))))
      .map(({ name, type }) => `envelope.${name} is no ${type}`)
    const { status, errors, error_code: code, data } = given
    if (status === true && (!Array.isArray(errors) || errors.length > 0 || code !== null))
      faults.push('a success has errors')
    if (status === false && (code === null || data !== null))
      faults.push('a failure has no code, or has data')
    return faults
  }

  ofData(resource: string | undefined, schema: RouteSchema): string[] {
    if (resource !== undefined) return this.ofSchema(resource, schema)
    return schema.type === 'null' ? [] : ['data is not null in the schema']
  }

  #fields(resource: string): ContractField[] {
    const fields = this.#contract.resources.get(resource)
    if (!fields) throw new Error(`the contract describes no "${resource}"`)
    return fields
  }

  #beyond(resource: string, names: string[]): string[] {
    const known = this.#fields(resource).map(({ name }) => name)
    const fieldPaths = names.filter((name) => !known.includes(name)).map((name) => `${resource}.${name}`)
    return fieldPaths.filter((fieldPath) => !this.#exceptions.fields?.includes(fieldPath))
  }

  #ofFieldSchema(resource: string, field: ContractField, schema: RouteSchema): string[] {
    const fieldPath = `${resource}.${field.name}`
    const type = this.#exceptions.types?.[fieldPath] ?? field.type
    const types = typesOf(schema)
    if (types.toSorted().join() !== jsonTypes(type).toSorted().join()) {
      return [`${fieldPath} is ${types.join(' or ')} in the schema, not ${type}`]
    }
    const item = itemOf(type)
    return item === undefined ? [] : this.ofSchema(item, schema.items ?? {})
  }

  #ofField(resource: string, field: ContractField, value: unknown): string[] {
    const fieldPath = `${resource}.${field.name}`
    const type = this.#exceptions.types?.[fieldPath] ?? field.type
    if (!jsonTypes(type).includes(jsonType(value, jsonTypes(type))))
      return [`${fieldPath} is no ${type}: ${JSON.stringify(value)}`]
    const item = itemOf(type)
    if (Array.isArray(value))
      return item === undefined ? [] : value.flatMap((each) => this.ofValue(item, each))
    if (type === 'object') return insideFaults(fieldPath, field, value as object)
    const form = forms.find(([word]) => field.notes.includes(word))
    return form && value !== null && !form[1](String(value))
      ? [`${fieldPath} is not of the form ${form[0]}: ${value}`]
      : []
  }
}

/** Text formats that the notes of a field can name. */
const forms: readonly [string, (text: string) => boolean][] = [
  ['ISO 8601', isIsoTime],
  ['`DD.MM.YYYY HH:mm`', (text) => /^\d\d\.\d\d\.\d{4} \d\d:\d\d$/.test(text)],
  ['`+<digits>`', (text) => /^\+\d+$/.test(text)],
  ['ISO 4217', (text) => /^[A-Z]{3}$/.test(text)],
  ['ISO 3166-1 alpha-2', (text) => /^[A-Z]{2}$/.test(text)],
  ['with a comma separator', (text) => /^\d+,\d\d$/.test(text)],
  ['with a dot separator', (text) => /^\d+\.\d\d$/.test(text)],
]

/**
 * Missing fields of an object, whose notes list them: `name (string), slug (string), created_at, updated_at`.
 */
function insideFaults(fieldPath: string, { notes }: ContractField, value: object): string[] {
  const names = notes.split(/[;,]/).map((part) => /^\s*(\w+)(?: \(\w+\))?\s*$/.exec(part)?.[1])
  const inside = names.filter((name) => name !== undefined && name !== 'object')
  return inside.filter((name) => !(`${name}` in value)).map((name) => `${fieldPath}.${name} is missing`)
}

/** `string, ISO 8601` and `string (…)` are strings; `string or null` is either. */
function jsonTypes(type: string): string[] {
  return type
    .replace(/[(,].*/, '')
    .split(' or ')
    .map((each) => each.trim().replace(/^array of .*/, 'array'))
}

const itemOf = (type: string) => /^array of (.+)$/.exec(type)?.[1]

const typesOf = (schema: RouteSchema) => [schema.type ?? []].flat()

function jsonType(value: unknown, allowed: readonly string[]): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isSafeInteger(value) && allowed.includes('integer')
    ? 'integer'
    : typeof value
}

/** Parts of a route that must have the parameter. */
function partsFor({ location }: ContractParameter, { body, query, params }: ApiRoute): RouteSchema[] {
  const parts = { body: [body], query: [query], path: [params], anywhere: [body, query] }[location]
  return parts.map((part) => (part ?? {}) as RouteSchema)
}

function requiredness({ name, required }: ContractParameter): boolean {
  if (required === 'yes') return true
  if (required === 'no') return false
  throw new Error(`say in the exceptions whether ${name} is a must: the contract says "${required}"`)
}

function typeFaults({ name, type, rule }: ContractParameter, schema: RouteSchema): string[] {
  const kind = fieldKind(schema)
  const kinds = kindsOf(type)
  if (!kinds.includes(kind)) return [`${name} is ${kind}, not ${type}`]
  if (kind === 'integer') return digitsFaults(name, rule, schema)
  if (kind !== 'list') return []
  const items = schema.items ?? {}
  if (type.includes('of integer'))
    return fieldKind(items) === 'integer' ? [] : [`${name} is no list of integers`]
  const inside = [...rule.matchAll(/(\w+) \((\w+),[^)]*(required|optional)\)/g)]
  return inside.flatMap(([, item = '', itemType = '', must]) => {
    const inner = items.properties?.[item]
    if (!inner || !kindsOf(itemType).includes(fieldKind(inner))) return [`${name}.${item} is no ${itemType}`]
    const isMust = items.required?.includes(item) ?? false
    return isMust === (must === 'required') ? [] : [`${name}.${item} should be ${must}`]
  })
}

/** The rule `exactly 8 digits` means the range from the first to the last such number. */
function digitsFaults(name: string, rule: string, { minimum, maximum }: RouteSchema): string[] {
  const digits = Number(/exactly (\d+) digits/.exec(rule)?.[1] ?? Number.NaN)
  if (Number.isNaN(digits)) return []
  const isSo = minimum === 10 ** (digits - 1) && maximum === 10 ** digits - 1
  return isSo ? [] : [`${name} has not exactly ${digits} digits`]
}

function kindsOf(type: string): string[] {
  if (type === 'string') return ['text', 'judged', 'choice']
  if (type === 'integer') return ['integer']
  if (type === 'boolean') return ['flag']
  if (type.startsWith('JSON object string')) return ['pairs']
  if (type.startsWith('array')) return ['list']
  throw new Error(`the contract has a type of parameter that this test does not know: ${type}`)
}
