export { bankTimeZone } from './records/bank-day.ts'
export type { Modification } from './records/modification.ts'
export { markVerifiedByStatement } from './records/verification.sql.ts'
export { recordStatementDifference } from './verifications/record-statement-difference.ts'
