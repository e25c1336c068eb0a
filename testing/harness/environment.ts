/** Seed of tests with random input, to repeat a failed run. Without it each test chooses one. */
export function testSeed(): number | undefined {
  const seed = Number(process.env['TEST_SEED'] || Number.NaN)
  return Number.isInteger(seed) ? seed : undefined
}

/** True for `npm run test:all` and for named files. Tests with repetitions then run all of them. */
export function isFullTestRun(): boolean {
  return process.env['TEST_TIER'] === 'all'
}

/**
 * Address of the database cluster of the test run. `npm test` starts it; running a file with plain `node`
 * does not.
 */
export function testDatabaseUrl(): string {
  const url = process.env['TEST_DATABASE_URL']
  if (url === undefined)
    throw new Error('Tests need a database: run them by `npm test`, or `npm test -- FILE`')
  return url
}
