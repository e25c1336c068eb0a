import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuildOptions } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import { noSuchRoute, Refused } from '../input/refusals.ts'
import { lazyPackage } from '../runtime/lazy.ts'
import type { ContentEncoding } from './content-encoding.ts'
import { negotiateEncoding } from './content-encoding.ts'

export const loadEsbuild = lazyPackage<typeof import('esbuild')>('esbuild')

export interface Asset {
  /** File name with a hash of the contents. */
  name: string
  source: string
  /** Third-party packages with code in this file, with their versions. */
  packages: readonly string[]
  type: string
  bytes: Buffer
  /** Hash for the attribute `integrity`; the browser runs the file only if it matches. */
  integrity: string
}

/** All files that browsers load for one program. */
export interface Bundle {
  all: readonly Asset[]
  byName: ReadonlyMap<string, Asset>
  /** Source files it was built from. */
  inputs: readonly string[]
}

/** Sources of a bundle, by the names that pages use. */
export interface BundleOptions {
  /** Folder that all paths are relative to. */
  folder: string
  /** Scripts and styles. Their imports are bundled into them. */
  sources: Readonly<Record<string, string>>
  /** Files that are served unchanged. */
  files: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** Build options for everything that browsers load. */
export const browserBuildOptions = {
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  charset: 'utf8',
  legalComments: 'none',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  // A parent folder's configuration and the packages' real location must not affect the result.
  tsconfigRaw: {},
  preserveSymlinks: true,
} as const satisfies BuildOptions

/** Guarantee: the same sources give the same bytes and names, in any folder and on any machine. */
export function bundle({ folder, sources, files }: BundleOptions): Bundle {
  const { outputFiles, metafile } = loadEsbuild().buildSync({
    ...browserBuildOptions,
    absWorkingDir: folder,
    entryPoints: Object.values(sources),
    format: 'esm',
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
    return buildAsset(name, source, Buffer.from(contents), packagesIn(folder, Object.keys(inputs)))
  })
  const plain = Object.values(files).map((source) => {
    const bytes = readFileSync(join(folder, source))
    return buildAsset(nameWithHash(basename(source), bytes), source, bytes)
  })
  const all = [...made, ...plain]
  const named = Object.entries({ ...sources, ...files })
  const byName = new Map(
    named.flatMap(([name, source]) => {
      const asset = all.find((each) => each.source === source)
      return asset ? [[name, asset] as const] : []
    }),
  )
  return { byName, all, inputs: [...Object.keys(metafile.inputs), ...Object.values(files)] }
}

/** File name that changes with the contents. */
export function nameWithHash(name: string, bytes: Buffer): string {
  const extension = extname(name)
  return `${basename(name, extension)}-${hash('sha256', bytes, 'hex').slice(0, 8)}${extension}`
}

/** Packages with code in the bundle, as name and version. */
function packagesIn(folder: string, inputs: readonly string[]): string[] {
  const names = inputs.flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [])
  return [...new Set(names)].map((name) => {
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'))
    return `${name} ${version}`
  })
}

export function buildAsset(
  name: string,
  source: string,
  bytes: Buffer,
  packages: readonly string[] = [],
): Asset {
  const type = types[extname(name)] ?? 'application/octet-stream'
  return { name, source, packages, bytes, type, integrity: `sha384-${hash('sha384', bytes, 'base64')}` }
}

/** Headers of an asset in this encoding, besides those that every response has. */
export function assetHeaders({ type }: Asset, encoding: ContentEncoding): Record<string, string> {
  return {
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': type,
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  }
}

const url = '/assets/:name'

/**
 * Serves the assets under names that change with their contents, so browsers may cache them for ever. The
 * bundle is built at the first request.
 */
export function mountBundle(app: FastifyInstance, bundled: () => Bundle): void {
  app.get<{ Params: { name: string } }>(url, async (request, reply) => {
    request.pattern = url
    const asset = bundled().all.find(({ name }) => name === request.params.name)
    if (!asset) throw new Refused(noSuchRoute)
    const { encoding } = negotiateEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    return reply.headers(assetHeaders(asset, encoding)).send(await encodeAsset(asset, encoding))
  })
}

const compressed = new WeakMap<object, Map<ContentEncoding, Promise<Buffer>>>()

/** Compresses an asset once, at the first request for this encoding. */
export function encodeAsset(asset: { bytes: Buffer }, encoding: ContentEncoding): Promise<Buffer> {
  const made = compressed.getOrInsertComputed(asset, () => new Map())
  return made.getOrInsertComputed(encoding, () => compress(asset.bytes, encoding))
}

/** Above this size the best quality of Brotli takes half a second, for a tenth less. */
const bestQualityUpTo = 200_000

async function compress(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  const quality = bytes.length > bestQualityUpTo ? 9 : constants.BROTLI_MAX_QUALITY
  if (encoding === 'br')
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
  return encoding === 'gzip' ? promisify(gzip)(bytes, { level: 9 }) : bytes
}
