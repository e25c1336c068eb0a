import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Config } from '../../config.ts'
import type { Merchant } from '../../merchants/index.ts'
import { pictureUrl } from '../../pictures/index.ts'
import { pageBasePathOf } from '../files/assets.ts'

export interface Tile {
  kind: 'logo' | 'image'
  /** Name beside the tile, which is decorative. */
  name: string
  /** Digest of a picture of the merchant. */
  picture: string | null | undefined
}

/**
 * A square with a picture of the merchant. The first letter of the name is below the picture: it is seen until the picture
 * has arrived, and if there is none.
 */
export function tile(
  config: Pick<Config, 'pageUrl'>,
  merchant: Pick<Merchant, 'id' | 'language'>,
  { kind, name, picture }: Tile,
): Html {
  const lazy = kind === 'image' ? html` loading="lazy"` : undefined
  const image = picture && html`<img src="${tileAddress(config, merchant.id, picture)}" alt=""${lazy}>`
  const named = kind === 'image' ? html`mark item` : html`mark`
  return html`<span class="${named}" aria-hidden="true">${firstLetter(name, merchant)}${image || undefined}</span>`
}

/** Address of a tile on our own origin: the policy of the page allows no other. */
export function tileAddress(config: Pick<Config, 'pageUrl'>, merchantId: number, digest: string): string {
  return pictureUrl(pageBasePathOf(config), 'tile', { merchantId, digest })
}

/** True for the address of a tile of any merchant. */
export function isTileAddress(config: Pick<Config, 'pageUrl'>, address: string): boolean {
  const [, merchantId, digest] = /\/([1-9]\d{0,14})\/([\w-]{43})\.webp$/.exec(address) ?? []
  return digest !== undefined && address === tileAddress(config, Number(merchantId), digest)
}

/** First letter in upper case, by the seller's language: a Turkish i keeps its dot. */
function firstLetter(name: string, { language }: Pick<Merchant, 'language'>): string {
  const [first = ''] = name.trim()
  return first.toLocaleUpperCase(language)
}
