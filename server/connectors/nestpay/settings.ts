import { isIP } from 'node:net'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { PosSettingField } from '../contract/contract.ts'

/** Who cannot say whether the holder takes part, or only tried to find out: at the merchant's own risk. */
export const acceptHalf3dSettingField: PosSettingField = {
  name: 'accept_half_3d',
  about: 'Whether to go on where the card takes no part in 3-D Secure (mdStatus 2, 3, 4): yes or no.',
  defaultValue: 'no',
  read: (text) => (text === 'yes' || text === 'no' ? { value: text } : wrongChoice),
}

export const liveSettingFields: readonly PosSettingField[] = [
  {
    name: 'address',
    about: 'The address of the bank, without a path: https://sanalpos.example.com.tr.',
    read: (text) => {
      const url = bankAddress(text)
      return url && url.href === `${url.origin}/` ? { value: url.origin } : wrongAddress
    },
  },
  {
    name: 'gate',
    about: 'Where the payer’s browser posts the card: a path, or a whole address where it is elsewhere.',
    defaultValue: '/fim/est3Dgate',
    read: readEndpoint,
  },
  {
    name: 'api',
    about: 'Where the bank is asked for money: a path, or a whole address where it is elsewhere.',
    defaultValue: '/fim/api',
    read: readEndpoint,
  },
  acceptHalf3dSettingField,
]

/** A path at an address, or an address of its own. */
export function endpointUrl(address: string, endpoint: string): string {
  return endpoint.startsWith('/') ? `${address}${endpoint}` : endpoint
}

function readEndpoint(text: string): { value: string } | LocalizedText {
  if (/^\/(?!\/)[\w./-]*$/.test(text) && !text.includes('..')) return { value: text }
  const url = bankAddress(text)
  return url ? { value: url.href } : wrongEndpoint
}

/** An address by which a bank can be reached over the internet: by name, and by nobody on the way. */
function bankAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || !/^[\x21-\x7e]+$/.test(text)) return undefined
  const host = url.hostname.replace(/\.$/, '')
  const isNumber = isIP(host) !== 0 || host.startsWith('[')
  // What stands in a policy of browsers as it is must be a name and nothing else.
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/.test(host)
  const isNear = /\.(localhost|local|internal|lan|home|svc)$/.test(host)
  const hasMore = url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== ''
  return isNumber || !isName || isNear || hasMore ? undefined : url
}

const wrongAddress: LocalizedText = {
  tr: 'https ile başlayan, yolu olmayan bir banka adresi olmalıdır: https://sanalpos.example.com.tr. IP adresi ve localhost olamaz.',
  en: 'Must be a bank’s address with https and without a path: https://sanalpos.example.com.tr. No IP address, no localhost.',
}

const wrongEndpoint: LocalizedText = {
  tr: '/fim/api gibi bir yol ya da https ile başlayan tam bir adres olmalıdır.',
  en: 'Must be a path like /fim/api, or a whole address with https.',
}

const wrongChoice: LocalizedText = { tr: 'yes ya da no olmalıdır.', en: 'Must be yes or no.' }
