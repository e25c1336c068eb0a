import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BinTable, CardKind } from '../server/bins/index.ts'
import { banks, kindOfBin } from '../server/bins/index.ts'
import { Child, usageOf } from './child.ts'
import type { BenchEnvironment } from './environment.ts'

const defaultTable = join(import.meta.dirname, '..', 'server', 'bins', 'default.csv')

/** Ten BINs for every row of the built-in table: some hundreds of known BINs. */
export function knownBins(): number[] {
  const [, ...rows] = readFileSync(defaultTable, 'utf8').trimEnd().split('\n')
  const prefixes = rows.map((row) => row.slice(0, row.indexOf(',')))
  const all = prefixes.flatMap((prefix) =>
    Array.from({ length: 10 }, (_, ending) => Number(`${prefix}${ending}0`.padEnd(8, '0').slice(0, 8))),
  )
  return [...new Set(all)]
}

/** Rows of a table with all cards of a country, most of them with eight digits. */
const rowsByLength: readonly [length: number, count: number][] = [
  [6, 20_000],
  [7, 40_000],
  [8, 340_000],
]

const lookUps = 1_000_000
const rounds = 7

/** Time of one look-up in a large table. Half of the BINs belong to a row. */
export async function binLookUpCost(): Promise<{ us: number }> {
  const table = largeTable()
  const bins = binsToFind()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now()
    const found = countFound(table, bins)
    times.push(((performance.now() - startedAt) * 1000) / bins.length)
    if (found < bins.length / 2 || found === bins.length) throw new Error(`${found} look-ups found something`)
  }
  return { us: Number((times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN).toFixed(3)) }
}

/** Time and memory of `vezne bins import` with a large file. */
export async function binImportCost({
  settings,
  signal,
}: BenchEnvironment): Promise<{ s: number; peak_mb: number }> {
  using scope = new DisposableStack()
  const folder = scope.adopt(mkdtempSync(join(tmpdir(), 'vezne-bench-bins-')), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  const file = join(folder, 'bins.csv')
  writeLargeFile(file)
  const startedAt = performance.now()
  await using command = new Child('server/main.ts', ['bins', 'import', file], settings)
  let peakMb = 0
  const watching = setInterval(() => {
    // The last value stays when the process has already ended.
    peakMb = usageOf(command.pid).peakMb || peakMb
  }, watchEveryMs)
  const stop = () => command.kill()
  signal.addEventListener('abort', stop)
  const how = await command.ended
  clearInterval(watching)
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (how !== 'exit code 0') throw new Error(`the import ended with ${how}`)
  return { s: Number(((performance.now() - startedAt) / 1000).toFixed(2)), peak_mb: Math.round(peakMb) }
}

const watchEveryMs = 10

function countFound(table: BinTable, bins: Uint32Array): number {
  let found = 0
  for (const bin of bins) if (kindOfBin(table, bin)) found += 1
  return found
}

/** Every second BIN begins with the digits of a row, the others with any digits. Each is looked up once. */
function binsToFind(): Uint32Array {
  const rows = largePrefixes()
  return Uint32Array.from({ length: lookUps }, (_, index) => {
    if (index % 2 === 0) return prefixAt(8, index * 7 + 1)
    const prefix = rows[(index * leap) % rows.length] ?? 0
    return Number(`${prefix}${index % 100}`.padEnd(8, '0').slice(0, 8))
  })
}

function largeTable(): BinTable {
  const prefixes = largePrefixes()
  const kinds = largeKinds()
  const rows = new Map<number, CardKind>()
  for (const [index, prefix] of prefixes.entries()) {
    const kind = kinds[(index * leap) % kinds.length]
    if (kind) rows.set(prefix, kind)
  }
  return { origin: { source: 'bench', asOf: '2026-11-15' }, rows }
}

function writeLargeFile(file: string): void {
  const kinds = largeKinds()
  const prefixes = [...largePrefixes()]
  writeFileSync(
    file,
    'bin_number,bank_code,bank_name,card_brand,card_type,card_family,card_segment,country,prepaid\n',
  )
  for (let start = 0; start < prefixes.length; start += linesAtOnce) {
    const lines = prefixes.slice(start, start + linesAtOnce).map((prefix, index) => {
      const kind = kinds[((start + index) * leap) % kinds.length]
      if (!kind) throw new Error('a row has no kind')
      const { bankCode, bankName, brand, type, family, segment, country } = kind
      return `${prefix},${bankCode},${bankName},${brand},${type},${family ?? ''},${segment},${country},0\n`
    })
    appendFileSync(file, lines.join(''))
  }
}

const linesAtOnce = 20_000

function largePrefixes(): Uint32Array {
  return Uint32Array.from(
    rowsByLength.flatMap(([length, count]) =>
      Array.from({ length: count }, (_, index) => prefixAt(length, index)),
    ),
  )
}

/** Prime that divides no number of prefixes: steps of this length reach each prefix once, in mixed order. */
const leap = 104_729

/** Prefix with this length and index. */
function prefixAt(length: number, index: number): number {
  const least = 10 ** (length - 1)
  return least + ((index * leap) % (9 * least))
}

/** Four kinds of card for every bank, about as many as a country has. */
function largeKinds(): CardKind[] {
  return [...banks].flatMap(([bankCode, bankName]) =>
    (['visa', 'mastercard'] as const).flatMap((brand) =>
      (['credit', 'debit'] as const).map(
        (type): CardKind => ({
          bankCode,
          bankName,
          brand,
          type,
          family: type === 'credit' ? 'bonus' : null,
          segment: 'personal',
          country: 'TR',
          prepaid: false,
        }),
      ),
    ),
  )
}
