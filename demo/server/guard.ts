import type { FastifyRequest } from 'fastify'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { DemoShopOptions } from './shop.ts'

type ShopAddresses = Pick<DemoShopOptions, 'port' | 'apiUrl' | 'pageUrl'>

/**
 * Content security policy of the shop's pages. It allows the shop itself and Vezne's parts of the payment
 * element: script, API and the frame with the payment page. No text becomes a script, no form is posted, and
 * no site can frame the shop.
 */
export function contentSecurityPolicy({ apiUrl, pageUrl }: ShopAddresses): string {
  const [api, page] = [apiUrl, pageUrl].map((url) => new URL(url).origin)
  return [
    "default-src 'none'; base-uri 'none'; style-src 'self'; img-src 'self'",
    `script-src 'self' ${page}; connect-src 'self' ${api}; frame-src ${page}`,
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; ')
}

/** Headers of every response. */
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
  en: 'This demo shop answers only at its own address.',
}

const strange: LocalizedText = {
  tr: 'Bu istek başka bir siteden geliyor.',
  en: 'This request comes from another site.',
}

/** Reason to refuse a request; undefined if there is none. */
export function requestObjection(
  { port }: ShopAddresses,
  request: FastifyRequest,
  isPage: boolean,
): LocalizedText | undefined {
  const { headers } = request
  // DNS rebinding: a foreign name that resolves to this machine would make its page same-origin with ours.
  const hosts = ['localhost', '127.0.0.1', '[::1]'].map((name) => new URL(`http://${name}:${port}`).host)
  if (!hosts.includes((headers.host ?? '').toLowerCase())) return misled
  // Any site can link to a page. Everything else is for the shop's own pages, and for programs, which send no
  // site headers.
  if (isPage) return undefined
  const { origin, 'sec-fetch-site': site } = headers
  const isOwn = origin === undefined || hosts.some((host) => origin === `http://${host}`)
  return isOwn && [undefined, 'same-origin', 'none'].includes(site as string) ? undefined : strange
}
