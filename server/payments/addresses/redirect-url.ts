import { httpsRequiredComplaint, parseHttpUrlField } from '../../../kit/input/http-url.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Merchant } from '../../merchants/index.ts'

/** Where a payer may be sent back to, written as browsers write it, or what is wrong with the address. */
export function parseRedirectUrlField(text: string): { value: string } | LocalizedText {
  const address = parseHttpUrlField(text)
  if (!('value' in address)) return address
  const { search, searchParams, href } = address.value
  return search !== '' && !isOfTransaction(searchParams) ? withQuery : { value: href }
}

/**
 * What this merchant's payers may not be sent back to. Whoever has copied a public key must not send the payers of a
 * live merchant to a site of their own.
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

/** Where the payer goes back to: the address that was given, with the id of the transaction in its query. */
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
  en: 'The query of the address may hold transaction_id alone.',
}

const otherOrigin: LocalizedText = {
  tr: 'Açık anahtarla yalnızca üye iş yerinin kayıtlı web kökenlerinden bir adres verilebilir.',
  en: 'With a public key only an address of the merchant’s registered web origins may be given.',
}
