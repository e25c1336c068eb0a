import { compare } from './compare.ts'
import type { Measure } from './measures.ts'
import { measures } from './measures.ts'
import { openStage } from './stage.ts'

/**
 * `npm run bench` takes every measure of measures.ts, `npm run bench -- get_token` that one alone. A line of JSON per
 * measure goes to the standard output, everything for people to the standard error.
 */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !measures.some((measure) => measure.name === name))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no measure ${unknown.join(', ')}. There are: ${measures.map(({ name }) => name).join(', ')}\n`,
  )
  process.exit(2)
}

// Whatever ends us ends our scopes in order, so that neither the service nor PostgreSQL is left running.
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => ending.abort(new Error(`ended by ${signal}`)))
}
for (const stream of [process.stdout, process.stderr]) stream.on('error', (error) => ending.abort(error))

try {
  const chosen = measures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  process.exit(await takeAll(chosen, ending.signal))
} catch (error) {
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

async function takeAll(chosen: Measure[], signal: AbortSignal): Promise<number> {
  await using stage = await openStage(signal)
  const missed: string[] = []
  for (const measure of chosen) {
    const line = await compare(measure, stage)
    process.stdout.write(`${JSON.stringify(line)}\n`)
    if (line.ratio < (measure.target ?? 0))
      missed.push(`${line.name}: ${line.ratio} is below ${measure.target}`)
  }
  for (const sentence of missed) process.stderr.write(`${sentence}\n`)
  return missed.length > 0 ? 1 : 0
}
