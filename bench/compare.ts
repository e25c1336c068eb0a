import type { BareOptions } from './bare.ts'
import { Child, usageOf } from './child.ts'
import type { BenchEnvironment, Server } from './environment.ts'
import { poolSize } from './environment.ts'
import { limitRequests, plainAnswer } from './limits.ts'
import type { LoadResult, LoadTask } from './load.ts'
import type { LatencyMeasure, RatioMeasure } from './measures.ts'
import { median } from './percentile.ts'
import type { HttpRequest } from './request.ts'
import { answerLength, answerText, rawRequest } from './request.ts'

/** Printed line of a ratio measure. */
export interface RatioLine {
  name: string
  per_s: number
  limit: string
  limit_per_s: number
  ratio: number
  p99_ms: number
  rss_mb: number
}

const connections = 32
const warmUpS = 4
/**
 * Many short rounds, because the speed of a machine, above all of a virtual one, changes from second to
 * second. Compared with itself, the limit was off by up to 13 % in seven rounds of two seconds, and by up to
 * 2 % in thirty rounds of half a second.
 */
const rounds = 30
const roundS = 0.5
/** Least share of a core that a busy server without a database uses when no other program takes the core. */
const busyLoad = 0.9
const messageTimeoutMs = 20_000

/** One of the two servers in a comparison: its requests and its result in each round. */
interface Side {
  name: string
  server: Server
  requests: HttpRequest[]
  outcomes: (LoadResult & { serverLoad: number })[]
}

/**
 * Compares one measure with its limit. Rounds alternate, and so does the order in a round, so that other load
 * on the machine affects both sides.
 */
export async function compareWithLimit(
  measure: RatioMeasure,
  environment: BenchEnvironment,
): Promise<RatioLine> {
  const requests = await measure.requests(environment)
  const isOfService = measure.of !== 'bare'
  const answer = await answerOf(measure, environment, requests)
  await using bare = await startBare({ databaseUrl: environment.databaseUrl, poolSize, answer })
  const server = measure.of === 'bare' ? bare : environment[measure.of]
  const measured: Side = { name: measure.name, server, requests, outcomes: [] }
  const limit: Side = {
    name: measure.limit,
    server: bare,
    requests: isOfService ? limitRequests(measure.limit, requests) : limitRequests(measure.limit),
    outcomes: [],
  }
  await assertSameSize(limit, answer)
  for (const side of [measured, limit]) await load(side, warmUpS, environment)
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? [measured, limit] : [limit, measured]) {
      side.outcomes.push(await load(side, roundS, environment))
    }
  }
  for (const side of [measured, limit]) remark(side)
  if (limit.name === 'bare' && mean(limit.outcomes.map(({ serverLoad }) => serverLoad)) < busyLoad) {
    process.stderr.write('Other programs took part of the machine: do not trust this ratio.\n')
  }
  return lineOf(measured, limit)
}

/**
 * Response of the limit, with the size of the measured one. A page is sent compressed; plain text of the same
 * length replaces it.
 */
async function answerOf(
  { of }: RatioMeasure,
  environment: BenchEnvironment,
  requests: HttpRequest[],
): Promise<unknown> {
  if (of === 'bare') return plainAnswer
  if (of === 'service') return JSON.parse(await sampleOf(environment.service, requests))
  const [request] = requests
  if (!request) throw new Error('a measure without requests')
  return 'x'.repeat(await answerLength(environment.page.port, request))
}

/** Printed line of a latency measure. */
export interface LatencyLine {
  name: string
  per_s: number
  p95_ms: number
  p99_ms: number
}

/** One request at a time at an otherwise idle service measures the work and not the queue. */
const waiting = { connections: 1, seconds: 15 }

/** Measures response times. */
export async function measureLatency(
  measure: LatencyMeasure,
  environment: BenchEnvironment,
): Promise<LatencyLine> {
  const requests = await measure.requests(environment)
  const side: Side = { name: measure.name, server: environment.service, requests, outcomes: [] }
  await load(side, warmUpS, environment, waiting.connections)
  side.outcomes.push(await load(side, waiting.seconds, environment, waiting.connections))
  remark(side)
  const [{ perSecond, p95Ms, p99Ms } = { perSecond: 0, p95Ms: Number.NaN, p99Ms: Number.NaN }] = side.outcomes
  return {
    name: measure.name,
    per_s: Math.round(perSecond),
    p95_ms: Number(p95Ms.toFixed(2)),
    p99_ms: Number(p99Ms.toFixed(2)),
  }
}

/** Sends the first request once, before many are sent. */
async function sampleOf({ port }: Server, [request]: HttpRequest[]): Promise<string> {
  if (!request) throw new Error('a measure without requests')
  return answerText(port, request)
}

async function startBare(options: BareOptions): Promise<Server & AsyncDisposable> {
  const child = new Child('bench/bare.ts', [JSON.stringify(options)])
  const stop = () => child[Symbol.asyncDispose]()
  try {
    return {
      port: await child.message<number>(messageTimeoutMs),
      pid: child.pid,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function assertSameSize({ server, requests }: Side, answer: unknown): Promise<void> {
  const due = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const text = await sampleOf(server, requests)
  if (text.length !== due.length) throw new Error(`the limit answers ${text} in place of ${due}`)
}

/** Sends the requests in turn for some seconds, and measures the server meanwhile. */
export async function load(
  { name, server, requests }: Pick<Side, 'name' | 'server' | 'requests'>,
  seconds: number,
  { generator, signal }: Pick<BenchEnvironment, 'generator' | 'signal'>,
  atOnce = connections,
) {
  const order: LoadTask = {
    port: server.port,
    connections: atOnce,
    seconds,
    requests: requests.map(rawRequest),
  }
  const [cpuBefore, startedAt] = [usageOf(server.pid).cpuS, performance.now()]
  generator.send(order)
  const outcome = await generator.message<LoadResult>(seconds * 1000 + messageTimeoutMs).catch((error) => {
    throw signal.aborted ? signal.reason : error
  })
  if (outcome.failure) throw new Error(`${name}: ${outcome.failure}`)
  const tookS = (performance.now() - startedAt) / 1000
  return { ...outcome, serverLoad: (usageOf(server.pid).cpuS - cpuBefore) / tookS }
}

/**
 * Prints the load, to judge the figures: a server that used less than a full core was held up, possibly by
 * the generator.
 */
function remark({ name, outcomes }: Side): void {
  const rates = outcomes.map(({ perSecond }) => perSecond)
  const range = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))} requests/s`
  const serverLoad = mean(outcomes.map((outcome) => outcome.serverLoad))
  const costUs = Math.round((serverLoad / mean(rates)) * 1e6)
  const server = `the server took ${percent(serverLoad)} (${costUs} µs per request)`
  const generator = `the generator ${percent(mean(outcomes.map((outcome) => outcome.load)))}`
  process.stderr.write(`${name}: ${range}; of a core ${server}, ${generator}\n`)
}

/**
 * The ratio is the median of the ratios of each round, in which both sides had the same machine conditions.
 */
function lineOf(measured: Side, limit: Side): RatioLine {
  const rates = measured.outcomes.map(({ perSecond }) => perSecond)
  const limitRates = limit.outcomes.map(({ perSecond }) => perSecond)
  const ratios = rates.map((rate, round) => rate / (limitRates[round] ?? Number.NaN))
  return {
    name: measured.name,
    per_s: Math.round(median(rates)),
    limit: limit.name,
    limit_per_s: Math.round(median(limitRates)),
    ratio: Number(median(ratios).toFixed(3)),
    p99_ms: Number(median(measured.outcomes.map(({ p99Ms }) => p99Ms)).toFixed(2)),
    rss_mb: Math.round(usageOf(measured.server.pid).rssMb),
  }
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}
