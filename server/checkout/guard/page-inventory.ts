import type { Asset } from '../../../kit/http/bundle.ts'
import { encodeAsset } from '../../../kit/http/bundle.ts'
import { allAssets, assetByName } from '../files/assets.ts'
import { elementScriptAsset, elementScriptUrl } from '../files/element-script.ts'
import {
  bankReturnNoticePolicy,
  cardPostingFramePolicy,
  defaultContentSecurityPolicy,
  pageOriginHeaders,
  pagePolicy,
  threeDsBridgePolicy,
} from './content-security-policy.ts'

const countryList = {
  where: 'the page, if it asks for the payer’s details',
  why: 'Names of the countries and an example of their phone numbers, in one language',
}

/** Reason for each file. The tests fail for a file without a reason. */
const reasons: Readonly<Record<string, { where: string; why: string }>> = {
  'page/page.ts': {
    where: 'the page',
    why: 'Checks the card while it is typed, shows installments, sends the card to this origin, opens the bank’s step, asks how the payment stands',
  },
  'page/bridge.ts': {
    where: 'the bridge',
    why: 'Leads to the bank’s page in a frame or in the window, and says when the bank is done',
  },
  'page/notice.ts': { where: 'the notice', why: 'Tells the bridge that the bank’s page has led back' },
  'page/page.css': { where: 'inside the page', why: 'How the page looks; it holds `look/tokens.css`' },
  'page/simple.css': {
    where: 'the bridge, pages with words alone',
    why: 'How these pages look; it holds `look/tokens.css`',
  },
  'element/script.ts': {
    where: 'web pages of merchants, none of ours',
    why: 'Shows the payment page in a frame of theirs, or leads to it ([the payment element](../integrate/element.md))',
  },
  'countries-tr.json': countryList,
  'countries-en.json': countryList,
  'look/mark.svg': { where: 'the page', why: 'Our mark, in the tab of the browser; not with a white label' },
}

/** Reason shared by all pictures, which the stylesheet names. */
const picture = { where: 'wherever `page.css` is', why: 'A picture that `page.css` names' }

export function assetReason({ source }: Asset): { where: string; why: string } | undefined {
  return reasons[source] ?? (source.endsWith('.svg') ? picture : undefined)
}

/** Files, policies and headers of the page origin, for the documentation. */
export async function pageInventoryMarkdown(): Promise<string> {
  return [await files(), policies(), headers()].join('\n\n')
}

/** Rounded, because compressor versions differ by some bytes. */
const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

async function files(): Promise<string> {
  const all = [...allAssets(), assetByName('page.css'), elementScriptAsset()].sort((a, b) =>
    a.source < b.source ? -1 : 1,
  )
  const rows = await Promise.all(
    all.map(async (asset) => {
      const { bytes, source, packages } = asset
      const { where, why } = assetReason(asset) ?? { where: '', why: '' }
      const short = await encodeAsset(asset, 'br')
      const madeOf = [`\`${source}\``, ...packages].join(', ')
      const size = `${bytes.length} | ${kilobytes(short.length)}`
      return `| ${addressOf(asset)} | ${madeOf} | ${size} | ${where} | ${why} | ${hashOf(asset)} |`
    }),
  )
  const computed =
    '| inside the page | `server/checkout/files/styles.ts` | about 300 | 0.2 kB | the page and the bridge of a merchant with a colour | That colour in the light and in the dark, computed from it | in the policy |'
  const pictures =
    '| `/tiles/…/….webp` | a picture that the merchant sent, encoded by `server/pictures/encode-process.mjs` | 1000 to 10000 | | the page of a merchant with a logo or with images of products | The logo and the images, from our database; the name is their hash | in the name |'
  const icon =
    '| `/favicon.ico` | `kit/http/favicon.ico` | 326 | | the tab of a page that names no icon | A plain card, without a name | |'
  return [
    '| file | made of | bytes | brotli | on | why | hash |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    computed,
    pictures,
    icon,
  ].join('\n')
}

function addressOf(asset: Asset): string {
  if (asset === assetByName('page.css')) return 'inside the page'
  return asset === elementScriptAsset() ? `\`${elementScriptUrl}\`` : `\`/assets/${asset.name}\``
}

/** The styles of the page depend on the base path of its address, so their hash is in the policy. */
function hashOf(asset: Asset): string {
  return asset === assetByName('page.css') ? 'in the policy' : `\`${asset.integrity}\``
}

function policies(): string {
  const config = { pageUrl: 'https://pay.example' }
  const merchant = { live: true, origins: ['https://shop.example'], colour: null }
  const rows = Object.entries({
    'the page, `/p/…`': pagePolicy(config, { ...merchant, origins: [] }),
    'the page of a merchant with registered origins': pagePolicy(config, merchant),
    'the bridge, `/p/…/bank`': threeDsBridgePolicy(config, merchant),
    'the carrier, `/p/…/carrier/…`': cardPostingFramePolicy('https://bank.example', merchant),
    'the notice, `/3ds/method/…`, `/3ds/challenge/…`, `/return/…` in a frame': bankReturnNoticePolicy,
    'every other answer': defaultContentSecurityPolicy,
  }).map(([page, policy]) => `| ${page} | \`${policy}\` |`)
  return ['| page | Content-Security-Policy |', '|---|---|', ...rows].join('\n')
}

function headers(): string {
  const all = Object.entries(pageOriginHeaders({ pageUrl: 'https://pay.example' }))
  const rows = all
    .filter(([name]) => name !== 'content-security-policy')
    .map(([name, value]) => `| \`${name}\` | \`${value}\` |`)
  return ['| header | value |', '|---|---|', ...rows].join('\n')
}
