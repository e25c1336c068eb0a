import type { LocalizedText } from '../text/locale.ts'
import { tooLong } from './complaints.ts'

/** As long as an address may be that every browser and proxy takes. */
export const maxUrlLength = 2000

/**
 * A whole address of http or https that means the same to everybody who reads it, or what is wrong with it: no credentials, no
 * fragment, a host that can be looked up. How it is written from now on is its `href`.
 */
export function parseHttpUrlField(text: string): { value: URL } | LocalizedText {
  // Browsers overlook white space in an address and take a backslash for a slash: what they make of it is not what was read.
  if (/^https?:.*[\s\\]/is.test(text)) return withSpace
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || !isHost(url.hostname) || url.port === '0') return notAddress
  if (url.username !== '' || url.password !== '') return withCredentials
  if (text.includes('#')) return withFragment
  return url.href.length > maxUrlLength ? tooLong(maxUrlLength) : { value: url }
}

/** A name that can be looked up, an IPv4 address, which is written alike, or an IPv6 one. URLs may hold more than these. */
function isHost(host: string): boolean {
  return (host.length <= longestHost && hostName.test(host)) || host.startsWith('[')
}

const longestHost = 253
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?!$)|\.?$))+$/

const notAddress: LocalizedText = {
  tr: 'https:// ile başlayan tam bir web adresi olmalıdır; test üye iş yerlerinde http:// de olabilir.',
  en: 'Must be a whole web address that begins with https://; for test merchants http:// will do too.',
}

const withSpace: LocalizedText = {
  tr: 'Adreste boşluk veya ters eğik çizgi (\\) bulunamaz.',
  en: 'The address cannot hold white space or a backslash (\\).',
}

const withCredentials: LocalizedText = {
  tr: 'Adreste kullanıcı adı veya parola bulunamaz.',
  en: 'The address cannot hold a user name or a password.',
}

const withFragment: LocalizedText = {
  tr: 'Adreste # işareti bulunamaz.',
  en: 'The address cannot hold a #.',
}

/** What is said of an address that a live merchant gives. */
export const httpsRequiredComplaint: LocalizedText = {
  tr: 'Canlı bir üye iş yerinde adres https:// ile başlamalıdır.',
  en: 'For a live merchant the address must begin with https://.',
}
