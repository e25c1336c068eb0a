import type { LocalizedText } from '../../../kit/text/locale.ts'
import { bankAddress, bankAddressSettingField } from '../contract/bank-address.ts'
import type { PosSettingField } from '../contract/contract.ts'

/** Accepts cards that are not enrolled or only attempted, at the merchant's risk. */
export const acceptHalf3dSettingField: PosSettingField = {
  name: 'accept_half_3d',
  about:
    'yes also charges cards that are not enrolled or only attempted (mdStatus 2, 3, 4), at the merchant’s risk; no refuses them.',
  defaultValue: 'no',
  read: (text) => (text === 'yes' || text === 'no' ? { value: text } : wrongChoice),
}

export const liveSettingFields: readonly PosSettingField[] = [
  bankAddressSettingField,
  {
    name: 'gate',
    about: 'Path that the payer’s browser posts the card to, or a whole address if it is on another host.',
    defaultValue: '/fim/est3Dgate',
    read: readEndpoint,
  },
  {
    name: 'api',
    about: 'Path of the bank’s payment API, or a whole address if it is on another host.',
    defaultValue: '/fim/api',
    read: readEndpoint,
  },
  acceptHalf3dSettingField,
]

/** Joins a path to the address; a complete address stays as it is. */
export function endpointUrl(address: string, endpoint: string): string {
  return endpoint.startsWith('/') ? `${address}${endpoint}` : endpoint
}

function readEndpoint(text: string): { value: string } | LocalizedText {
  if (/^\/(?!\/)[\w./-]*$/.test(text) && !text.includes('..')) return { value: text }
  const url = bankAddress(text)
  return url ? { value: url.href } : wrongEndpoint
}

const wrongEndpoint: LocalizedText = {
  tr: '/fim/api gibi bir yol veya https:// ile başlayan tam bir adres olmalıdır.',
  en: 'Must be a path such as /fim/api, or a complete address with https.',
}

const wrongChoice: LocalizedText = { tr: 'yes veya no olmalıdır.', en: 'Must be yes or no.' }
