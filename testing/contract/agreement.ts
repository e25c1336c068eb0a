import type { ApiRoute } from '../../server/api.ts'
import { refusalsOf } from '../../server/api.ts'
import { schemaMismatches } from '../every-route/answers.ts'
import type { RouteSchema } from '../every-route/field.ts'
import type { Contract } from './contract-schema.ts'
import { answerSchema, failureSchema, inputSchema } from './contract-schema.ts'

/** One endpoint as a route or an OpenAPI document describes it. */
interface EndpointDescription {
  credential: string
  path: RouteSchema
  query: RouteSchema
  /** Schemas of the body by content type. */
  bodies: Record<string, RouteSchema>
  isBodyRequired: boolean
  answer: RouteSchema
  /** Example of the answer, if the description has one. */
  example: unknown
  failures: DescribedFailure[]
}

interface DescribedFailure {
  status: number
  code: number
  /** Schema of the failure, if the description has one. */
  schema: RouteSchema | undefined
}

/** Parts of an OpenAPI document that describe an endpoint. */
export interface DescribedApi {
  paths: Record<string, Record<string, { parameters: { name: string; in: string }[] }>>
  components: {
    schemas: Record<string, object>
    securitySchemes: Record<string, { type: string; scheme: string }>
  }
}

/** An operation of an OpenAPI document in which every reference is replaced by its schema. */
interface WholeOperation {
  security: object[]
  parameters: { name: string; in: string; required?: boolean; schema: RouteSchema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: RouteSchema }> }
  responses: Record<string, { content: Record<string, { schema: AnswerSchema; example?: unknown }> }>
}

type AnswerSchema = RouteSchema & { allOf?: RouteSchema[] }

const noFields: RouteSchema = { type: 'object', properties: {} }

export function describeRoute(route: ApiRoute): EndpointDescription {
  const { credential, params, query, body, answer } = route
  return {
    credential,
    path: params ?? noFields,
    query: query ?? noFields,
    bodies: body ? { 'application/x-www-form-urlencoded': body, 'application/json': body } : {},
    isBodyRequired: (body?.required ?? []).length > 0,
    answer: answer.schema,
    example: undefined,
    failures: refusalsOf(route).map(({ status, code }) => ({ status, code, schema: undefined })),
  }
}

/** Description of an endpoint in an OpenAPI document; undefined if the document does not have it. */
export function describeOperation(api: DescribedApi, name: string): EndpointDescription | undefined {
  const [method = '', url = ''] = name.split(' ')
  const operation = api.paths[url.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  if (!operation) return undefined
  const { security, parameters, requestBody, responses } = withoutReferences(api, operation) as WholeOperation
  const { 200: success, ...others } = responses
  const { schema: answer = {}, example } = success?.content['application/json'] ?? {}
  const part = (place: string): RouteSchema => {
    const own = parameters.filter((each) => each.in === place)
    return {
      type: 'object',
      required: own.filter(({ required }) => required).map((each) => each.name),
      properties: Object.fromEntries(own.map((each) => [each.name, each.schema])),
    }
  }
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema])
  return {
    credential: credentials[JSON.stringify(security)] ?? JSON.stringify(security),
    path: part('path'),
    query: part('query'),
    bodies: Object.fromEntries(bodies),
    isBodyRequired: requestBody?.required ?? false,
    answer,
    example,
    failures: Object.entries(others).flatMap(([status, { content }]) => {
      const [schema = {}, own] = content['application/json']?.schema.allOf ?? []
      const codes = own?.properties?.['error_code']?.enum ?? ['none']
      return codes.map((code) => ({ status: Number(status), code: Number(code), schema }))
    }),
  }
}

const credentials: Readonly<Record<string, string>> = {
  '[{"key":[]}]': 'key',
  '[{"accessToken":["secret"]}]': 'secret',
  '[{"accessToken":[]}]': 'any',
}

function withoutReferences(api: DescribedApi, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((each) => withoutReferences(api, each))
  if (typeof part !== 'object' || part === null) return part
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String((part as { $ref?: unknown }).$ref)) ?? []
  if (name !== undefined) return withoutReferences(api, api.components.schemas[name] ?? {})
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, withoutReferences(api, each)]))
}

/** Differences between the contract and a description of one of its endpoints. */
export function endpointFaults(
  contract: Contract,
  name: string,
  described: EndpointDescription | undefined,
): string[] {
  const endpoint = contract.endpoints[name]
  if (!endpoint || !described) return [`${name} is missing`]
  const { credential, path = {}, query = {}, body = {}, anywhere = {}, items } = endpoint
  const input = inputSchema(contract, { ...body, ...anywhere }, items)
  const hasBody = Object.keys(input.properties ?? {}).length > 0
  const contentTypes = hasBody ? contract.requests.contentTypes.split(', ') : []
  const isBodyRequired = (input.required ?? []).length > 0
  const bodies = Object.entries(described.bodies)
  const success = answerSchema(contract, endpoint.answer)
  return [
    ...unless(described.credential === credential, `the credential is ${described.credential}`),
    ...schemaFaults('path', inputSchema(contract, path), described.path),
    ...schemaFaults('query', inputSchema(contract, { ...query, ...anywhere }), described.query),
    ...unless(
      isSame(contentTypes, Object.keys(described.bodies)),
      `the bodies are ${bodies.map(([type]) => type)}`,
    ),
    ...bodies.flatMap(([, schema]) => schemaFaults('body', input, schema)),
    ...unless(
      described.isBodyRequired === isBodyRequired,
      `the body is ${isBodyRequired ? 'optional' : 'required'}`,
    ),
    ...schemaFaults('answer', success, described.answer),
    ...(described.example === undefined ? [] : schemaMismatches(success, described.example, 'example')),
    ...described.failures.flatMap((failure) => failureFaults(contract, failure)),
  ]
}

function failureFaults(contract: Contract, { status, code, schema }: DescribedFailure): string[] {
  const isKnown = contract.codes[code]?.split(', ').includes(String(status)) ?? false
  return [
    ...unless(isKnown, `there is no ${code} with status ${status}`),
    ...(schema ? schemaFaults('failure', failureSchema(contract), schema) : []),
  ]
}

type Part = 'path' | 'query' | 'body' | 'answer' | 'failure'

/** Differences between a schema and the one that follows from the contract. */
function schemaFaults(part: Part, expected: RouteSchema, actual: RouteSchema, at: string = part): string[] {
  const [types, actualTypes] = [typesOf(expected), typesOf(actual)]
  if (!isSame(types, actualTypes)) return [`${at} is ${actualTypes.join(' or ')}, not ${types.join(' or ')}`]
  const { minimum, maximum, enum: words, format, items } = expected
  // Schemas of answers show no ranges.
  const needsRange = minimum !== undefined && part !== 'answer'
  const hasRange = actual.minimum === minimum && actual.maximum === maximum
  return [
    ...unless(isSame(words, actual.enum), `${at} is one of ${actual.enum}, not of ${words}`),
    ...unless(format === actual.format, `${at} has the format ${actual.format}, not ${format}`),
    ...unless(
      hasRange || !needsRange,
      `${at} is from ${actual.minimum} to ${actual.maximum}, not ${minimum} to ${maximum}`,
    ),
    ...(items ? schemaFaults(part, items, actual.items ?? {}, `${at}[]`) : []),
    ...(expected.properties ? propertyFaults(part, expected, actual, at) : []),
  ]
}

function propertyFaults(part: Part, expected: RouteSchema, actual: RouteSchema, at: string): string[] {
  const [properties, actualProperties] = [expected.properties ?? {}, actual.properties ?? {}]
  const more = Object.keys(actualProperties).filter((name) => !properties[name])
  const faults = Object.entries(properties).flatMap(([name, schema]) => {
    const own = actualProperties[name]
    if (!own) return [`${at}.${name} is missing`]
    const [isRequired, isRequiredNow] = [expected, actual].map(
      ({ required }) => required?.includes(name) ?? false,
    )
    return [
      ...unless(isRequired === isRequiredNow, `${at}.${name} is ${isRequired ? 'optional' : 'required'}`),
      ...schemaFaults(part, schema, own, `${at}.${name}`),
    ]
  })
  return [...faults, ...more.map((name) => `${at}.${name} is one too many`)]
}

const typesOf = ({ type = [], anyOf = [] }: RouteSchema): string[] => [
  ...[type].flat(),
  ...anyOf.flatMap(typesOf),
]

const isSame = (some: readonly unknown[] = [], others: readonly unknown[] = []) =>
  some.toSorted().join() === others.toSorted().join()

const unless = (isTrue: boolean, fault: string) => (isTrue ? [] : [fault])
