import { httpsRequiredComplaint, parseHttpUrlField } from '../../../kit/input/http-url.ts'
import { isLoopbackAddress, isPublicAddress } from '../../../kit/outbound/public-address.ts'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import type { Merchant } from '../../merchants/index.ts'

/** The ports of the web, and all that no service of a machine's own has. */
const webPorts = [80, 443]
const firstFreePort = 1024

/** Where events may be sent, or what is wrong with the address, whoever gives it. */
export function parseWebhookUrlField(text: string): { value: string } | LocalizedText {
  const address = parseHttpUrlField(text)
  if (!('value' in address)) return address
  const { port, href } = address.value
  // The port that its protocol has anyway is not written.
  const isFree = port === '' || webPorts.includes(Number(port)) || Number(port) >= firstFreePort
  return isFree ? { value: href } : otherPort
}

/**
 * What this merchant may not have its events sent to. A name is looked up when something is sent to it, and judged then by
 * where it leads; what can be said beforehand is said.
 */
export function checkWebhookUrl(
  config: Pick<Config, 'databaseUrl' | 'loopbackWebhooks'>,
  merchant: Pick<Merchant, 'live'>,
  address: string,
): LocalizedText | undefined {
  if (merchant.live && new URL(address).protocol !== 'https:') return httpsRequiredComplaint
  const host = hostOf(address)
  if (isOfThisMachine(host)) return allowsLoopback(config, merchant) ? undefined : notPublic
  return isAddress(host) && !isPublicAddress(host) ? notPublic : undefined
}

/**
 * Whether events of this merchant may be sent to the machine itself: where somebody tries things out, on the database that
 * we brought along, and nowhere else; nor there, where the operator forbids it.
 */
export function allowsLoopback(
  { databaseUrl, loopbackWebhooks }: Pick<Config, 'databaseUrl' | 'loopbackWebhooks'>,
  { live }: Pick<Merchant, 'live'>,
): boolean {
  return !live && databaseUrl === undefined && loopbackWebhooks !== 'never'
}

/** Whether an address that was read leads to the machine itself, and to no other. */
export function isLoopbackUrl(address: string): boolean {
  return isOfThisMachine(hostOf(address))
}

function isOfThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$|\.$/g, '')
}

/** Addresses of IPv4 are written in one way once they are read, and no name has a colon. */
function isAddress(host: string): boolean {
  return /^(?:\d+\.){3}\d+$/.test(host) || host.includes(':')
}

const otherPort: LocalizedText = {
  tr: 'Adresin bağlantı noktası 80, 443 veya 1024 ve üzeri olmalıdır.',
  en: 'The port of the address must be 80, 443, or 1024 and above.',
}

const notPublic: LocalizedText = {
  tr: 'Adres internetten erişilebilen bir sunucuyu göstermelidir; yerel ve özel ağ adresleri kabul edilmez.',
  en: 'The address must be one of the public internet; local and private ones are not accepted.',
}
