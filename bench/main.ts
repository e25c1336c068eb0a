import { compareWithLimit, measureLatency } from './compare.ts'
import type { BenchEnvironment } from './environment.ts'
import { openBenchEnvironment } from './environment.ts'
import type {
  CostMeasure,
  LatencyMeasure,
  Measure,
  MixMeasure,
  PaymentMeasure,
  RatioMeasure,
} from './measures.ts'
import { measures } from './measures.ts'

/**
 * Runs the measures of measures.ts. Each measure writes a line of JSON to the standard output; remarks for
 * the operator go to the standard error.
 *
 * - `npm run bench` runs every measure, `npm run bench -- get_token` only that one.
 * - `--customers=10000` makes the large shop smaller than it should be, for a quick look.
 * - `--transactions=1000000` loads so many transactions before the first one is read or started.
 * - `--transfers=100000` makes the large ledger smaller.
 * - `--before=PATH` names another checkout whose rounds of the mixed load and of whole payments alternate with
 *   ours.
 * - `--only=own_frictionless,16` chooses configurations of the whole payments; `--seconds=1` and `--rounds=1`
 *   shorten them.
 * - `--memory-load=1800` measures the memory during half an hour of payments.
 */
const selected = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const sizes = {
  customers: sizeOf('customers', 1_000_000),
  transactions: sizeOf('transactions', 0),
  transfers: sizeOf('transfers', 2_000_000),
  before: textOf('before'),
  only: textOf('only')?.split(',') ?? [],
  wholeRounds: { seconds: sizeOf('seconds', 2), rounds: sizeOf('rounds', 3) },
  memoryLoadS: sizeOf('memory-load', 60),
}
const unknown = selected.filter((name) => !measures.some((measure) => measure.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no measure ${unknown.join(', ')}. There are: ${measures.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

// Every way to end disposes the scopes in order, so that neither the service nor PostgreSQL keeps running.
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => ending.abort(new Error(`ended by ${signal}`)))
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', (error) => ending.abort(error))

try {
  const chosen = measures.filter(({ name }) => selected.length === 0 || selected.includes(name))
  process.exit(await takeAll(chosen, ending.signal))
} catch (error) {
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

function sizeOf(name: string, otherwise: number): number {
  return Number(new RegExp(` --${name}=([\\d.]+)`).exec(process.argv.join(' '))?.[1] ?? otherwise)
}

function textOf(name: string): string | undefined {
  return process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(`--${name}=`.length)
}

async function takeAll(chosen: Measure[], signal: AbortSignal): Promise<number> {
  await using environment = await openBenchEnvironment(signal, sizes)
  const missed: string[] = []
  for (const measure of chosen) {
    const { lines, miss } = await take(measure, environment)
    for (const line of lines) process.stdout.write(`${JSON.stringify(line)}\n`)
    if (miss !== undefined) missed.push(`${measure.name}: ${miss}`)
  }
  for (const sentence of missed) process.stderr.write(`${sentence}\n`)
  return missed.length > 0 ? 1 : 0
}

interface Result {
  lines: object[]
  miss: string | undefined
}

function take(measure: Measure, environment: BenchEnvironment): Promise<Result> {
  if ('limit' in measure) return takeRatio(measure, environment)
  if ('mix' in measure) return takeMix(measure, environment)
  if ('pay' in measure) return takePayments(measure, environment)
  return 'most' in measure ? takeCost(measure, environment) : takeWait(measure, environment)
}

async function takeRatio(measure: RatioMeasure, environment: BenchEnvironment) {
  const line = await compareWithLimit(measure, environment)
  const { target = 0 } = measure
  return { lines: [line], miss: line.ratio < target ? `${line.ratio} is below ${target}` : undefined }
}

async function takeWait(measure: LatencyMeasure, environment: BenchEnvironment) {
  const line = await measureLatency(measure, environment)
  const { p95Ms } = measure
  return { lines: [line], miss: line.p95_ms > p95Ms ? `${line.p95_ms} ms is above ${p95Ms} ms` : undefined }
}

async function takeMix({ connections, mix }: MixMeasure, environment: BenchEnvironment) {
  const lines = await mix(environment, connections)
  const wrong = lines
    .filter(({ errors }) => errors > 0)
    .map(({ kind, errors }) => `${errors} errors of ${kind}`)
  return { lines, miss: wrong.length > 0 ? wrong.join('; ') : undefined }
}

async function takePayments({ target = 0, pay }: PaymentMeasure, environment: BenchEnvironment) {
  const lines = await pay(environment)
  const low = lines
    .filter(({ ratio }) => ratio < target)
    .map(({ mode, at_once, ratio }) => `${ratio} of ${mode} at ${at_once} is below ${target}`)
  return { lines, miss: low.length > 0 ? low.join('; ') : undefined }
}

/** A figure that is not available, for example memory without /proc, misses no target. */
async function takeCost(
  { name, most, least = {}, take: figuresOf }: CostMeasure,
  environment: BenchEnvironment,
) {
  const figures = await figuresOf(environment)
  const figureOf = (figure: string) => figures[figure] ?? Number.NaN
  const above = Object.entries(most).filter(([figure, limit]) => figureOf(figure) > limit)
  const below = Object.entries(least).filter(([figure, limit]) => figureOf(figure) < limit)
  const miss = [
    ...above.map(([figure, limit]) => `${figure} is ${figures[figure]}, above ${limit}`),
    ...below.map(([figure, limit]) => `${figure} is ${figures[figure]}, below ${limit}`),
  ].join('; ')
  return { lines: [{ name, ...figures }], miss: miss === '' ? undefined : miss }
}
