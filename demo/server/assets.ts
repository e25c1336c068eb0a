import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { bundle, mountBundle } from '../../kit/http/bundle.ts'
import { lazily } from '../../kit/runtime/lazy.ts'

const folder = join(import.meta.dirname, '..', '..')
const sources = {
  'requests.js': 'demo/page/requests.ts',
  'shop.js': 'demo/page/shop.ts',
  'shop.css': 'demo/page/shop.css',
} as const
const files = { 'mark.svg': 'look/mark.svg' } as const

/** Built on the first request. */
const theBundle = lazily(() => bundle({ folder, sources, files }))

export function assetAddress(name: keyof typeof sources | keyof typeof files): string {
  return `/assets/${theBundle().byName.get(name)?.name}`
}

export function mountAssets(app: FastifyInstance): void {
  mountBundle(app, theBundle)
}
