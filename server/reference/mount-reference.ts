import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { DocumentedRoute, OpenApiDocumentOptions } from '../../kit/api/openapi.ts'
import { openApiDocument } from '../../kit/api/openapi.ts'
import { encodeAsset } from '../../kit/http/bundle.ts'
import { negotiateEncoding } from '../../kit/http/content-encoding.ts'
import type { Language } from '../../kit/text/locale.ts'
import { defaultLanguage, languages, preferredLanguage } from '../../kit/text/locale.ts'
import type { OpenApiDocument } from './document.ts'
import { referencePage } from './reference-page.ts'

export interface ReferenceOptions extends Omit<OpenApiDocumentOptions, 'language'> {
  routes: readonly DocumentedRoute[]
}

interface Served {
  bytes: Buffer
  type: string
  /** Changes with the bytes. */
  tag: string
}

/** Headers that allow only our own files and no inline scripts or styles. */
const pageHeaders = {
  'cache-control': 'no-cache',
  vary: 'accept-encoding',
  // A page of another origin that opened this one gets no access to it.
  'cross-origin-opener-policy': 'same-origin',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

const assets = join(import.meta.dirname, 'assets')
const look = join(import.meta.dirname, '..', '..', 'look')

const scripts = ['script', 'announce', 'answer', 'key', 'run', 'search', 'find', 'request', 'samples']

/** Files for the browser: each address with the source files served there, concatenated. */
const files: { url: string; type: string; paths: string[] }[] = [
  { url: '/docs/tokens.css', type: 'text/css', paths: [join(look, 'tokens.css')] },
  {
    url: '/docs/style.css',
    type: 'text/css',
    paths: ['frame.css', 'contents.css', 'entry.css', 'fields.css', 'card.css', 'narrow.css'].map((name) =>
      join(assets, name),
    ),
  },
  { url: '/docs/mark.svg', type: 'image/svg+xml', paths: [join(look, 'mark.svg')] },
  ...scripts.map((name) => ({
    url: `/docs/${name}.js`,
    type: 'text/javascript',
    paths: [join(assets, `${name}.js`)],
  })),
]

/**
 * Serves the API reference at `/docs` and its document at `/openapi.json`. Each text is built at its first
 * request and kept: it changes only with the program.
 */
export function mountReference(app: FastifyInstance, options: ReferenceOptions): void {
  const documentIn = remembered((language: Language) =>
    openApiDocument(options.routes, { ...options, language }),
  )
  const page = remembered((language: Language) =>
    served(referencePage(documentIn(language) as OpenApiDocument, language), 'text/html'),
  )
  const document = remembered((language: Language) =>
    served(`${JSON.stringify(documentIn(language), null, 2)}\n`, 'application/json'),
  )
  const get = (
    url: string,
    make: (request: FastifyRequest) => Served,
    headers: Record<string, string> = {},
  ) => {
    app.get(url, (request, reply) => {
      request.pattern = url
      return answer(make(request), request, reply.headers({ ...pageHeaders, ...headers }))
    })
  }
  app.get('/docs/', (request, reply) => {
    request.pattern = '/docs/'
    const query = (request.query as string | null) ?? ''
    // Relative, like all addresses on the page: the service may be below a path of a proxy.
    const location = query === '' ? '../docs' : `../docs?${query}`
    return reply
      .headers({ ...pageHeaders, location })
      .code(308)
      .send()
  })
  const byLanguage = { vary: 'accept-language, accept-encoding' }
  get('/docs', (request) => page(languageFor(request, defaultLanguage)), byLanguage)
  get('/openapi.json', (request) => document(languageFor(request, 'en')), byLanguage)
  for (const { url, type, paths } of files) {
    const file = remembered(() => served(paths.map((path) => readFileSync(path, 'utf8')).join('\n'), type))
    get(url, () => file('same'))
  }
}

/** The language in the address, otherwise the browser's preference. */
function languageFor(request: FastifyRequest, otherwise: Language): Language {
  const named = new URLSearchParams(request.query as string).get('lang')
  const requested = languages.find((language) => language === named)
  return requested ?? preferredLanguage(request.headers['accept-language']) ?? otherwise
}

function served(text: string, type: string): Served {
  return { bytes: Buffer.from(text), type, tag: hash('sha256', text, 'base64url').slice(0, 22) }
}

/** Each encoding has an ETag of its own, as RFC 9110 wants it, and only the chosen one is compared. */
async function answer(file: Served, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { encoding } = negotiateEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
  const etag = `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`
  reply.header('etag', etag)
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(etag) || known?.includes('*')) return reply.code(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(`${file.type}; charset=utf-8`).send(await encodeAsset(file, encoding))
}

function remembered<Name extends string, Value>(make: (name: Name) => Value): (name: Name) => Value {
  const made = new Map<Name, Value>()
  return (name) => {
    const value = made.get(name) ?? make(name)
    made.set(name, value)
    return value
  }
}
