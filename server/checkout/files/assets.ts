import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { buildSync } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { Encoding } from '../../kit/encoding.ts'
import { wantedEncoding } from '../../kit/encoding.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** What pages name; what these import is in them. */
const sources = {
  'page.js': 'page/page.ts',
  'bridge.js': 'page/bridge.ts',
  'notice.js': 'page/notice.ts',
  'page.css': 'page/page.css',
} as const

const mark = 'look/mark.svg'

export type AssetName = keyof typeof sources | 'mark.svg'

export interface Asset {
  /** With a hash of its contents. */
  name: string
  /** Where it comes from. */
  source: string
  /** The packages of others of which something is in it, with their versions. */
  packages: readonly string[]
  type: string
  bytes: Buffer
  /** The hash without which a browser does not run it, as the attribute `integrity` has it. */
  integrity: string
}

/** Everything that browsers load. */
export interface Assets {
  all: readonly Asset[]
  byName: ReadonlyMap<string, Asset>
  /** The files that it is made of. */
  inputs: readonly string[]
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

let built: Assets | undefined

/** Everything that browsers load, put together when it is first asked for. */
export function allAssets(): readonly Asset[] {
  built ??= buildAssets(root)
  return built.all
}

export function assetNamed(name: AssetName): Asset {
  built ??= buildAssets(root)
  const asset = built.byName.get(name)
  if (!asset) throw new Error(`there is no ${name} for the browser`)
  return asset
}

/** Where a browser finds it, also below a path of a proxy. */
export function assetAddress({ pageUrl }: Pick<Config, 'pageUrl'>, name: AssetName): string {
  return `${rootOf({ pageUrl })}/assets/${assetNamed(name).name}`
}

export function integrityOf(name: AssetName): string {
  return assetNamed(name).integrity
}

let known: { pageUrl: string; root: string } | undefined

/** What stands before every path of ours, as browsers see it. */
export function rootOf({ pageUrl }: Pick<Config, 'pageUrl'>): string {
  if (known?.pageUrl !== pageUrl) known = { pageUrl, root: new URL(pageUrl).pathname.replace(/\/+$/, '') }
  return known.root
}

/** Everything that one of them has beyond what all answers have, encoded so. */
export function assetHeaders({ type }: Asset, encoding: Encoding): Record<string, string> {
  return {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  }
}

/** Serves them under names that change with their contents, so that browsers keep them for good. Answers the addresses. */
export function mountAssets(app: FastifyInstance): { method: 'GET'; url: string }[] {
  return allAssets().map((asset) => {
    const url = `/assets/${asset.name}`
    app.get(url, async (request, reply) => {
      request.pattern = '/assets/:name'
      const { encoding } = wantedEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
      return reply.headers(assetHeaders(asset, encoding)).send(await encodedAsset(asset, encoding))
    })
    return { method: 'GET', url }
  })
}

const compressed = new WeakMap<Asset, Map<Encoding, Promise<Buffer>>>()

/** Compressed as well as can be, once, when somebody first takes it so. */
export function encodedAsset(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const made = compressed.get(asset) ?? new Map<Encoding, Promise<Buffer>>()
  compressed.set(asset, made)
  const bytes = made.get(encoding) ?? compress(asset.bytes, encoding)
  made.set(encoding, bytes)
  return bytes
}

async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  // Brotli's own default is its best quality.
  if (encoding === 'br') return promisify(brotliCompress)(bytes)
  return encoding === 'gzip' ? promisify(gzip)(bytes, { level: 9 }) : bytes
}

/** Guarantee: the same bytes and names from the same sources, in whichever folder, on whichever machine. */
export function buildAssets(folder: string): Assets {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: folder,
    entryPoints: Object.values(sources),
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    charset: 'utf8',
    legalComments: 'none',
    target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
    // Neither what stands in a folder above nor where the packages really lie may matter.
    tsconfigRaw: {},
    preserveSymlinks: true,
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
  })
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]))
  const made = outputFiles.map(({ path, contents }) => {
    const name = basename(path)
    const { entryPoint, inputs = {} } = outputs.get(name) ?? {}
    const source = entryPoint ?? Object.keys(inputs)[0] ?? ''
    return assetOf(name, source, Buffer.from(contents), packagesIn(folder, Object.keys(inputs)))
  })
  const bytes = readFileSync(join(folder, mark))
  const all = [...made, assetOf(`mark-${hash('sha256', bytes, 'hex').slice(0, 8)}.svg`, mark, bytes)]
  const named = Object.entries({ ...sources, 'mark.svg': mark })
  const byName = new Map(
    named.flatMap(([name, source]) => {
      const asset = all.find((each) => each.source === source)
      return asset ? [[name, asset] as const] : []
    }),
  )
  return { byName, all, inputs: [...Object.keys(metafile.inputs), mark] }
}

/** What is in a folder of packages, by its name and version. */
function packagesIn(folder: string, inputs: readonly string[]): string[] {
  const names = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
  return [...new Set(names)].map((name) => {
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
    return `${name} ${version}`
  })
}

function assetOf(name: string, source: string, bytes: Buffer, packages: readonly string[] = []): Asset {
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { name, source, packages, bytes, type, integrity: `sha384-${hash('sha384', bytes, 'base64')}` }
}
