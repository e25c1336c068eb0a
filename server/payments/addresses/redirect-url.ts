import { httpsRequiredComplaint, parseHttpUrlField } from '../../../kit/input/http-url.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'

/** The redirect URL in the spelling of browsers, or the complaint about it. */
export function parseRedirectUrlField(text: string): { value: string } | LocalizedText {
  const address = parseHttpUrlField(text)
  if (!('value' in address)) return address
  const { search, searchParams, href } = address.value
  return search !== '' && !isOfTransaction(searchParams) ? withQuery : { value: href }
}

/**
 * The complaint about a redirect URL of this merchant, if any. A person with a copied public key must not
 * send a live merchant's payers to another site.
 */
export function checkRedirectUrl(
  { live, origins }: Merchant,
  scope: 'secret' | 'public',
  address: string,
): LocalizedText | undefined {
  if (!live) return undefined
  const { protocol, origin } = new URL(address)
  if (protocol !== 'https:') return httpsRequiredComplaint
  return scope === 'public' && !origins.includes(origin) ? otherOrigin : undefined
}

/** The merchant's redirect URL with the transaction's id in its query. */
export function redirectUrlWithTransactionId(redirectUrl: string, transactionId: number): string {
  const url = new URL(redirectUrl)
  url.searchParams.set('transaction_id', String(transactionId))
  return url.href
}

function isOfTransaction(query: URLSearchParams): boolean {
  return query.size === 0 || (query.size === 1 && query.has('transaction_id'))
}

const withQuery: LocalizedText = {
  tr: 'Adresin sorgu kısmında yalnızca transaction_id bulunabilir.',
  en: 'The query of the address must contain only transaction_id.',
}

const otherOrigin: LocalizedText = {
  tr: 'Açık anahtarla yalnızca üye iş yerinin kayıtlı web kökenlerindeki bir adres gönderilebilir.',
  en: 'With a public key, the address must be on one of the merchant’s registered web origins.',
}
