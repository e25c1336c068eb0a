import type { PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { authenticatePayerRoute } from './authenticate-payer.ts'
import { bankReturnRoute, challengeNotificationRoute, methodNotificationRoute } from './bank-return-routes.ts'
import { showBridgeRoute } from './show-bridge.ts'
import { showCarrierRoute } from './show-carrier.ts'
import { showOfferRoute } from './show-offer.ts'
import { showPageRoute } from './show-page.ts'
import { showStatusRoute } from './show-status.ts'
import { showStepRoute } from './show-step.ts'
import { takeCardRoute } from './take-card.ts'

export { mountAssets } from './files/assets.ts'
export { mountColours } from './files/colour-sheet.ts'
export { mountElement } from './files/element-script.ts'
export { pageHeaders, policyHeaders } from './guard/content-security-policy.ts'
export { pageInventory } from './guard/page-inventory.ts'
export { isPageSecure } from './guard/page-security.ts'
export { mountPolicyReports } from './guard/policy-reports.ts'
export { failurePage } from './view/document.ts'

/** In the order in which a payer meets them. */
export const checkoutRoutes: readonly PageRoute<Services>[] = [
  showPageRoute,
  showOfferRoute,
  takeCardRoute,
  showStatusRoute,
  showBridgeRoute,
  showStepRoute,
  methodNotificationRoute,
  authenticatePayerRoute,
  challengeNotificationRoute,
  showCarrierRoute,
  bankReturnRoute,
]
