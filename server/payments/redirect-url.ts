import { tooLong } from '../kit/complaints.ts'
import type { Sentence } from '../kit/locale.ts'
import type { Merchant } from '../merchants/index.ts'

/** As long as an address may be that every browser and proxy takes. */
export const longestAddress = 2000

/** Where a payer may be sent back to, written as browsers write it, or what is wrong with the address. */
export function readRedirectUrl(text: string): { value: string } | Sentence {
  // Browsers overlook white space in an address and take a backslash for a slash: what they make of it is not what was read.
  if (/^https?:.*[\s\\]/is.test(text)) return withSpace
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || !isHost(url.hostname) || url.port === '0') return notAddress
  if (url.username !== '' || url.password !== '') return withCredentials
  if (text.includes('#')) return withFragment
  if (url.search !== '' && !isOfTransaction(url.searchParams)) return withQuery
  return url.href.length > longestAddress ? tooLong(longestAddress) : { value: url.href }
}

/**
 * What this merchant's payers may not be sent back to. Whoever has copied a public key must not send the payers of a
 * live merchant to a site of their own.
 */
export function redirectObjection(
  { live, origins }: Merchant,
  scope: 'secret' | 'public',
  address: string,
): Sentence | undefined {
  if (!live) return undefined
  const { protocol, origin } = new URL(address)
  if (protocol !== 'https:') return notHttps
  return scope === 'public' && !origins.includes(origin) ? otherOrigin : undefined
}

/** Where the payer goes back to: the address that was given, with the id of the transaction in its query. */
export function returnAddress(redirectUrl: string, transactionId: number): string {
  const url = new URL(redirectUrl)
  url.searchParams.set('transaction_id', String(transactionId))
  return url.href
}

/** A name that can be looked up, an IPv4 address, which is written alike, or an IPv6 one. URLs may hold more than these. */
function isHost(host: string): boolean {
  return (host.length <= longestHost && hostName.test(host)) || host.startsWith('[')
}

const longestHost = 253
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?!$)|\.?$))+$/

function isOfTransaction(query: URLSearchParams): boolean {
  return query.size === 0 || (query.size === 1 && query.has('transaction_id'))
}

const notAddress: Sentence = {
  tr: 'https:// ile başlayan tam bir web adresi olmalıdır.',
  en: 'Must be a whole web address that begins with https://.',
}

const withSpace: Sentence = {
  tr: 'Adreste boşluk veya ters eğik çizgi (\\) bulunamaz.',
  en: 'The address cannot hold white space or a backslash (\\).',
}

const notHttps: Sentence = {
  tr: 'Canlı bir üye iş yerinde adres https:// ile başlamalıdır.',
  en: 'For a live merchant the address must begin with https://.',
}

const withCredentials: Sentence = {
  tr: 'Adreste kullanıcı adı veya parola bulunamaz.',
  en: 'The address cannot hold a user name or a password.',
}

const withFragment: Sentence = {
  tr: 'Adreste # işareti bulunamaz.',
  en: 'The address cannot hold a #.',
}

const withQuery: Sentence = {
  tr: 'Adresin sorgu kısmında yalnızca transaction_id bulunabilir.',
  en: 'The query of the address may hold transaction_id alone.',
}

const otherOrigin: Sentence = {
  tr: 'Açık anahtarla yalnızca üye iş yerinin kayıtlı web kökenlerinden bir adres verilebilir.',
  en: 'With a public key only an address of the merchant’s registered web origins may be given.',
}
