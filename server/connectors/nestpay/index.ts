import type { Connector } from '../contract/contract.ts'
import { supportedCurrencies } from './amount.ts'
import { NestpayBank } from './bank.ts'
import { nestpayAuthenticationCodes, nestpayDeclineCodes, nestpayUnknownCodes } from './decline-reasons.ts'
import { acceptHalf3dSettingField, endpointUrl, liveSettingFields } from './settings.ts'

const gate = '/fim/est3Dgate'
const api = '/fim/api'

const shared = {
  secrets: [
    { name: 'client_id', about: 'Store number (mağaza kodu, client id).' },
    { name: 'name', about: 'API user name.' },
    { name: 'password', about: 'Password of the API user.' },
    { name: 'store_key', about: 'Key that signs 3-D Secure messages (store key, 3D anahtarı).' },
  ],
  currencies: supportedCurrencies,
  declineCodes: nestpayDeclineCodes,
  unknownCodes: nestpayUnknownCodes,
  authenticationCodes: nestpayAuthenticationCodes,
}

/** Gateway shared by many Turkish banks. The settings name the bank's address. */
export const nestpay: Connector = {
  ...shared,
  name: 'nestpay',
  about:
    'A bank on NestPay (EST): İşbank, Halkbank, TEB, Ziraat and others. Uses the bank’s own 3-D Secure page.',
  mode: 'live',
  settings: liveSettingFields,
  open: (tools, access) => {
    const { address = '', gate: toGate = gate, api: toApi = api } = access.settings
    return new NestpayBank(tools, access, {
      gate: endpointUrl(address, toGate),
      api: endpointUrl(address, toApi),
    })
  },
}

/** NestPay at the sandbox bank, for test merchants. The sandbox registers a store on its first request. */
export const sandboxNestpay: Connector = {
  ...shared,
  name: 'sandbox-nestpay',
  about: 'The sandbox bank with the NestPay protocol, for test merchants.',
  mode: 'test',
  settings: [acceptHalf3dSettingField],
  issueSecrets: (random) => {
    const clientId = String(100_000_000_000 + (random.bytes(6).readUIntBE(0, 6) % 900_000_000_000))
    return {
      client_id: clientId,
      name: `api${random.bytes(6).toString('hex')}`,
      password: random.bytes(24).toString('base64url'),
      store_key: `SKEY${clientId}`,
    }
  },
  open: (tools, access) =>
    new NestpayBank(tools, access, {
      gate: endpointUrl(access.sandboxUrl, gate),
      api: endpointUrl(access.sandboxUrl, api),
    }),
}
