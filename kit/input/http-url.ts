import type { LocalizedText } from '../text/locale.ts'
import { tooLong } from './complaints.ts'

/** Length that every browser and proxy accepts. */
export const maxUrlLength = 2000

/**
 * Parses an absolute http or https address that every program reads alike, or returns its fault. It has no
 * credentials, no fragment, and a host that can be resolved. The canonical form is its `href`.
 */
export function parseHttpUrlField(text: string): { value: URL } | LocalizedText {
  // Browsers drop white space in an address and read a backslash as a slash, so they would open another
  // address.
  if (/^https?:.*[\s\\]/is.test(text)) return withSpace
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url || !isHost(url.hostname) || url.port === '0') return notAddress
  if (url.username !== '' || url.password !== '') return withCredentials
  if (text.includes('#')) return withFragment
  return url.href.length > maxUrlLength ? tooLong(maxUrlLength) : { value: url }
}

/** A resolvable host name, an IPv4 address or an IPv6 address. URLs allow more hosts than these. */
function isHost(host: string): boolean {
  return (host.length <= longestHost && hostName.test(host)) || host.startsWith('[')
}

const longestHost = 253
const hostName = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.(?!$)|\.?$))+$/

const notAddress: LocalizedText = {
  tr: 'https:// ile başlayan tam bir web adresi olmalıdır; test üye iş yerlerinde http:// de olabilir.',
  en: 'Must be a complete web address that begins with https://. Test merchants can also use http://.',
}

const withSpace: LocalizedText = {
  tr: 'Adreste boşluk veya ters eğik çizgi (\\) bulunamaz.',
  en: 'The address must not contain white space or a backslash (\\).',
}

const withCredentials: LocalizedText = {
  tr: 'Adreste kullanıcı adı veya parola bulunamaz.',
  en: 'The address must not contain a user name or a password.',
}

const withFragment: LocalizedText = {
  tr: 'Adreste # işareti bulunamaz.',
  en: 'The address must not contain a #.',
}

/** Complaint about an http address of a live merchant. */
export const httpsRequiredComplaint: LocalizedText = {
  tr: 'Canlı bir üye iş yerinde adres https:// ile başlamalıdır.',
  en: 'The address of a live merchant must begin with https://.',
}
