import { isIP } from 'node:net'
import { httpsRequiredComplaint, parseHttpUrlField } from '../../../kit/input/http-url.ts'
import { isLoopbackAddress, isPublicAddress } from '../../../kit/outbound/public-address.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import type { Merchant } from '../../merchants/index.ts'

/** Allowed ports: those of the web, and all above the system ports, where a machine's own services listen. */
const webPorts = [80, 443]
const firstFreePort = 1024

/** Parses the address of a webhook; returns a complaint if no merchant may use it. */
export function parseWebhookUrlField(text: string): { value: string } | LocalizedText {
  const address = parseHttpUrlField(text)
  if (!('value' in address)) return address
  const { port, href } = address.value
  // The URL parser omits the default port.
  const isFree = port === '' || webPorts.includes(Number(port)) || Number(port) >= firstFreePort
  return isFree ? { value: href } : otherPort
}

/** Checks only what is known before an attempt, which resolves the host name and checks its address. */
export function checkWebhookUrl(
  config: Pick<Config, 'databaseUrl' | 'loopbackWebhooks'>,
  merchant: Pick<Merchant, 'live'>,
  address: string,
): LocalizedText | undefined {
  if (merchant.live && new URL(address).protocol !== 'https:') return httpsRequiredComplaint
  if (isLoopbackUrl(address)) return allowsLoopback(config, merchant) ? undefined : notPublic
  const host = hostOf(address)
  return isIP(host) !== 0 && !isPublicAddress(host) ? notPublic : undefined
}

/** Only test merchants on the embedded database may use this machine, unless the operator forbids it. */
export function allowsLoopback(
  { databaseUrl, loopbackWebhooks }: Pick<Config, 'databaseUrl' | 'loopbackWebhooks'>,
  { live }: Pick<Merchant, 'live'>,
): boolean {
  return !live && databaseUrl === undefined && loopbackWebhooks !== 'never'
}

export function isLoopbackUrl(address: string): boolean {
  const host = hostOf(address)
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$|\.$/g, '')
}

const otherPort: LocalizedText = {
  tr: 'Adresin port numarası 80, 443 veya en az 1024 olmalıdır.',
  en: 'The port of the address must be 80, 443, or at least 1024.',
}

const notPublic: LocalizedText = {
  tr: 'Adres internetten erişilebilen bir sunucuyu göstermelidir; yerel ve özel ağ adresleri kabul edilmez.',
  en: 'The address must be on the public internet; local and private addresses are not accepted.',
}
