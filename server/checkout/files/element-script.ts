import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../../../kit/http/bundle.ts'
import { browserBuildOptions, buildAsset, encodeAsset, loadEsbuild } from '../../../kit/http/bundle.ts'
import type { ContentEncoding } from '../../../kit/http/content-encoding.ts'
import { negotiateEncoding } from '../../../kit/http/content-encoding.ts'
import { lazily } from '../../../kit/runtime/lazy.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const source = 'element/script.ts'

/** Where merchants' pages load it from. The address stays for good, so that what is mended reaches them. */
export const elementScriptUrl = '/element.js'

/** The payment element as a script, put together once. */
export const elementScriptAsset = lazily(() => buildElementScript(root).asset)

/** Guarantee: the same bytes from the same sources, in whichever folder, on whichever machine. */
export function buildElementScript(folder: string): { asset: Asset; inputs: readonly string[] } {
  const { outputFiles, metafile } = loadEsbuild().buildSync({
    ...browserBuildOptions,
    absWorkingDir: folder,
    entryPoints: [source],
    format: 'iife',
    outfile: elementScriptUrl.slice(1),
  })
  const asset = buildAsset(elementScriptUrl.slice(1), source, Buffer.from(outputFiles[0]?.contents ?? []))
  return { asset, inputs: Object.keys(metafile.inputs) }
}

/** Everything that it has beyond what all answers have: any page may load it, and looks for a newer one after five minutes. */
export function elementScriptHeaders(asset: Asset, encoding: ContentEncoding): Record<string, string> {
  return {
    'cache-control': 'public, max-age=300',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'content-type': asset.type,
    etag: tagOf(asset),
    vary: 'accept-encoding',
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  }
}

/** A weak one: it stands for the script in whichever encoding. */
const tagOf = ({ integrity }: Asset) => `W/"${integrity.slice('sha384-'.length, 'sha384-'.length + 22)}"`

/** Serves it. */
export function mountElementScript(app: FastifyInstance): void {
  app.get(elementScriptUrl, async (request, reply) => {
    request.pattern = elementScriptUrl
    const asset = elementScriptAsset()
    const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
    if (known?.some((tag) => tag === '*' || tag === tagOf(asset))) {
      const { 'content-type': _type, ...headers } = elementScriptHeaders(asset, undefined)
      return reply.code(304).headers(headers).send()
    }
    const { encoding } = negotiateEncoding(request.headers['accept-encoding'], ['br', 'gzip'])
    return reply.headers(elementScriptHeaders(asset, encoding)).send(await encodeAsset(asset, encoding))
  })
}
