import type { TestContext, TestOptions } from 'node:test'
import { it } from 'node:test'
import { isFullTestRun } from './environment.ts'

/**
 * Number of repetitions with other input: all in `npm run test:all` and for a named file, a tenth in `npm
 * test`.
 */
export function repetitions(count: number): number {
  return isFullTestRun() ? count : Math.ceil(count / 10)
}

/** A test that takes seconds or starts processes: `npm test` leaves it out, unless its file is named. */
export function longIt(
  name: string,
  test: (t: TestContext) => Promise<void>,
  options: TestOptions = {},
): void {
  if (isFullTestRun()) it(name, options, test)
}
