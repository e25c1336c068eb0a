import type { PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { challengeNotificationRoute, comeBack, methodNotificationRoute } from './come-back.ts'
import { provePayer } from './prove-payer.ts'
import { showBank } from './show-bank.ts'
import { showCarrier } from './show-carrier.ts'
import { showOffer } from './show-offer.ts'
import { showPage } from './show-page.ts'
import { showStatus } from './show-status.ts'
import { showStep } from './show-step.ts'
import { takeCard } from './take-card.ts'

export { mountAssets } from './files/assets.ts'
export { mountColours } from './files/colour-sheet.ts'
export { mountElement } from './files/element-script.ts'
export { inventory } from './guard/inventory.ts'
export { pageHeaders, policyHeaders } from './guard/policy.ts'
export { isGuarded } from './guard/real-cards.ts'
export { mountReports } from './guard/reports.ts'
export { failurePage } from './view/document.ts'

/** In the order in which a payer meets them. */
export const checkoutRoutes: readonly PageRoute<Services>[] = [
  showPage,
  showOffer,
  takeCard,
  showStatus,
  showBank,
  showStep,
  methodNotificationRoute,
  provePayer,
  challengeNotificationRoute,
  showCarrier,
  comeBack,
]
