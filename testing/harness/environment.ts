/** The seed of tests that make their own input, to repeat one that failed. They choose one when it is not set. */
export function testSeed(): number | undefined {
  const seed = Number(process.env['TEST_SEED'] || Number.NaN)
  return Number.isInteger(seed) ? seed : undefined
}

/** Whether `npm run test:all` runs, or single files: then tests that repeat themselves do it as often as they can. */
export function isFullTestRun(): boolean {
  return process.env['TEST_TIER'] === 'all'
}

/** Where the database cluster of the test run is. `npm test` starts one; a test file alone cannot. */
export function testDatabaseUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined)
    throw new Error('Tests need a database: run them by `npm test`, or `npm test -- FILE`')
  return url
}
