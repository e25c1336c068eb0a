import type { Frame, Page } from 'playwright-core'
import type { CleanupScope } from './merchant-site.ts'
import { serveSite } from './merchant-site.ts'
import type { Shop } from './shop.ts'
import { makeShop, pageUrl, runVezne } from './shop.ts'
import { stopTime } from './visit.ts'

/** Message of the payment page to the page that frames it. */
export interface PageMessage {
  vezne: 'page'
  type: 'here' | 'standing' | 'size' | 'look' | 'leave'
  step?: string
  transaction_id?: number
  height?: number
  top?: number
  bottom?: number
  url?: string
}

/** Strictest policy of a shop that frames our page, except for the shop's own inline script. */
const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; frame-src ${pageUrl}`

/** Does what the payment element does and records the messages. With `deaf` it sends no greeting. */
const script = `
const asked = new URLSearchParams(location.search)
const frame = document.querySelector('iframe')
window.heard = []
addEventListener('message', ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== '${pageUrl}') return
  heard.push(data)
  const isGreeted = data.type === 'here' && !asked.has('deaf')
  if (isGreeted) source.postMessage({ vezne: 'element', type: 'greet', version: 1 }, origin)
  if (data.type === 'size') frame.height = data.height
  if (data.type === 'look') scrollBy(0, way(frame.getBoundingClientRect().top, data))
  if (data.type === 'leave') location.href = data.url
})
function way(above, { top, bottom }) {
  if (above + top < 0) return above + top
  return Math.min(above + top, Math.max(0, above + bottom - innerHeight))
}
frame.width = asked.get('width') ?? '100%'
if (asked.has('frame')) frame.src = asked.get('frame')
`

function shopPage(query: URLSearchParams): string {
  const look = query.has('dark')
    ? ':root { color-scheme: dark } body { background: #17181c; color: #ddd }'
    : 'body { background: #fff }'
  return `<!doctype html><meta name="viewport" content="width=device-width"><title>Shop</title>
<style>${look} html { scrollbar-gutter: stable } body { margin: 16px; font: 16px sans-serif } iframe { border: 0; display: block; margin: 16px 0 }</style>
<textarea autofocus>Shop</textarea>
<iframe height="300" allow="payment *; publickey-credentials-get *"></iframe>
<p>What the shop says below.</p>
<script>${script}</script>`
}

/** Shop that shows its payments in a frame of its web page. */
export interface FramingShop {
  shop: Shop
  origin: string
  /** Opens the shop's page with this payment. Returns the payment page's frame after the greeting. */
  open(page: Page, url: string, more?: Record<string, string>): Promise<Frame>
}

/** Creates the shop with a POS for each authentication mode. */
export async function framingShop(t: CleanupScope): Promise<FramingShop> {
  const origin = await serveSite(t, (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', policy)
    response.end(shopPage(new URL(`${origin}${request.url}`).searchParams))
  })
  const shop = await makeShop('--name', 'Çerçeve', '--origins', origin)
  const pos = ['--name', 'World', '--bank', '67', '--connector', 'sandbox-nestpay', '--single-rate', '1.79']
  await runVezne('pos', 'add', shop.id, ...pos, '--families', 'world')
  return {
    shop,
    origin,
    open: async (page, url, more = {}) => {
      const isDeaf = more['deaf'] !== undefined
      // Stopped, so that the greeting is always in time: the page waits only briefly for it, and reserves
      // space for a scroll bar if it comes later.
      if (!isDeaf) await stopTime(page)
      await page.goto(`${origin}/?${new URLSearchParams({ frame: url, ...more })}`)
      const handle = await page.waitForSelector('iframe')
      const frame = await handle.contentFrame()
      if (!frame) throw new Error('the shop has no frame')
      await frame.locator(`body[data-framed=${isDeaf ? 'alone' : 'element'}]`).waitFor()
      if (!isDeaf) await page.clock.resume()
      return frame
    },
  }
}

/** Messages that the shop's page got from ours. */
export function pageMessagesTo(page: Page): Promise<PageMessage[]> {
  return page.evaluate('window.heard')
}
