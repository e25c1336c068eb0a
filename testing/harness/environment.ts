import { execFileSync } from 'node:child_process'

/** Seed of tests with random input, to repeat a failed run. Without it each test chooses one. */
export function testSeed(): number | undefined {
  const seed = Number(process.env['TEST_SEED'] || Number.NaN)
  return Number.isInteger(seed) ? seed : undefined
}

/** Number of payments of the drill of a failing worker: TEST_PAYMENTS, or the given number. */
export function drillPaymentCount(usual: number): number {
  return Number(process.env['TEST_PAYMENTS'] || usual)
}

/** True for `npm run test:all` and for named files. Tests with repetitions then run all of them. */
export function isFullTestRun(): boolean {
  return process.env['TEST_TIER'] === 'all'
}

/**
 * Addresses of the servers of the test run, the coordinator of a Citus first. `npm test` sets them; running a
 * file with plain `node` does not.
 */
export function testServerUrls(): readonly [url: string, ...workers: string[]] {
  const [url, ...workers] = process.env['TEST_SERVER_URLS']?.split(' ') ?? []
  if (url === undefined)
    throw new Error('Tests need a database: run them by `npm test`, or `npm test -- FILE`')
  return [url, ...workers]
}

/** Options of a test that needs Citus, and of one that needs a single server: the other run skips it by name. */
export const onCitusOnly = () => ({ skip: isOnCitus() ? false : 'needs Citus (TEST_DATABASE_URL)' })
export const onOneServerOnly = () => ({ skip: isOnCitus() ? 'needs one server' : false })

/** True if the test run uses a Citus. */
export function isOnCitus(): boolean {
  return testServerUrls().length > 1
}

/** Folder with the programs of the PostgreSQL that is installed on this machine, or PG_BIN. */
export function installedPostgres(): string {
  return process.env['PG_BIN'] ?? execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
}
