import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Asset, Bundle } from '../../../kit/http/bundle.ts'
import { bundle, mountBundle } from '../../../kit/http/bundle.ts'
import { lazily } from '../../../kit/runtime/lazy.ts'
import type { Config } from '../../config.ts'
import { countryListAssets } from './country-lists.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Entry points that pages name. Their imports are bundled into them. */
const sources = {
  'page.js': 'page/page.ts',
  'bridge.js': 'page/bridge.ts',
  'notice.js': 'page/notice.ts',
  'page.css': 'page/page.css',
  'simple.css': 'page/simple.css',
} as const

const files = { 'mark.svg': 'look/mark.svg' } as const

const lists = ['countries-tr.json', 'countries-en.json'] as const

export type AssetName = keyof typeof sources | keyof typeof files | (typeof lists)[number]

const theBundle = lazily(() => buildAssets(root))

/** All files that browsers load, bundled on first use. */
export function allAssets(): readonly Asset[] {
  return theBundle().all
}

export function assetByName(name: AssetName): Asset {
  const asset = theBundle().byName.get(name)
  if (!asset) throw new Error(`the bundle has no asset ${name}`)
  return asset
}

/** File that a page may load, with its integrity hash. */
export interface FileWithIntegrity {
  address: string
  integrity: string
}

/** A file as browsers load it. Its address includes the base path of a proxy. */
export function loadedFile(config: Pick<Config, 'pageUrl'>, { name, integrity }: Asset): FileWithIntegrity {
  return { address: `${pageBasePathOf(config)}/assets/${name}`, integrity }
}

/** Address of our mark. */
export function markAddress(config: Pick<Config, 'pageUrl'>): string {
  return loadedFile(config, assetByName('mark.svg')).address
}

let known: { pageUrl: string; root: string } | undefined

/** Base path of all our addresses, as browsers see it. */
export function pageBasePathOf({ pageUrl }: Pick<Config, 'pageUrl'>): string {
  if (known?.pageUrl !== pageUrl) known = { pageUrl, root: new URL(pageUrl).pathname.replace(/\/+$/, '') }
  return known.root
}

/** Serves the files under names that change with their contents. */
export function mountAssets(app: FastifyInstance): void {
  mountBundle(app, theBundle)
}

/** Guarantee: the same sources give the same bytes and names, in any folder and on any machine. */
export function buildAssets(folder: string): Bundle {
  const made = bundle({ folder, sources, files })
  const computed = countryListAssets()
  const named = computed.map((asset) => [asset.source, asset] as const)
  // The payment page contains its stylesheet.
  const loaded = made.all.filter(({ source }) => source !== sources['page.css'])
  return { ...made, all: [...loaded, ...computed], byName: new Map([...made.byName, ...named]) }
}
