import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { BuildOptions } from 'esbuild'
import type { FastifyInstance } from 'fastify'
import { noSuchRoute, Refused } from '../input/refusals.ts'
import { lazyPackage } from '../runtime/lazy.ts'
import type { ContentEncoding } from './content-encoding.ts'
import { negotiateEncoding } from './content-encoding.ts'

/** Puts programs for the browser together. */
export const loadEsbuild = lazyPackage<typeof import('esbuild')>('esbuild')

/** A file that browsers load. */
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

/** Everything that browsers load of one program of ours. */
export interface Bundle {
  all: readonly Asset[]
  byName: ReadonlyMap<string, Asset>
  /** The files that it is made of. */
  inputs: readonly string[]
}

/** What it is made of, by the names that pages give them. */
export interface BundleOptions {
  /** The folder that all paths count from. */
  folder: string
  /** Scripts and styles; what these import is in them. */
  sources: Readonly<Record<string, string>>
  /** Files that are served as they are. */
  files: Readonly<Record<string, string>>
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
}

/** How everything for browsers is put together. */
export const browserBuildOptions = {
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  charset: 'utf8',
  legalComments: 'none',
  target: ['es2022', 'chrome111', 'firefox115', 'safari16.4'],
  // Neither what stands in a folder above nor where the packages really lie may matter.
  tsconfigRaw: {},
  preserveSymlinks: true,
} as const satisfies BuildOptions

/** Guarantee: the same bytes and names from the same sources, in whichever folder, on whichever machine. */
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
    const extension = extname(source)
    const name = `${basename(source, extension)}-${hash('sha256', bytes, 'hex').slice(0, 8)}${extension}`
    return buildAsset(name, source, bytes)
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

/** What is in a folder of packages, by its name and version. */
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

/** Everything that one of them has beyond what all answers have, encoded so. */
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
 * Serves them under names that change with their contents, so that browsers keep them for good. They are put together when
 * one is first asked for.
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

/** The bytes of a file in an encoding. Compressed once, with the best quality, at the first request for it. */
export function encodeAsset(asset: { bytes: Buffer }, encoding: ContentEncoding): Promise<Buffer> {
  const made = compressed.get(asset) ?? new Map<ContentEncoding, Promise<Buffer>>()
  compressed.set(asset, made)
  const bytes = made.get(encoding) ?? compress(asset.bytes, encoding)
  made.set(encoding, bytes)
  return bytes
}

async function compress(bytes: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  // Brotli's own default is its best quality.
  if (encoding === 'br') return promisify(brotliCompress)(bytes)
  return encoding === 'gzip' ? promisify(gzip)(bytes, { level: 9 }) : bytes
}
