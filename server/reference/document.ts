import type { Field } from './assets/request.js'

/** Parts of an OpenAPI document that the page reads. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  paths: Record<string, Record<string, DocumentedOperation>>
  webhooks?: Record<string, { post: SentMessage }>
  components: { schemas: Record<string, ApiSchema> }
}

export interface ApiSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  properties?: Record<string, ApiSchema>
  required?: string[]
  items?: ApiSchema
  anyOf?: ApiSchema[]
  enum?: unknown[]
  examples?: unknown[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  maxProperties?: number
}

export interface ApiParameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: ApiSchema
}

interface DocumentedOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, string[]>[]
  parameters: ApiParameter[]
  requestBody?: {
    description?: string
    content: Record<string, { schema: ApiSchema; example?: Record<string, unknown> }>
  }
  responses: Record<string, Response>
}

/** A message posted to an address that a caller gave. */
interface SentMessage {
  summary: string
  parameters: ApiParameter[]
  requestBody: { content: Record<string, { schema: ApiSchema; example: unknown }> }
}

interface Response {
  headers?: Record<string, { description: string; schema: ApiSchema }>
  content: Record<
    string,
    {
      schema: ApiSchema
      example?: unknown
      examples?: Record<string, { description: string; value: { message: string } }>
    }
  >
}

/** An endpoint as the page shows it. */
export interface ApiOperation {
  /** Anchor, the same in every language. */
  id: string
  tag: string
  method: string
  path: string
  summary: string
  description: string
  credential: 'key' | 'secret' | 'any'
  parameters: ApiParameter[]
  body: ApiSchema | undefined
  answer: { schema: ApiSchema; example: unknown; headers: NonNullable<Response['headers']> }
  refusals: { status: number; code: number; message: string; when: string }[]
  /** Fields of its example that can be edited before it is run. */
  fields: Field[]
  /**
   * True if its example has an `Idempotency-Key`: it creates a record, and without the key a repeat would
   * create two. An operation that returns a list creates none.
   */
  isKeyed: boolean
  /** True if its body is an image. */
  isImage: boolean
  /** Description of a body that has no fields. */
  bodyText: string | undefined
}

/** All operations in page order: by subject, and within one in the life cycle of a resource. */
export function operationsOf(document: OpenApiDocument): ApiOperation[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => read(method.toUpperCase(), path, operation)),
  )
  const tags = [...new Set(all.map(({ tag }) => tag))]
  const made = new Set(all.filter((operation) => stageOf(operation) === 0).map(({ tag }) => tag))
  const positionOf = (operation: ApiOperation) => {
    const stage = stageOf(operation)
    // A record that no operation creates must be found before it can be read.
    const isFirst = stage === 2 && !made.has(operation.tag)
    return tags.indexOf(operation.tag) * 10 + (isFirst ? 0 : stage)
  }
  return all.sort((a, b) => positionOf(a) - positionOf(b))
}

/**
 * Create, read, search, update, nested resources, delete: in this order each example finds the records of the
 * ones before it.
 */
function stageOf({ method, path }: ApiOperation): number {
  const ids = path.split('{').length - 1
  if (method === 'DELETE') return path.endsWith('}') ? 6 : 5
  if (method === 'POST') return ids > 0 ? 3 : 0
  if (/\}\//.test(path)) return ids > 1 ? 5 : 4
  return ids > 0 ? 1 : 2
}

function read(method: string, path: string, operation: DocumentedOperation): ApiOperation {
  const { operationId, tags, summary, description, security, parameters, responses } = operation
  const { content = {}, description: bodyText } = operation.requestBody ?? {}
  const body = content['application/json']
  const success = responses['200']
  const answer = success?.content['application/json']
  const roles = security[0]?.['accessToken']
  return {
    id: operationId.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '-').toLowerCase(),
    tag: tags[0] ?? '',
    method,
    path,
    summary,
    description,
    credential: roles ? (roles.includes('secret') ? 'secret' : 'any') : 'key',
    parameters,
    body: body?.schema,
    answer: { schema: answer?.schema ?? {}, example: answer?.example, headers: success?.headers ?? {} },
    refusals: refusalsIn(responses),
    fields: fieldsOf(parameters, body?.schema, body?.example ?? {}),
    isKeyed:
      method === 'POST' &&
      !path.includes('{') &&
      answer?.schema.items === undefined &&
      parameters.some(({ name }) => name === 'Idempotency-Key'),
    isImage: content['image/png'] !== undefined,
    bodyText,
  }
}

function refusalsIn(responses: Record<string, Response>): ApiOperation['refusals'] {
  const all = Object.entries(responses).flatMap(([status, { content }]) =>
    Object.entries(content['application/json']?.examples ?? {}).map(([code, { description, value }]) => ({
      status: Number(status),
      code: Number(code),
      message: value.message,
      when: description,
    })),
  )
  return all.sort((a, b) => a.code - b.code || a.status - b.status)
}

/** A field of both the query and the body is sent only in the body. */
function fieldsOf(
  parameters: ApiParameter[],
  schema: ApiSchema | undefined,
  example: Record<string, unknown>,
): Field[] {
  const inBody = bodyFields(schema, example)
  const isSent = (name: string) => inBody.some((field) => field.name === name && field.value !== '')
  const inAddress = parameterFields(parameters).map((field) =>
    field.isRequired || !isSent(field.name) ? field : { ...field, value: '' },
  )
  return [...inAddress, ...inBody]
}

function parameterFields(parameters: ApiParameter[]): Field[] {
  return parameters.flatMap(({ name, in: place, schema, required: isRequired = false }): Field[] => {
    if (place === 'header') return []
    const example = String(schema.examples?.[0] ?? '')
    const shown = isRequired ? example || idLike(schema) : ''
    // A path leads to an existing record, so it has no example value; a sample shows a placeholder.
    const value = place === 'path' ? '' : example
    return [{ name, place, kind: kindOf(schema), value, shown, isRequired }]
  })
}

function bodyFields(schema: ApiSchema | undefined, example: Record<string, unknown>): Field[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const value = example[name]
    const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
    const isRequired = schema?.required?.includes(name) ?? false
    const shown = isRequired && text === '' ? idLike(field) : ''
    return { name, place: 'body', kind: kindOf(field), value: text, shown, isRequired }
  })
}

function idLike({ minimum }: ApiSchema): string {
  return minimum === undefined ? '' : String(minimum + 1)
}

function kindOf({ type, $ref }: ApiSchema): Field['kind'] {
  if ($ref !== undefined) return 'json'
  const types = [type ?? []].flat()
  if (types.includes('object') || types.includes('array')) return 'json'
  if (types.includes('boolean')) return 'flag'
  return types.includes('integer') || types.includes('number') ? 'number' : 'text'
}

/** Name of the referenced schema, if there is one. */
export function schemaNameOf({ $ref }: ApiSchema): string | undefined {
  return $ref?.split('/').at(-1)
}

/** The schema itself, with references resolved. */
export function resolveSchema(document: OpenApiDocument, schema: ApiSchema): ApiSchema {
  const name = schemaNameOf(schema)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}

/** A webhook message as the page shows it. */
export interface WebhookMessage {
  /** Event type: `payment.succeeded`. */
  name: string
  when: string
  headers: ApiParameter[]
  body: ApiSchema
  example: unknown
}

export function webhookMessagesOf(document: OpenApiDocument): WebhookMessage[] {
  return Object.entries(document.webhooks ?? {}).map(([name, { post }]) => {
    const { schema, example } = post.requestBody.content['application/json'] ?? { schema: {}, example: null }
    const body = resolveSchema(document, schema)
    return { name, when: post.summary, headers: post.parameters, body, example }
  })
}

/** The resource that an operation returns: bare, in its envelope, or as items of a list. */
export function resourceNameOf({ answer: { schema } }: ApiOperation): string | undefined {
  const { data } = schema.properties ?? {}
  return schemaNameOf(schema) ?? schemaNameOf(schema.items ?? {}) ?? schemaNameOf(data ?? {})
}
