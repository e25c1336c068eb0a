import type { Connector } from '../contract/contract.ts'
import { SandboxBank } from './bank.ts'
import { sandboxDeclineCodes } from './read-response.ts'
import { sandboxSettingFields } from './settings.ts'

/** Sandbox bank for test merchants. It accepts any new POS. */
export const sandbox: Connector = {
  name: 'sandbox',
  about: 'The sandbox bank, for test merchants.',
  mode: 'test',
  secrets: [
    { name: 'terminal', about: 'Number of the POS at the bank.' },
    { name: 'password', about: 'Password of the POS at the bank.' },
  ],
  settings: sandboxSettingFields,
  declineCodes: sandboxDeclineCodes,
  issueSecrets: (random) => ({
    terminal: String(random.bytes(4).readUInt32BE()).padStart(10, '0'),
    password: random.bytes(24).toString('base64url'),
  }),
  open: (tools, access) => new SandboxBank(tools, access),
}
