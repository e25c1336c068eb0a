import type { Language } from './locale.ts'
import type { Refusal } from './refusals.ts'
import type { Route } from './route.ts'

/** What the document says besides the routes. */
export interface DocumentInfo {
  version: string
  url: string
  language: Language
  /** What a route may be refused with besides the refusals that it names itself. */
  refusalsOf(route: DocumentedRoute): readonly Refusal[]
}

export type DocumentedRoute = Route<never, never>

/** The OpenAPI 3.1 document of the routes. Written from them alone, so it cannot say anything else than they do. */
export function openApiDocument(routes: readonly DocumentedRoute[], info: DocumentInfo): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, info) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vezne',
      version: info.version,
      description: 'Card payments with 3-D Secure on a hosted payment page.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: info.url }],
    paths,
    components: { securitySchemes, schemas: { Failure: failure } },
  }
}

function operation(route: DocumentedRoute, info: DocumentInfo): object {
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: route.description,
    security: [{ [route.credential === 'key' ? 'key' : 'accessToken']: [] }],
    parameters: [...parameters('path', route.params), ...parameters('query', route.query), ...headers(route)],
    ...(route.body ? { requestBody: requestBody(route.body) } : {}),
    responses: {
      200: { description: 'Success.', content: { 'application/json': { schema: route.answer.schema } } },
      ...refusals(info.refusalsOf(route), info.language),
    },
  }
}

function operationId({ summary }: DocumentedRoute): string {
  const [first = '', ...others] = summary.replaceAll(/[^\w ]/g, '').split(' ')
  return first.toLowerCase() + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function parameters(place: 'path' | 'query', schema: DocumentedRoute['params']): object[] {
  const required: string[] = schema?.required ?? []
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = field as { description?: string }
    return { name, in: place, required: required.includes(name), description, schema: rest }
  })
}

function headers({ idempotent }: DocumentedRoute): object[] {
  const language = {
    name: 'Accept-Language',
    in: 'header',
    description: '`tr` or `en`, with quality values. Anything else gets the merchant’s language.',
    schema: { type: 'string', examples: ['tr'] },
  }
  const key = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Sent again within 24 hours, the same request has no second effect and gets the first answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  return idempotent ? [language, key] : [language]
}

function requestBody(schema: NonNullable<DocumentedRoute['body']>): object {
  const content = { schema }
  return {
    required: (schema.required ?? []).length > 0,
    content: { 'application/x-www-form-urlencoded': content, 'application/json': content },
  }
}

/** One response per status; the codes that it can carry are in its text and in its schema. */
function refusals(all: readonly Refusal[], language: Language): Record<string, object> {
  const byStatus = Map.groupBy([...new Set(all)], ({ status }) => status)
  const sorted = [...byStatus].sort(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, group]) => {
      const codes = [...new Set(group.map(({ code }) => code))]
      return [
        status,
        {
          description: group.map(({ code, when }) => `\`${code}\` ${when}`).join('\n\n'),
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Failure' },
                  { properties: { error_code: { enum: codes } } },
                ],
              },
              examples: Object.fromEntries(
                group.map((refusal) => [refusal.code, example(refusal, language)]),
              ),
            },
          },
        },
      ]
    }),
  )
}

function example(refusal: Refusal, language: Language): object {
  const errors = refusal.status === 422 && refusal.code === 901 ? { name: ['…'] } : []
  return {
    value: { status: false, message: refusal[language], errors, error_code: refusal.code, data: null },
  }
}

const securitySchemes = {
  key: { type: 'http', scheme: 'bearer', description: 'A secret or public key of the merchant.' },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'A token of ten minutes.',
  },
}

const failure = {
  type: 'object',
  required: ['status', 'message', 'errors', 'error_code', 'data'],
  properties: {
    status: { type: 'boolean', const: false, description: 'False on failure.' },
    message: { type: 'string', description: 'What went wrong, in the language asked for.' },
    errors: {
      description: 'For wrong parameters an object from their names to messages; otherwise an empty list.',
      anyOf: [
        { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        { type: 'array', maxItems: 0 },
      ],
    },
    error_code: {
      type: 'integer',
      description: 'What went wrong, as a number that never changes its meaning.',
    },
    data: { type: 'null', description: 'Always null on failure.' },
  },
}
