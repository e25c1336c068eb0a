import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Bundle } from '../kit/bundle.ts'
import { bundle, mountBundle } from '../kit/bundle.ts'

const folder = join(import.meta.dirname, '..', '..')
const sources = {
  'requests.js': 'demo/requests.ts',
  'shop.js': 'demo/shop.ts',
  'shop.css': 'demo/shop.css',
} as const
const files = { 'mark.svg': 'look/mark.svg' } as const

let built: Bundle | undefined

/** Put together when it is first asked for. */
function theBundle(): Bundle {
  built ??= bundle({ folder, sources, files })
  return built
}

export function assetAddress(name: keyof typeof sources | keyof typeof files): string {
  return `/assets/${theBundle().byName.get(name)?.name}`
}

export function mountAssets(app: FastifyInstance): void {
  mountBundle(app, theBundle())
}
