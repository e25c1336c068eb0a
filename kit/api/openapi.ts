import type { TObject, TSchema } from 'typebox'
import type { Description } from '../input/fields.ts'
import {
  localizedDescriptionKey,
  localizedExampleKey,
  referencedSchemaNameKey,
  schemaNameKey,
} from '../input/fields.ts'
import type { Refusal } from '../input/refusals.ts'
import type { Language, Localized, LocalizedText } from '../text/locale.ts'
import type { Route } from './route.ts'
import { schemaExample } from './schema-example.ts'

export interface OpenApiDocumentOptions {
  version: string
  url: string
  language: Language
  /** Refusals a route may answer with, besides those it declares itself. */
  refusalsOf(route: DocumentedRoute): readonly Refusal[]
  messages?: readonly DocumentedWebhook[]
}

/** A message that the service posts to an address a caller gave. */
export interface DocumentedWebhook {
  name: string
  summary: Description
  description: Description
  headers: TObject
  body: TSchema
  /** A complete body as the service sends it. */
  example: unknown
}

export type DocumentedRoute = Route<never, never>

/**
 * The OpenAPI 3.1 document of the routes. It is generated from the routes alone, so the two cannot disagree.
 */
export function openApiDocument(routes: readonly DocumentedRoute[], info: OpenApiDocumentOptions): object {
  return atAddress(info.url, new Writer(info).document(routes)) as object
}

/** Examples in the schemas use the default address of the service. */
const addressOfExamples = 'http://localhost:4242/'

/** A copy of the document with the service's own address in its examples. */
function atAddress(url: string, part: unknown): unknown {
  if (typeof part === 'string' && part.startsWith(addressOfExamples)) {
    return `${url}/${part.slice(addressOfExamples.length)}`
  }
  if (Array.isArray(part)) return part.map((each) => atAddress(url, each))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, child]) => [name, atAddress(url, child)]))
}

/** The sentence in this language. A description in English alone is returned in English. */
export function descriptionInLanguage(about: Description, language: Language): string {
  return typeof about === 'string' ? about : about[language]
}

/** Marks on a schema that are not part of JSON Schema. */
interface Marked {
  [localizedDescriptionKey]?: LocalizedText
  [localizedExampleKey]?: Localized<unknown>
  [schemaNameKey]?: string
  [referencedSchemaNameKey]?: string
}

/** Writes one document and collects the named schemas while it does so. */
class Writer {
  readonly #info: OpenApiDocumentOptions
  readonly #schemas: Record<string, unknown> = {}
  readonly #schemasByName = new Map<string, object>()

  constructor(info: OpenApiDocumentOptions) {
    this.#info = info
  }

  document(routes: readonly DocumentedRoute[]): object {
    const { version, url, messages = [] } = this.#info
    const paths: Record<string, Record<string, object>> = {}
    for (const route of routes) {
      const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: this.#operation(route) }
    }
    const webhooks = Object.fromEntries(messages.map((message) => [message.name, this.#message(message)]))
    return {
      openapi: '3.1.0',
      info: {
        title: 'Vezne',
        version,
        description: this.#text({
          tr: 'Ortak ödeme sayfasında 3D Secure ile kartlı ödeme.',
          en: 'Card payments with 3-D Secure on a hosted payment page.',
        }),
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url }],
      paths,
      ...(messages.length > 0 ? { webhooks } : {}),
      components: {
        securitySchemes: this.#securitySchemes(),
        schemas: { Failure: this.#schema(failure), ...this.#schemas },
      },
    }
  }

  #operation(route: DocumentedRoute): object {
    return {
      operationId: operationId(route),
      tags: [route.url.split('/')[2]],
      summary: this.#text(route.summary),
      description: this.#text(route.description),
      security: [securityOf(route)],
      parameters: [
        ...this.#parameters('path', route.params),
        ...this.#parameters('query', route.query),
        ...this.#headers(route),
      ],
      ...(route.body ? { requestBody: this.#requestBody(route.body) } : {}),
      ...(route.rawBody ? { requestBody: this.#rawBody(route.rawBody) } : {}),
      responses: {
        200: {
          description: this.#text({ tr: 'Başarılı.', en: 'Success.' }),
          ...(route.answer.isPage ? { headers: this.#pageHeaders() } : {}),
          content: {
            'application/json': {
              schema: this.#schema(route.answer.schema),
              example: this.#exampleAnswer(route),
            },
          },
        },
        ...this.#refusals(route),
      },
    }
  }

  /**
   * The webhook's receiver sends the response, so the responses listed here are those the service expects.
   */
  #message({ name, summary, description, headers, body, example }: DocumentedWebhook): object {
    const taken = {
      tr: 'Gönderim alındı; olay bu webhook’a yeniden gönderilmez.',
      en: 'The delivery was received. The event is not sent to this webhook again.',
    }
    return {
      post: {
        operationId: `receive ${name}`.replaceAll(/[ ._](\w)/g, (_whole, letter: string) =>
          letter.toUpperCase(),
        ),
        summary: this.#text(summary),
        description: this.#text(description),
        parameters: this.#parameters('header', headers),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: this.#schema(body), example } },
        },
        responses: { '2XX': { description: this.#text(taken) } },
      },
    }
  }

  #parameters(place: 'path' | 'query' | 'header', schema: DocumentedRoute['params']): object[] {
    const required: string[] = schema?.required ?? []
    return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
      const { description, ...rest } = this.#schema(field) as { description?: string }
      return { name, in: place, required: required.includes(name), description, schema: rest }
    })
  }

  #headers({ idempotent }: DocumentedRoute): object[] {
    const language = {
      name: 'Accept-Language',
      in: 'header',
      description: this.#text({
        tr: 'Yanıtın dili: `tr` veya `en`; öncelik (`q`) değerleri verilebilir. Başka bir değer verilirse üye iş yerinin dili kullanılır.',
        en: 'Language of the response: `tr` or `en`, with optional quality values (`q`). For any other value, the merchant’s language is used.',
      }),
      schema: { type: 'string', examples: ['tr'] },
    }
    const key = {
      name: 'Idempotency-Key',
      in: 'header',
      description: this.#text({
        tr: 'Güvenle yeniden deneme anahtarı. Aynı istek 24 saat içinde aynı anahtarla yeniden gönderilirse işlem tekrarlanmaz, ilk yanıt döner.',
        en: 'Key for safe retries. If the same request is sent again with the same key within 24 hours, it has no second effect and returns the first response.',
      }),
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }
    return idempotent ? [language, key] : [language]
  }

  #pageHeaders(): object {
    return {
      'X-Total-Count': {
        description: this.#text({
          tr: 'Bulunan kayıt sayısı: 1000’e kadar kesin sayı, 1000’in üzerinde `1000+`.',
          en: 'Number of records found: exact up to 1000, `1000+` above.',
        }),
        schema: { type: 'string', examples: ['3'] },
      },
      Link: {
        description: this.#text({
          tr: 'Sonraki sayfanın adresi (`rel="next"`). Son sayfada bulunmaz.',
          en: 'Address of the next page (`rel="next"`). Absent on the last page.',
        }),
        schema: { type: 'string' },
      },
    }
  }

  #requestBody(body: NonNullable<DocumentedRoute['body']>): object {
    const content = { schema: this.#schema(body), example: exampleRequestBody(body) }
    return {
      required: (body.required ?? []).length > 0,
      content: { 'application/x-www-form-urlencoded': content, 'application/json': content },
    }
  }

  #rawBody({ about, types, maxBytes }: NonNullable<DocumentedRoute['rawBody']>): object {
    const content = { schema: { type: 'string', format: 'binary', maxLength: maxBytes } }
    const bodies = Object.fromEntries(types.map((type) => [type, content]))
    return { description: this.#text(about), required: true, content: bodies }
  }

  /** One response per status. Its text and its schema list the error codes of that status. */
  #refusals(route: DocumentedRoute): Record<string, object> {
    const byStatus = Map.groupBy([...new Set(this.#info.refusalsOf(route))], ({ status }) => status)
    const sorted = [...byStatus].sort(([a], [b]) => a - b)
    return Object.fromEntries(
      sorted.map(([status, group]) => {
        const codes = [...new Set(group.map(({ code }) => code))]
        const schema = {
          allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { error_code: { enum: codes } } }],
        }
        const examples = Object.fromEntries(
          group.map((refusal) => [refusal.code, this.#example(refusal, route)]),
        )
        const description = group.map(({ code, when }) => `\`${code}\` ${this.#text(when)}`).join('\n\n')
        return [status, { description, content: { 'application/json': { schema, examples } } }]
      }),
    )
  }

  #example(refusal: Refusal, route: DocumentedRoute): object {
    const errors = exampleErrors(refusal, route)
    const message = refusal[this.#info.language]
    return {
      description: this.#text(refusal.when),
      value: { status: false, message, errors, error_code: refusal.code, data: null },
    }
  }

  #exampleAnswer({ answer: { schema, message, otherwise } }: DocumentedRoute): unknown {
    const made = schemaExample(schema, this.#info.language, this.#schemasByName)
    const example = Array.isArray(made)
      ? made.map((item) => changed(item, otherwise))
      : changed(made, otherwise)
    if (!message) return example
    const { data } = example as { data: unknown }
    return { status: true, message: this.#text(message), errors: [], error_code: null, data }
  }

  /** A copy in the document's language. A named schema is written once and referenced from then on. */
  #schema(schema: TSchema | object): unknown {
    if (Array.isArray(schema)) return schema.map((part) => this.#schema(part))
    if (typeof schema !== 'object' || schema === null) return schema
    const {
      [localizedDescriptionKey]: about,
      [localizedExampleKey]: example,
      [schemaNameKey]: name,
      [referencedSchemaNameKey]: other,
    } = schema as Marked
    if (other !== undefined && !this.#schemasByName.has(other))
      throw new Error(`no schema so far is called ${other}`)
    if (other !== undefined) return { ...pointer(other), ...(about && { description: this.#text(about) }) }
    if (name !== undefined) {
      const known = this.#schemasByName.get(name)
      if (known !== undefined && known !== schema) throw new Error(`two schemas are called ${name}`)
      if (known !== undefined) return pointer(name)
      this.#schemasByName.set(name, schema)
    }
    const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.#schema(value)]))
    if (about) copy['description'] = this.#text(about)
    if (example) copy['examples'] = [example[this.#info.language]]
    if (name === undefined) return copy
    this.#schemas[name] = copy
    return pointer(name)
  }

  #securitySchemes(): object {
    return {
      key: {
        type: 'http',
        scheme: 'bearer',
        description: this.#text({
          tr: 'Üye iş yerinin gizli veya açık anahtarı.',
          en: 'Secret or public key of the merchant.',
        }),
      },
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: this.#text({
          tr: 'On dakika geçerli erişim belirteci.',
          en: 'Access token, valid for ten minutes.',
        }),
      },
    }
  }

  #text(about: Description): string {
    return descriptionInLanguage(about, this.#info.language)
  }
}

function changed(example: unknown, otherwise: object | undefined): unknown {
  return otherwise ? { ...(example as object), ...otherwise } : example
}

/**
 * Example of `errors` in a validation failure. It names a parameter of the operation, a required one if there
 * is one.
 */
function exampleErrors({ code }: Refusal, { body, rawBody, query }: DocumentedRoute): object {
  if (code === 902) return { amount: ['…'] }
  if (code !== 901) return []
  if (rawBody) return { image: ['…'] }
  const [required] = [body, query].flatMap((place) => place?.required ?? [])
  const [any = 'name'] = [body, query].flatMap((place) => Object.keys(place?.properties ?? {}))
  return { [required ?? any]: ['…'] }
}

function pointer(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * Operation id. It is made from the English summary in every language, so all generated clients have the same
 * names.
 */
function operationId({ summary }: DocumentedRoute): string {
  const [first = '', ...others] = descriptionInLanguage(summary, 'en')
    .replaceAll(/[^\w ]/g, '')
    .split(' ')
  return first.toLowerCase() + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** OpenAPI 3.1 allows roles for bearer tokens; the role `secret` marks tokens made from a secret key. */
function securityOf({ credential }: DocumentedRoute): object {
  return credential === 'key' ? { key: [] } : { accessToken: credential === 'secret' ? ['secret'] : [] }
}

/** A body with every field that has an example. */
export function exampleRequestBody(body: NonNullable<DocumentedRoute['body']>): Record<string, unknown> {
  const fields = Object.entries(body.properties) as [string, { examples?: unknown[] }][]
  return Object.fromEntries(fields.flatMap(([name, { examples }]) => (examples ? [[name, examples[0]]] : [])))
}

const failure = {
  type: 'object',
  required: ['status', 'message', 'errors', 'error_code', 'data'],
  properties: {
    status: {
      type: 'boolean',
      const: false,
      [localizedDescriptionKey]: { tr: 'Hata durumunda false.', en: 'False on failure.' },
    },
    message: {
      type: 'string',
      [localizedDescriptionKey]: {
        tr: 'Hatanın istenen dildeki açıklaması.',
        en: 'Description of the error, in the requested language.',
      },
    },
    errors: {
      [localizedDescriptionKey]: {
        tr: 'Parametreler hatalıysa her hatalı parametrenin adını mesajlarıyla eşleştiren bir nesne; diğer hatalarda boş liste.',
        en: 'If parameters are invalid, an object that maps each parameter name to its messages; otherwise an empty list.',
      },
      anyOf: [
        { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        { type: 'array', maxItems: 0 },
      ],
    },
    error_code: {
      type: 'integer',
      [localizedDescriptionKey]: {
        tr: 'Hata kodu. Bir kodun anlamı hiç değişmez.',
        en: 'Error code. The meaning of a code never changes.',
      },
    },
    data: {
      type: 'null',
      [localizedDescriptionKey]: { tr: 'Hata durumunda her zaman null.', en: 'Always null on failure.' },
    },
  },
}
