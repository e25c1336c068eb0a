import type { PageRoute } from '../../kit/http/page-route.ts'
import type { Services } from '../services.ts'
import { authenticatePayerRoute } from './authenticate-payer.ts'
import {
  bankReturnRoute,
  challengeNotificationRoute,
  threeDsMethodNotificationRoute,
} from './bank-return-routes.ts'
import { showCardPostingFrameRoute } from './show-card-posting-frame.ts'
import { showInstallmentOfferRoute } from './show-installment-offer.ts'
import { showNextBrowserStepRoute } from './show-next-browser-step.ts'
import { showPageRoute } from './show-page.ts'
import { showPageStateRoute } from './show-page-state.ts'
import { showReceiptRoute } from './show-receipt.ts'
import { showThreeDsBridgeRoute } from './show-three-ds-bridge.ts'
import { takeCardRoute } from './take-card.ts'

export { mountAssets } from './files/assets.ts'
export { mountElementScript } from './files/element-script.ts'
export { pageOriginHeaders, policyHeaders } from './guard/content-security-policy.ts'
export { pageInventoryMarkdown } from './guard/page-inventory.ts'
export { isCardEntrySecure } from './guard/page-security.ts'
export { mountPolicyReports } from './guard/policy-reports.ts'
export { failedAttemptText } from './texts/failed-attempt-text.ts'
export { httpErrorPageHtml } from './view/document.ts'

/** Routes in the order in which a payer uses them. */
export const checkoutRoutes: readonly PageRoute<Services>[] = [
  showPageRoute,
  showInstallmentOfferRoute,
  takeCardRoute,
  showPageStateRoute,
  showThreeDsBridgeRoute,
  showNextBrowserStepRoute,
  threeDsMethodNotificationRoute,
  authenticatePayerRoute,
  challengeNotificationRoute,
  showCardPostingFrameRoute,
  bankReturnRoute,
  showReceiptRoute,
]
