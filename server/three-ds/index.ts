import { receiveResultsRoute } from './receive-results.ts'

export { authenticateThenNextStep } from './authenticate-then-next-step.ts'
export type { Authentication } from './authentication.ts'
export {
  type BrowserStep,
  type FrameSize,
  nextBrowserStep,
  type OwnThreeDsProgress,
  ownThreeDsProgressOf,
} from './browser-step.ts'
export { type ThreeDsCode, threeDsCodeOf, threeDsCodes } from './decline-codes.ts'
export { awaitBackgroundWork } from './finish-authentication.ts'
export { prepareAuthentication } from './prepare-authentication.ts'
export { processDueAuthentications, threeDsJobs } from './process-due-authentications.ts'
export type { BrowserFacts } from './protocol/browser.ts'
export { receiveBankPageReturn } from './receive-bank-page-return.ts'
export { recordChallengeReturn, recordMethodCompletion } from './record-browser-return.ts'
export { type RefusalTextsForPayer, refusalTextsForPayer } from './refusal-texts-for-payer.ts'
export { repairAuthenticationDueTimes } from './repair-due-times.ts'
export { authenticationFromRow, type LastAuthenticationRow, lastAuthenticationJsonColumn } from './store.ts'

/** Routes for 3-D Secure servers. The routes for browsers are in the checkout. */
export const threeDsRoutes = [receiveResultsRoute]
