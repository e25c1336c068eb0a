import { concludeAttemptCommand } from './attempts/conclude-attempt.ts'
import { listUnknownCommand } from './attempts/list-unknown.ts'
import { sweepJobs } from './attempts/sweep.ts'
import { checkLedgerCommand } from './check-ledger.ts'
import { listPaymentsCommand } from './list-payments.ts'
import { readTransactionRoute } from './read-transaction.ts'
import { showPaymentCommand } from './show-payment.ts'
import { startPaymentRoute } from './start-payment.ts'

export { abandonAttempt, type Ending } from './attempts/abandon-attempt.ts'
export type { Attempt } from './attempts/attempt.ts'
export { attemptOf } from './attempts/attempt-of.ts'
export { type Authorized, authorizeAttempt, type Proof, type Proven } from './attempts/authorize-attempt.ts'
export type { Situation } from './attempts/decide.ts'
export { paymentById } from './attempts/store.ts'
export {
  type Companion,
  type Submission,
  type Submitted,
  submitCard,
  type Way,
} from './attempts/submit-card.ts'
export { attendDue, expireDue } from './attempts/sweep.ts'
export { type PageToken, readPageToken } from './page-address.ts'
export {
  type Counter,
  counterColumns,
  counterIn,
  gatheredPage,
  type OpenPage,
  type PageQuestion,
  type PageRow,
  pageIn,
  pageRowsStatement,
  pageStatement,
} from './pages/store.ts'
export { type Comer, type Errand, type Passage, passageTo, readPassage } from './passage.ts'
export { asksPayer, type Item, type Payment } from './payment.ts'
export { returnAddress } from './redirect-url.ts'
export { startPayment } from './start-payment.ts'
export { mostAttempts } from './states.ts'
export { ShownTransaction, shownTransaction, type Transaction } from './transaction.ts'

/** In the order in which a reader meets them. */
export const paymentRoutes = [startPaymentRoute, readTransactionRoute]

export const paymentCommands = [
  listPaymentsCommand,
  showPaymentCommand,
  listUnknownCommand,
  concludeAttemptCommand,
  checkLedgerCommand,
]

export const paymentJobs = sweepJobs
