import { isFullTestRun } from '../config.ts'

/** How often a test repeats itself with other input: as given in `npm run test:all`, a tenth of it in `npm test`. */
export function repetitions(count: number): number {
  return isFullTestRun() ? count : Math.ceil(count / 10)
}
