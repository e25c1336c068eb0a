import { receiveResultsRoute } from './receive-results.ts'

export { authenticateThenNextStep } from './authenticate-then-next-step.ts'
export type { Authentication } from './authentication.ts'
export {
  type BrowserStep,
  nextBrowserStep,
  type OwnThreeDsProgress,
  ownThreeDsProgressOf,
} from './browser-step.ts'
export { type ThreeDsCode, threeDsCodeOf, threeDsCodes } from './decline-codes.ts'
export { type RefusalTextsForPayer, refusalTextsForPayer } from './failure-reason-texts.ts'
export { prepareAuthentication } from './prepare-authentication.ts'
export {
  dueAuthenticationJob,
  processDueAuthentications,
  repairAuthenticationDueTimes,
} from './process-due-authentications.ts'
export type { BrowserFacts } from './protocol/browser.ts'
export type { FrameSize } from './protocol/creq.ts'
export { receiveBankPageReturn } from './receive-bank-page-return.ts'
export { recordChallengeReturn, recordMethodCompletion } from './record-browser-return.ts'
export { authenticationFromRow, type LastAuthenticationRow, lastAuthenticationJsonColumn } from './store.ts'

/** Routes for 3-D Secure servers. The routes for browsers are in the checkout. */
export const threeDsRoutes = [receiveResultsRoute]
