import { receiveResultsRoute } from './receive-results.ts'

export { authenticate } from './authenticate.ts'
export type { Authentication } from './authentication.ts'
export { beginAuthentication } from './begin-authentication.ts'
export { type Explanation, explanationOf } from './explanation.ts'
export { settled } from './finish-authentication.ts'
export { noteChallenge, noteMethod } from './note-return.ts'
export { processDueAuthentications, threeDsJobs } from './process-due-authentications.ts'
export type { BrowserFacts } from './protocol/browser.ts'
export { pullBackAuthentications } from './pull-back.ts'
export { receiveReturn } from './receive-return.ts'
export {
  type AuthenticationPhase,
  type BrowserStep,
  type FrameSize,
  type PaymentWithAuthentication,
  provingOf,
  stepOf,
} from './step.ts'
export { authenticationColumn, authenticationIn } from './store.ts'

/** What servers of 3-D Secure come to. What browsers come to is in the checkout. */
export const threeDsRoutes = [receiveResultsRoute]
