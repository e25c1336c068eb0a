import { isIP } from 'node:net'
import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { PosSettingField } from './contract.ts'

/** Setting of every connector to a live bank: the bank's address. */
export const bankAddressSettingField: PosSettingField = {
  name: 'address',
  about: 'Address of the bank without a path, for example https://sanalpos.example.com.tr.',
  read: (text) => {
    const url = bankAddress(text)
    return url && url.href === `${url.origin}/` ? { value: url.origin } : wrongAddress
  },
}

/** Reads a bank's address on the internet: https and a public host name. Returns undefined for any other. */
export function bankAddress(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || !/^[\x21-\x7e]+$/.test(text)) return undefined
  const host = url.hostname.replace(/\.$/, '')
  const isNumber = isIP(host) !== 0 || host.startsWith('[')
  // The host is put into browser policies unchanged, so it must be a plain name.
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/.test(host)
  const isNear = /\.(localhost|local|internal|lan|home|svc)$/.test(host)
  const hasMore = url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== ''
  return isNumber || !isName || isNear || hasMore ? undefined : url
}

const wrongAddress: LocalizedText = {
  tr: 'Bankanın https:// ile başlayan, yol içermeyen adresi olmalıdır: https://sanalpos.example.com.tr. IP adresi ve localhost kullanılamaz.',
  en: 'Must be the bank’s address, with https and without a path: https://sanalpos.example.com.tr. IP addresses and localhost are not allowed.',
}
