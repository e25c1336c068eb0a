import { createTokenRoute } from './create-token.ts'

export { Authenticator, type Caller, credentialRefusals } from './authenticate.ts'
export { BrowserKeyWarnings, isLiveSecretKey } from './browser-key-warnings.ts'
export { createKey } from './create-key.ts'
export { createMerchant } from './create-merchant.ts'
export { type Demo, ensureDemoMerchant } from './demo-merchant.ts'
export { FailedCredentials } from './failed-credentials.ts'
export { newKeyText } from './key.ts'
export type { Merchant } from './merchant.ts'
export { MerchantCache } from './merchant-cache.ts'
export { rememberedMerchant } from './remembered-merchant.ts'
export { revokeKey } from './revoke-key.ts'
export { meantMerchant, merchantPlace, theMerchant } from './show-merchant.ts'
export {
  keysOfMerchant,
  lockMerchant,
  merchantById,
  merchantColumn,
  merchantIn,
  sellerColumn,
  sellerIn,
} from './store.ts'
export { setMerchantState } from './suspend-merchant.ts'
export { Tokens } from './token.ts'

export const merchantRoutes = [createTokenRoute]
