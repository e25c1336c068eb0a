/** How long to wait, as the settings say. */
export interface BankRetrySchedule {
  inquireAfterSeconds: readonly number[]
  reverseAgainAfterSeconds: readonly number[]
}
