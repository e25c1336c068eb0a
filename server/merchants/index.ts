import { changeMerchantCommand } from './change-merchant.ts'
import { createKeyCommand } from './create-key.ts'
import { createMerchantCommand } from './create-merchant.ts'
import { createTokenRoute } from './create-token.ts'
import { listKeysCommand } from './list-keys.ts'
import { listMerchantsCommand } from './list-merchants.ts'
import { resumeMerchantCommand } from './resume-merchant.ts'
import { revokeKeyCommand } from './revoke-key.ts'
import { showMerchantCommand } from './show-merchant.ts'
import { suspendMerchantCommand } from './suspend-merchant.ts'

export { Authenticator, type Caller, credentialRefusals } from './authenticate.ts'
export { createKey } from './create-key.ts'
export { createMerchant } from './create-merchant.ts'
export { type Demo, ensureDemoMerchant } from './demo-merchant.ts'
export { Directory } from './directory.ts'
export type { Merchant } from './merchant.ts'
export { rememberedMerchant } from './remembered-merchant.ts'
export { revokeKey } from './revoke-key.ts'
export { meantMerchant, merchantPlace, theMerchant } from './show-merchant.ts'
export {
  holdMerchant,
  keysOfMerchant,
  merchantById,
  merchantColumn,
  merchantIn,
  sellerColumn,
  sellerIn,
} from './store.ts'
export { setMerchantState } from './suspend-merchant.ts'
export { Tokens } from './token.ts'

export const merchantRoutes = [createTokenRoute]

export const merchantCommands = [
  createMerchantCommand,
  listMerchantsCommand,
  showMerchantCommand,
  changeMerchantCommand,
  suspendMerchantCommand,
  resumeMerchantCommand,
  createKeyCommand,
  listKeysCommand,
  revokeKeyCommand,
]
