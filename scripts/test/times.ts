import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const timesFile = join(import.meta.dirname, 'times.json')

/** Seconds per test file at the last `npm run test:all -- --keep-times`. */
type Times = Readonly<Record<string, number>>

function readTimes(): Times {
  return JSON.parse(readFileSync(timesFile, 'utf8'))
}

/**
 * Sorts the longest first, so that the run does not end with one long file alone. A file without a time may
 * be long.
 */
export function longestFirst(files: readonly string[]): string[] {
  const times = readTimes()
  const secondsOf = (file: string) => times[file] ?? Number.POSITIVE_INFINITY
  return files.toSorted(
    (one, other) => secondsOf(other) - secondsOf(one) || Number(one > other) - Number(one < other),
  )
}

/** Saves the times of this run. Existing files that did not run keep their saved time. */
export function saveTimes(tookMs: ReadonlyMap<string, number>, exists: (file: string) => boolean): void {
  const measured = [...tookMs].map(([file, ms]) => [file, Math.round(ms / 100) / 10] as const)
  const times = Object.entries({ ...readTimes(), ...Object.fromEntries(measured) })
  const sorted = times.filter(([file]) => exists(file)).sort(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(timesFile, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
