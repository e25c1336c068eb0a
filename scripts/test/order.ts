/**
 * The files that take longest, so that they are started first and all processors end at the same time. A run tells its
 * slowest files at its end; one that is missing here costs seconds, nothing else.
 */
const longest = [
  'server/start.test.ts',
  'server/payments/attempts/crash.test.ts',
  'server/three-ds/crash.test.ts',
  'server/testing/every-route/bad-input.test.ts',
  'server/payments/attempts/two-copies.test.ts',
  'server/sandbox-process.test.ts',
  'server/database/embedded/index.test.ts',
  'server/testing/every-route/fuzz.test.ts',
  'server/payments/attempts/database-faults.test.ts',
  'server/three-ds/every-card.test.ts',
  'server/connectors/suite.test.ts',
  'server/testing/every-route/bad-requests.test.ts',
  'server/payments/attempts/life.test.ts',
  'server/database/embedded/survival.test.ts',
  'server/payments/check-ledger.test.ts',
  'server/payments/attempts/lying-bank.test.ts',
  'server/commands.test.ts',
  'scripts/readme.test.ts',
]

/** What is not named keeps its order and comes after. */
export function longestFirst(files: readonly string[]): string[] {
  const first = longest.filter((file) => files.includes(file))
  return [...first, ...files.filter((file) => !first.includes(file))]
}
