import type { LazyCommand } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'

/** Commands about merchants and their keys, in the order of the help. */
export const merchantCommands: readonly LazyCommand<Services>[] = [
  {
    name: 'merchant list',
    about: 'Lists all merchants.',
    example: 'vezne merchant list',
    load: async () => (await import('./list-merchants.ts')).listMerchantsCommand,
  },
  {
    name: 'merchant show',
    about: 'Shows all settings of a merchant.',
    example: 'vezne merchant show 10000000000001',
    load: async () => (await import('./show-merchant.ts')).showMerchantCommand,
  },
  {
    name: 'merchant change',
    about:
      'Changes the given settings of a merchant. The change takes effect in every instance within five seconds.',
    example: 'vezne merchant change 10000000000001 --white-label true --colour "#0b5fff"',
    load: async () => (await import('./change-merchant.ts')).changeMerchantCommand,
  },
  {
    name: 'merchant logo',
    about: 'Sets the logo that a merchant’s payment pages show, or removes it.',
    example: 'vezne merchant logo 10000000000001 logo.png',
    load: async () => (await import('./set-logo.ts')).setLogoCommand,
  },
  {
    name: 'merchant suspend',
    about: 'Suspends a merchant: every instance refuses its requests (403/913) within five seconds.',
    example: 'vezne merchant suspend 10000000000001',
    load: async () => (await import('./suspend-merchant.ts')).suspendMerchantCommand,
  },
  {
    name: 'merchant resume',
    about: 'Ends the suspension of a merchant.',
    example: 'vezne merchant resume 10000000000001',
    load: async () => (await import('./resume-merchant.ts')).resumeMerchantCommand,
  },
  {
    name: 'key create',
    about: 'Creates another key for a merchant. The key is shown only once.',
    example: 'vezne key create 10000000000001 --scope secret --label "order service"',
    load: async () => (await import('./create-key.ts')).createKeyCommand,
  },
  {
    name: 'key list',
    about: 'Lists the keys of a merchant by their hints. The keys themselves are not stored.',
    example: 'vezne key list 10000000000001',
    load: async () => (await import('./list-keys.ts')).listKeysCommand,
  },
  {
    name: 'key revoke',
    about:
      'Revokes a key and all tokens created with it. This takes effect in every instance within five seconds.',
    example: 'vezne key revoke 10000000000002',
    load: async () => (await import('./revoke-key.ts')).revokeKeyCommand,
  },
]
