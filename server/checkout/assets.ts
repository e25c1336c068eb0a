import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

const root = join(import.meta.dirname, '..', '..')
const scripts = join(root, 'page')
const look = join(root, 'look')

/** What pages name; what these import comes with them. */
const named = {
  'tokens.css': look,
  'mark.svg': look,
  'page.css': scripts,
  'page.js': scripts,
  'bridge.js': scripts,
  'notice.js': scripts,
} as const

export type AssetName = keyof typeof named

interface Asset {
  /** With a hash of its contents, those of what it imports included. */
  name: string
  type: string
  text: string
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

const assets = new Map<string, Asset>()
for (const [name, folder] of Object.entries(named)) load(folder, name)

/** Where a browser finds it, also below a path of a proxy. */
export function assetAddress({ pageUrl }: Pick<Config, 'pageUrl'>, name: AssetName): string {
  return `${rootOf({ pageUrl })}/assets/${assets.get(name)?.name}`
}

/** What stands before every path of ours, as browsers see it. */
export function rootOf({ pageUrl }: Pick<Config, 'pageUrl'>): string {
  return new URL(pageUrl).pathname.replace(/\/+$/, '')
}

/** Serves them under names that change with their contents, so that browsers keep them for good. Answers the addresses. */
export function mountAssets(app: FastifyInstance): { method: 'GET'; url: string }[] {
  return [...assets.values()].map(({ name, type, text }) => {
    const url = `/assets/${name}`
    app.get(url, (request, reply) => {
      request.pattern = '/assets/:name'
      return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(text)
    })
    return { method: 'GET', url }
  })
}

/** A module names the others as files; in the browser they have the names that they are served by. */
function load(folder: string, file: string): Asset {
  const known = assets.get(file)
  if (known) return known
  const written = readFileSync(join(folder, file), 'utf8')
  const text = written.replaceAll(
    /(?<=^(?:import|export) [^'\n]*'\.\/)[^'\n]+(?=')|(?<=^\} from '\.\/)[^'\n]+(?=')/gm,
    (imported) => load(folder, imported).name,
  )
  const ending = extname(file)
  const name = `${file.slice(0, -ending.length)}-${hash('sha256', text, 'hex').slice(0, 16)}${ending}`
  const asset = { name, type: types[ending] ?? 'application/octet-stream', text }
  assets.set(file, asset)
  return asset
}
