import { createTokenRoute } from './create-token.ts'

export { AccessTokens } from './access-token.ts'
export { Authenticator, type Caller, credentialRefusals } from './authenticate.ts'
export { BrowserKeyWarnings, isLiveSecretKey } from './browser-key-warnings.ts'
export { createKey } from './create-key.ts'
export { CreateMerchant, createMerchant } from './create-merchant.ts'
export { type DemoMerchant, ensureDemoMerchant } from './demo-merchant.ts'
export { FailedCredentials } from './failed-credentials.ts'
export type { Merchant } from './merchant.ts'
export { MerchantCache } from './merchant-cache.ts'
export { newKeyText } from './merchant-key.ts'
export { recentMerchant } from './recent-merchant.ts'
export { revokeKey } from './revoke-key.ts'
export {
  merchantArgument,
  merchantOrDefault,
  merchantOrDefaultArgument,
  requireMerchant,
} from './show-merchant.ts'
export {
  activeMerchantPart,
  keysOfMerchant,
  lockMerchant,
  merchantById,
  merchantColumn,
  merchantFromRow,
  merchantIds,
  sellerColumn,
  sellerFromRow,
} from './store.ts'
export { setMerchantState } from './suspend-merchant.ts'

export const merchantRoutes = [createTokenRoute]
