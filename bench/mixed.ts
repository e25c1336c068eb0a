import { raw } from '../kit/runtime/sql.ts'
import { noTimeouts, openDatabase } from '../server/database/pool.ts'
import { goAheadMessage } from '../server/sandbox-pid-file.ts'
import { readBalanceRequests } from './balance.ts'
import { Child, ownRoot, usageOf } from './child.ts'
import { searchFilters, searchRequests } from './customers.ts'
import type { BenchEnvironment, Server } from './environment.ts'
import { openBenchEnvironment, tokenHeaders } from './environment.ts'
import { seedPositionedEvents } from './events.ts'
import type { KindTimes, MixResult, MixTask, RequestKind } from './mixer.ts'
import { median } from './percentile.ts'
import type { HttpRequest } from './request.ts'
import { getTransactionRequests, merchantWithTransactions, startPaymentRequests } from './transactions.ts'
import { viewPageRequests } from './views.ts'

/** Figures of one kind of request; `before_…` are those of the other checkout, if one is named. */
export interface KindLine {
  name: string
  kind: string
  count: number
  p50_ms: number
  p99_ms: number
  errors: number
  before_count?: number
  before_p50_ms?: number
  before_p99_ms?: number
  before_errors?: number
  /** Our time divided by the other checkout's: median of the ratios of each round. */
  p50_ratio?: number
  p99_ratio?: number
}

/** Data of a shop after some months, so that lists and searches have realistic costs. */
const sizes = { customers: 100_000, transactions: 20_000, transfers: 40_000 }
const eventCount = 20_000
const warmUpS = 5
const roundS = 5
const rounds = 6
const timeoutMs = 30_000

/** Installation under mixed load. */
interface Side extends AsyncDisposable {
  environment: BenchEnvironment
  assignment: Omit<MixTask, 'seconds'>
  rounds: KindTimes[][]
}

/**
 * Sends all requests of merchants and payers at the same time to a service that also runs the background
 * jobs. Rounds of the other checkout, if one is named, alternate with ours.
 */
export async function mixedLoad(
  { signal, before }: BenchEnvironment,
  connections: number,
): Promise<KindLine[]> {
  await using ours = await openSide(ownRoot, connections, signal)
  await using theirs = before === undefined ? undefined : await openSide(before, connections, signal)
  await using mixer = new Child('bench/mixer.ts', [])
  signal.addEventListener('abort', () => mixer.kill())
  const sides = theirs ? [theirs, ours] : [ours]
  for (const side of sides) await load(mixer, side, warmUpS)
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const mixed = await load(mixer, side, roundS)
      side.rounds.push(mixed.taken)
      remark(side === ours ? 'mixed_load' : 'mixed_load before', mixed)
    }
  }
  return ours.assignment.kinds.map(({ name }) => lineOf(name, ours, theirs))
}

async function openSide(root: string, connections: number, signal: AbortSignal): Promise<Side> {
  await using scope = new AsyncDisposableStack()
  const environment = scope.use(await openBenchEnvironment(signal, sizes, { command: 'start', root }))
  const sandbox = scope.use(new Child('server/main.ts', ['sandbox'], environment.settings, root))
  const ready = sandbox.message(timeoutMs)
  sandbox.send(goAheadMessage)
  await ready
  const { secretKey } = await merchantWithTransactions(environment)
  const urlOf = ({ port }: Server) => `http://127.0.0.1:${port}`
  const urls = { apiUrl: urlOf(environment.service), pageUrl: urlOf(environment.page) }
  const assignment = { ...urls, secretKey, connections, kinds: await kindsOf(environment) }
  const opened = scope.move()
  return { environment, assignment, rounds: [], [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function kindsOf(environment: BenchEnvironment): Promise<RequestKind[]> {
  const { secretKey } = await merchantWithTransactions(environment)
  const port = environment.service.port
  const token: HttpRequest = {
    method: 'POST',
    path: '/v1/token/get-token',
    headers: { authorization: `Bearer ${secretKey}` },
  }
  const everyWord = Object.values(searchFilters).flat()
  return [
    { name: 'start_payment', share: 4, port, requests: await startPaymentRequests(environment) },
    { name: 'read_transaction', share: 4, port, requests: await getTransactionRequests(environment) },
    {
      name: 'view_page',
      share: 4,
      port: environment.page.port,
      requests: await viewPageRequests(environment),
    },
    { name: 'read_balance', share: 4, port, requests: await readBalanceRequests(environment) },
    { name: 'get_token', share: 4, port, requests: [token] },
    { name: 'search_customers', share: 4, port, requests: await searchRequests(everyWord, environment) },
    { name: 'list_events', share: 4, port, requests: await listEvents(environment) },
    { name: 'whole_payment', share: 1, form: 'amount=10000&currency=TRY' },
  ]
}

/**
 * Lists events as a merchant catches up: from the beginning and from many later events, a hundred at a time.
 */
async function listEvents(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { services, databaseUrl } = environment
  const { merchant, secretKey } = await merchantWithTransactions(environment)
  const headers = await tokenHeaders(environment, secretKey)
  const database = openDatabase({ url: databaseUrl }, 1, services.log, noTimeouts)
  const ids = await seedPositionedEvents({ ...services, sql: database.sql }, merchant, eventCount)
  await database.sql.run(raw('vacuum analyze events'))
  await database.close()
  const behind = ids.filter((_, index) => index % 97 === 0).map((id) => `?after=${id}&per_page=100`)
  return ['', ...behind].map((query) => ({ method: 'GET', path: `/v1/events${query}`, headers }))
}

interface Round extends MixResult {
  serverLoad: number
}

async function load(mixer: Child, { environment, assignment }: Side, seconds: number): Promise<Round> {
  const { pid } = environment.service
  const [cpuBefore, startedAt] = [usageOf(pid).cpuS, performance.now()]
  const answer = mixer.message<MixResult>(seconds * 1000 + timeoutMs)
  mixer.send({ ...assignment, seconds } satisfies MixTask)
  const mixed = await answer.catch((error) => {
    throw environment.signal.aborted ? environment.signal.reason : error
  })
  const tookS = (performance.now() - startedAt) / 1000
  return { ...mixed, serverLoad: (usageOf(pid).cpuS - cpuBefore) / tookS }
}

/** Prints the rate, the load and the first errors of a round. */
function remark(name: string, { taken, load: generatorLoad, serverLoad }: Round): void {
  const count = taken.reduce((sum, { tookMs }) => sum + tookMs.length, 0)
  const wrong = taken.flatMap(({ name: kind, errors }) => errors.map((error) => `${kind}: ${error}`))
  const [server, generator] = [serverLoad, generatorLoad].map((share) => `${Math.round(100 * share)} %`)
  process.stderr.write(`${name}: ${Math.round(count / roundS)} per second, ${wrong.length} errors; `)
  process.stderr.write(`of a core the server took ${server}, the generator ${generator}\n`)
  for (const error of wrong.slice(0, 5)) process.stderr.write(`  ${error}\n`)
}

function lineOf(kind: string, ours: Side, theirs: Side | undefined): KindLine {
  const line = { name: 'mixed_load', kind, ...figuresOf(kind, ours.rounds.flat()) }
  if (!theirs) return line
  const { count, p50_ms, p99_ms, errors } = figuresOf(kind, theirs.rounds.flat())
  const ratioOf = (figure: 'p50_ms' | 'p99_ms') => {
    const inRound = ({ rounds: all }: Side, round: number) => figuresOf(kind, all[round] ?? [])[figure]
    return median(ours.rounds.map((_, round) => inRound(ours, round) / inRound(theirs, round)))
  }
  return {
    ...line,
    before_count: count,
    before_p50_ms: p50_ms,
    before_p99_ms: p99_ms,
    before_errors: errors,
    p50_ratio: Number(ratioOf('p50_ms').toFixed(2)),
    p99_ratio: Number(ratioOf('p99_ms').toFixed(2)),
  }
}

function figuresOf(kind: string, taken: KindTimes[]) {
  const ofKind = taken.filter(({ name }) => name === kind)
  const tookMs = ofKind.flatMap((each) => each.tookMs).toSorted((a, b) => a - b)
  const within = (share: number) => Math.round(tookMs[Math.ceil(tookMs.length * share) - 1] ?? Number.NaN)
  const errors = ofKind.reduce((sum, each) => sum + each.errors.length, 0)
  return { count: tookMs.length, p50_ms: within(0.5), p99_ms: within(0.99), errors }
}
