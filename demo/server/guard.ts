import type { FastifyRequest } from 'fastify'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { DemoShopOptions } from './shop.ts'

type ShopAddresses = Pick<DemoShopOptions, 'port' | 'apiUrl' | 'pageUrl'>

/**
 * What the shop's pages may load and reach: itself, and of Vezne what the payment element needs, which is its script, the
 * API, and the frame with the payment page. No text becomes a script, no form is posted, nobody frames the shop.
 */
export function contentSecurityPolicy({ apiUrl, pageUrl }: ShopAddresses): string {
  const [api, page] = [apiUrl, pageUrl].map((url) => new URL(url).origin)
  return [
    "default-src 'none'; base-uri 'none'; style-src 'self'; img-src 'self'",
    `script-src 'self' ${page}; connect-src 'self' ${api}; frame-src ${page}`,
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ')
}

/** What every answer carries. */
export function shopHeaders(addresses: ShopAddresses): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy(addresses),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), usb=()',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  }
}

const misled: LocalizedText = {
  tr: 'Bu demo mağaza yalnızca kendi adresinde yanıt verir.',
  en: 'This demo shop answers at its own address alone.',
}

const strange: LocalizedText = {
  tr: 'Bu istek başka bir siteden geliyor.',
  en: 'This request comes from another site.',
}

/** The objection to answering a request; undefined where there is none. */
export function requestObjection(
  { port }: ShopAddresses,
  request: FastifyRequest,
  isPage: boolean,
): LocalizedText | undefined {
  const { headers } = request
  // A name of somebody else's that leads to this machine would make its page one of ours.
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => new URL(`http://${name}:${port}`).host)
  if (!hosts.includes((headers.host ?? '').toLowerCase())) return misled
  // To a page anybody may lead; everything else is for the shop's own pages, and for programs, which name no site.
  if (isPage) return undefined
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = origin === undefined || hosts.some((host) => origin === `http://${host}`)
  return isOwn && [undefined, 'same-origin', 'none'].includes(site as string) ? undefined : strange
}
