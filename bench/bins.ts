import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const defaultTable = join(import.meta.dirname, '..', 'server', 'bins', 'default.csv')

/** Ten BINs of every row in the table that comes with the program: some hundreds, each of which is known. */
export function knownBins(): number[] {
  const [, ...rows] = readFileSync(defaultTable, 'utf8').trimEnd().split('\n')
  const prefixes = rows.map((row) => row.slice(0, row.indexOf(',')))
  const all = prefixes.flatMap((prefix) =>
    Array.from({ length: 10 }, (_, ending) => Number(`${prefix}${ending}0`.padEnd(8, '0').slice(0, 8))),
  )
  return [...new Set(all)]
}
