import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset } from '../../../kit/http/bundle.ts'
import { browserBuildOptions, buildAsset, encodeAsset, loadEsbuild } from '../../../kit/http/bundle.ts'
import type { ContentEncoding } from '../../../kit/http/content-encoding.ts'
import { negotiateEncoding } from '../../../kit/http/content-encoding.ts'
import { lazily } from '../../../kit/runtime/lazy.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const source = 'element/script.ts'

/** Address in merchants' pages. It never changes, so that fixes reach them. */
export const elementScriptUrl = '/element.js'

/** Payment element script, bundled once. */
export const elementScriptAsset = lazily(() => buildElementScript(root).asset)

/** Guarantee: the same sources give the same bytes, in any folder and on any machine. */
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

/** Additional headers: any page may load the script, and revalidates it after five minutes. */
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

/** Weak ETag: it is the same for every encoding. */
const tagOf = ({ integrity }: Asset) => `W/"${integrity.slice('sha384-'.length, 'sha384-'.length + 22)}"`

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
