import type { RequiredCredential } from '../../kit/api/route.ts'
import type { RouteSchema } from '../every-route/field.ts'

/** The interface of the service for merchants, as a table of words. */
export interface Contract<Type extends string = string> {
  requests: {
    /** Beginning of every path. */
    prefix: string
    authorization: string
    languages: string
    contentTypes: string
    /** Names of list items in a form, by the example of a payment. */
    formNames: string
    /** Lists and objects that can be sent as JSON text in one field of a form. */
    jsonTexts: string
  }
  /** Fields of an answer around its result, and of every failure. */
  envelope: { success: ContractFields<Type>; failure: ContractFields<Type> }
  resources: Record<string, ContractFields<Type>>
  /** Endpoints by method and path. */
  endpoints: Record<string, ContractEndpoint<Type>>
  /** Texts of the numbers of a status, by the name of the status. */
  statuses: Record<string, Record<string, string>>
  /** HTTP statuses of the error codes. */
  codes: Record<string, string>
  limits: ContractLimits
}

export type ContractFields<Type extends string = string> = Record<string, Type>

export interface ContractEndpoint<Type extends string = string> {
  credential: RequiredCredential
  path?: ContractFields<Type>
  query?: ContractFields<Type>
  body?: ContractFields<Type>
  /** Parameters that have the same effect in the query and in the body. */
  anywhere?: ContractFields<Type>
  /** Fields of the items of a list in the body, by the name of the list. */
  items?: Record<string, ContractFields<Type>>
  /** A resource, a list of one, or an envelope around one. A document can leave it out. */
  answer?: string
}

interface ContractLimits {
  accessTokenMinutes: number
  paymentPageMinutes?: number
  idDigits: number
  binDigits: number
  amountUnit: string
  /** Digits of an amount after the decimal separator. */
  fractionDigits: number
  maxAmount?: number
}

/** JSON Schemas of the words for single values. Ranges apply to parameters and to real values. */
const scalarSchemas = ({ idDigits, binDigits, fractionDigits, maxAmount }: ContractLimits) => ({
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  true: { type: 'boolean', const: true },
  false: { type: 'boolean', const: false },
  null: { type: 'null' },
  object: { type: 'object' },
  array: { type: 'array' },
  'empty array': { type: 'array', maxItems: 0 },
  id: integerOfDigits(idDigits),
  BIN: integerOfDigits(binDigits),
  amount: { type: 'integer', minimum: 1, ...(maxAmount && { maximum: maxAmount }) },
  time: { type: 'string', format: 'date-time' },
  'display time': text(/^\d\d\.\d\d\.\d{4} \d\d:\d\d$/),
  currency: text(/^[A-Z]{3}$/),
  country: text(/^[A-Z]{2}$/),
  phone: text(/^\+\d{7,15}$/),
  'dialling code': text(/^\+\d+$/),
  'decimal comma': text(new RegExp(`^\\d+,\\d{${fractionDigits}}$`)),
  'decimal point': text(new RegExp(`^\\d+\\.\\d{${fractionDigits}}$`)),
  'return address': { type: 'string' },
  // Names and values that the caller chooses, as an object or as the JSON text of one.
  pairs: { type: ['object', 'string'] },
  scalar: { type: ['string', 'number', 'boolean'] },
})

const text = ({ source }: RegExp): RouteSchema => ({ type: 'string', pattern: source })

const integerOfDigits = (digits: number): RouteSchema => ({
  type: 'integer',
  minimum: 10 ** (digits - 1),
  maximum: 10 ** digits - 1,
})

type Scalar = keyof ReturnType<typeof scalarSchemas>

type Resource = Capitalize<string>

type Value =
  | Scalar
  | `${Scalar} or ${Scalar}`
  | Resource
  | `array of ${Scalar | Resource | 'items'}`
  | `text of ${string}`
  | `${string} | ${string}`

/** A type of the contract: words for single values, a resource, a list, the text of a status, or a choice. */
export type ContractType = Value | `${Value}, required` | `${Value}, required with ${string}`

/** Schema of a success of an endpoint. Guarantee: it throws if the contract does not explain the answer. */
export function answerSchema(contract: Contract, answer = ''): RouteSchema {
  const [, result] = /^envelope of (.+)$/.exec(answer) ?? []
  if (result === undefined) return valueSchema(contract, answer)
  const envelope = recordSchema(contract, contract.envelope.success)
  return { ...envelope, properties: { ...envelope.properties, data: valueSchema(contract, result) } }
}

export function failureSchema(contract: Contract): RouteSchema {
  return recordSchema(contract, contract.envelope.failure)
}

/** Schema of a part of a request. */
export function inputSchema(
  contract: Contract,
  fields: ContractFields,
  items: Record<string, ContractFields> = {},
): RouteSchema {
  const properties = Object.entries(fields).map(([name, type]) => {
    const word = type.replace(/, required.*$/, '')
    const list = word === 'array of items' ? items[name] : undefined
    return [name, list ? { type: 'array', items: inputSchema(contract, list) } : valueSchema(contract, word)]
  })
  return { type: 'object', required: requiredNames(fields), properties: Object.fromEntries(properties) }
}

/** Names of the parameters that every request must have. */
export function requiredNames(fields: ContractFields = {}): string[] {
  return Object.keys(fields).filter((name) => fields[name]?.endsWith(', required'))
}

function recordSchema(contract: Contract, fields: ContractFields): RouteSchema {
  const properties = Object.entries(fields).map(([name, type]) => [name, valueSchema(contract, type)])
  return { type: 'object', required: Object.keys(fields), properties: Object.fromEntries(properties) }
}

function valueSchema(contract: Contract, type: string): RouteSchema {
  const [, list] = /^array of (.+)$/.exec(type) ?? []
  if (list !== undefined) return { type: 'array', items: valueSchema(contract, list) }
  const [, status] = /^text of (.+)$/.exec(type) ?? []
  if (status !== undefined) return { type: 'string', enum: Object.values(contract.statuses[status] ?? {}) }
  if (type.includes(' | ')) return { type: 'string', enum: type.split(' | ') }
  const fields = contract.resources[type]
  if (fields) return recordSchema(contract, fields)
  const scalars: Record<string, RouteSchema> = scalarSchemas(contract.limits)
  const schemas = type.split(' or ').map((word) => scalars[word])
  const types = schemas.flatMap((schema) => schema?.type ?? [])
  if (schemas.includes(undefined)) throw new Error(`the contract does not explain "${type}"`)
  return { ...schemas[0], type: types }
}
