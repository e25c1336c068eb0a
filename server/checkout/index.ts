import type { PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { authenticatePayerRoute } from './authenticate-payer.ts'
import {
  bankReturnRoute,
  challengeNotificationRoute,
  threeDsMethodNotificationRoute,
} from './bank-return-routes.ts'
import { showBankBridgeRoute } from './show-bank-bridge.ts'
import { showCardCarrierFrameRoute } from './show-card-carrier-frame.ts'
import { showInstallmentOfferRoute } from './show-installment-offer.ts'
import { showNextBrowserStepRoute } from './show-next-browser-step.ts'
import { showPageRoute } from './show-page.ts'
import { showStatusRoute } from './show-status.ts'
import { takeCardRoute } from './take-card.ts'

export { mountAssets } from './files/assets.ts'
export { mountColours } from './files/colour-sheet.ts'
export { mountElementScript } from './files/element-script.ts'
export { defaultPageHeaders, policyHeaders } from './guard/content-security-policy.ts'
export { pageInventoryMarkdown } from './guard/page-inventory.ts'
export { isPageSecure } from './guard/page-security.ts'
export { mountPolicyReports } from './guard/policy-reports.ts'
export { httpErrorPageHtml } from './view/document.ts'

/** In the order in which a payer meets them. */
export const checkoutRoutes: readonly PageRoute<Services>[] = [
  showPageRoute,
  showInstallmentOfferRoute,
  takeCardRoute,
  showStatusRoute,
  showBankBridgeRoute,
  showNextBrowserStepRoute,
  threeDsMethodNotificationRoute,
  authenticatePayerRoute,
  challengeNotificationRoute,
  showCardCarrierFrameRoute,
  bankReturnRoute,
]
