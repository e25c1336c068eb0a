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

/** What the document says besides the routes. */
export interface OpenApiDocumentOptions {
  version: string
  url: string
  language: Language
  /** What a route may be refused with besides the refusals that it names itself. */
  refusalsOf(route: DocumentedRoute): readonly Refusal[]
  /** What is sent to others by itself. */
  messages?: readonly DocumentedWebhook[]
}

/** Something that is posted to an address that a caller gave. */
export interface DocumentedWebhook {
  name: string
  summary: Description
  description: Description
  headers: TObject
  body: TSchema
  /** A body as it is sent. */
  example: unknown
}

export type DocumentedRoute = Route<never, never>

/** The OpenAPI 3.1 document of the routes. Written from them alone, so it cannot say anything else than they do. */
export function openApiDocument(routes: readonly DocumentedRoute[], info: OpenApiDocumentOptions): object {
  return atAddress(info.url, new Writer(info).document(routes)) as object
}

/** Examples are written with the address of a service as it starts by default. */
const addressOfExamples = 'http://localhost:4242/'

/** The same with the service's own address in its examples. */
function atAddress(url: string, part: unknown): unknown {
  if (typeof part === 'string' && part.startsWith(addressOfExamples)) {
    return `${url}/${part.slice(addressOfExamples.length)}`
  }
  if (Array.isArray(part)) return part.map((each) => atAddress(url, each))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, child]) => [name, atAddress(url, child)]))
}

/** The sentence in that language; what is said in English alone is said in English. */
export function descriptionInLanguage(about: Description, language: Language): string {
  return typeof about === 'string' ? about : about[language]
}

/** What a schema says of itself beside JSON Schema. */
interface Marked {
  [localizedDescriptionKey]?: LocalizedText
  [localizedExampleKey]?: Localized<unknown>
  [schemaNameKey]?: string
  [referencedSchemaNameKey]?: string
}

/** Writes one document, and gathers the schemas that have a name on the way. */
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
          tr: 'Ortak ödeme sayfasında 3-D Secure ile kartlı ödeme.',
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

  /** Whoever receives it answers; what is said here of answers is what follows from them. */
  #message({ name, summary, description, headers, body, example }: DocumentedWebhook): object {
    const taken = { tr: 'Alındı; yeniden gönderilmez.', en: 'It was taken, and is not sent again.' }
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
        tr: '`tr` veya `en`; öncelik (`q`) değerleri verilebilir. Başka bir değerde üye iş yerinin dili kullanılır.',
        en: '`tr` or `en`, with quality values. Anything else gets the merchant’s language.',
      }),
      schema: { type: 'string', examples: ['tr'] },
    }
    const key = {
      name: 'Idempotency-Key',
      in: 'header',
      description: this.#text({
        tr: 'Aynı istek 24 saat içinde aynı anahtarla yeniden gönderilirse işlem tekrarlanmaz, ilk yanıt verilir.',
        en: 'Sent again within 24 hours, the same request has no second effect and gets the first answer.',
      }),
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }
    return idempotent ? [language, key] : [language]
  }

  #pageHeaders(): object {
    return {
      'X-Total-Count': {
        description: this.#text({
          tr: 'Bulunan kayıt sayısı: 1000’e kadar kesin sayı, üzerinde `1000+`.',
          en: 'How many there are: exact up to 1000, `1000+` above.',
        }),
        schema: { type: 'string', examples: ['3'] },
      },
      Link: {
        description: this.#text({
          tr: 'Sonraki sayfanın adresi (`rel="next"`). Son sayfada bulunmaz.',
          en: 'The address of the next page, with `rel="next"`. Absent on the last one.',
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

  /** One response per status; the codes that it can carry are in its text and in its schema. */
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

  /** A copy in the language of the document; what has a name is written once and pointed at. */
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
          en: 'A secret or public key of the merchant.',
        }),
      },
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: this.#text({ tr: 'On dakika geçerli erişim belirteci.', en: 'A token of ten minutes.' }),
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

/** What the failures that name parameters look like: with one that the operation has, a required one if there is. */
function exampleErrors({ code }: Refusal, { body, query }: DocumentedRoute): object {
  if (code === 902) return { amount: ['…'] }
  if (code !== 901) return []
  const [required] = [body, query].flatMap((place) => place?.required ?? [])
  const [any = 'name'] = [body, query].flatMap((place) => Object.keys(place?.properties ?? {}))
  return { [required ?? any]: ['…'] }
}

function pointer(name: string): object {
  return { $ref: `#/components/schemas/${name}` }
}

/** The same in every language, so that clients made from any of the documents have the same names. */
function operationId({ summary }: DocumentedRoute): string {
  const [first = '', ...others] = descriptionInLanguage(summary, 'en')
    .replaceAll(/[^\w ]/g, '')
    .split(' ')
  return first.toLowerCase() + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** A token of a secret key is told apart as a role, which OpenAPI 3.1 allows for bearer tokens. */
function securityOf({ credential }: DocumentedRoute): object {
  return credential === 'key' ? { key: [] } : { accessToken: credential === 'secret' ? ['secret'] : [] }
}

/** A body of the fields that have an example. */
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
        en: 'What went wrong, in the language asked for.',
      },
    },
    errors: {
      [localizedDescriptionKey]: {
        tr: 'Hatalı parametre varsa, her birinin adını iletileriyle eşleştiren bir nesne; diğer durumlarda boş liste.',
        en: 'For wrong parameters an object from their names to messages; otherwise an empty list.',
      },
      anyOf: [
        { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
        { type: 'array', maxItems: 0 },
      ],
    },
    error_code: {
      type: 'integer',
      [localizedDescriptionKey]: {
        tr: 'Hata kodu; anlamı hiç değişmeyen bir sayı.',
        en: 'What went wrong, as a number that never changes its meaning.',
      },
    },
    data: {
      type: 'null',
      [localizedDescriptionKey]: { tr: 'Hata durumunda her zaman null.', en: 'Always null on failure.' },
    },
  },
}
