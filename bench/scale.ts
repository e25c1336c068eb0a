import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../testing/harness/servers.ts'
import { Child } from './child.ts'
import type { BenchInstallation } from './installations.ts'
import { openInstallations, withService } from './installations.ts'
import { median } from './percentile.ts'
import { remoteMessages } from './remote-messages.ts'
import type { Rate, ScaleMeasure } from './scale-measures.ts'
import { scaleMeasures } from './scale-measures.ts'
import type { ServerUsage } from './server-usage.ts'
import { coresOf, sum, usageBetween, usageNow } from './server-usage.ts'

/**
 * Compares a Citus of a coordinator and two workers with a plain PostgreSQL, both on this machine. It needs a
 * PostgreSQL with Citus: the one that `pg_config` names, or that in the folder PG_BIN. Each measure writes a
 * line of JSON to the standard output; remarks for the operator go to the standard error.
 *
 * - `npm run bench:scale` runs every measure, `npm run bench:scale -- whole_payment idle` only those.
 * - `--rounds=5` is the number of rounds of each database, in turn; `--seconds=8` is the length of a round.
 * - `--idle-seconds=30` is the time for which an idle installation is observed.
 */
const names = [...scaleMeasures.map(({ name }) => name), 'idle', 'messages']
const selected = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isChosen = (name: string) => selected.length === 0 || selected.includes(name)
const seconds = numberOf('seconds', 8)
const rounds = numberOf('rounds', 5)
const idleS = numberOf('idle-seconds', 30)
/** Highest number of cores that the idle servers of a Citus may use. */
const idleTarget = 0.05
const noLoad: IdleLoad = { service: 0, nodes: [] }
/** Time in which every connection has prepared its statements. */
const warmUpS = 4
/** Time after the start of a service until its caches are full and its first background jobs have run. */
const settleS = 5

const unknown = selected.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no measure ${unknown.join(', ')}. There are: ${names.join(', ')}\n`)
  process.exit(2)
}

// Every way to end disposes the scopes in order, so that no process keeps running.
const ending = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => ending.abort(new Error(`ended by ${signal}`)))

try {
  process.exit((await measureAll(ending.signal)) ? 0 : 1)
} catch (error) {
  process.stderr.write(`The bench failed: ${error instanceof Error ? error.message : error}\n`)
  process.exit(1)
}

function numberOf(name: string, otherwise: number): number {
  return Number(new RegExp(` --${name}=(\\d+)`).exec(process.argv.join(' '))?.[1] ?? otherwise)
}

/** Returns true if every target is met. */
async function measureAll(signal: AbortSignal): Promise<boolean> {
  await using scope = new AsyncDisposableStack()
  const generator = scope.use(new Child('bench/load.ts', []))
  signal.addEventListener('abort', () => generator.kill())
  const [plain, citus] = await openInstallations(scope, { generator, signal })
  const idle = isChosen('idle') ? await measureIdle(plain, citus) : undefined
  const results: boolean[] = idle ? [sum(idle.citus.nodes) <= idleTarget] : []
  for (const measure of scaleMeasures.filter(({ name }) => isChosen(name))) {
    const sides: [Side, Side] = [
      { installation: plain, rounds: [], idle: idle?.plain ?? noLoad },
      { installation: citus, rounds: [], idle: idle?.citus ?? noLoad },
    ]
    results.push(await compare(measure, sides, signal))
    print({ name: `${measure.name} costs`, ...costsOf('plain', sides[0]), ...costsOf('citus', sides[1]) })
  }
  if (isChosen('messages')) await countMessages(citus)
  return results.every(Boolean)
}

/** Database that is compared, with the result of each round. */
interface Side {
  installation: BenchInstallation
  rounds: (Rate & { usage: ServerUsage })[]
  idle: IdleLoad
}

/** Cores in use without requests. */
interface IdleLoad {
  service: number
  nodes: number[]
}

async function compare(
  measure: ScaleMeasure,
  [plain, citus]: [Side, Side],
  signal: AbortSignal,
): Promise<boolean> {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? [plain, citus] : [citus, plain]) {
      signal.throwIfAborted()
      const result = await takeRound(measure, side.installation)
      side.rounds.push(result)
      const rate = result.perSecond.toFixed(1)
      process.stderr.write(`${measure.name} round ${round + 1}, ${side.installation.name}: ${rate}/s\n`)
    }
  }
  const ratios = citus.rounds.map(
    ({ perSecond }, round) => perSecond / (plain.rounds[round]?.perSecond ?? Number.NaN),
  )
  const rateOf = (side: Side) => Number(median(side.rounds.map(({ perSecond }) => perSecond)).toFixed(1))
  const { name, target } = measure
  const ratio = Number(median(ratios).toFixed(3))
  print({ name, plain_per_s: rateOf(plain), citus_per_s: rateOf(citus), ratio, target })
  return ratio >= target
}

function takeRound(measure: ScaleMeasure, installation: BenchInstallation) {
  return withService(installation, 'start', async ({ pid }) => {
    await measure.run(installation, warmUpS)
    const before = await usageNow(installation, pid)
    const rate = await measure.run(installation, seconds)
    return { ...rate, usage: usageBetween(before, await usageNow(installation, pid)) }
  })
}

/**
 * Costs per request: processor time of the service, the first server and the workers together, bytes of the
 * write-ahead log, and its flushes. The load of the background jobs is taken off.
 */
function costsOf(prefix: string, { rounds: taken, idle }: Side): Record<string, number> {
  const costs = taken.map(({ count, usage: { s, serviceS, nodesS, walBytes, walSyncs } }) => {
    const ms = (usedS: number, cores = 0) => (1000 * Math.max(0, usedS - cores * s)) / count
    const [firstMs = 0, ...workersMs] = nodesS.map((usedS, node) => ms(usedS, idle.nodes[node]))
    return {
      service_ms: ms(serviceS, idle.service),
      server_ms: firstMs,
      ...(workersMs.length > 0 && { workers_ms: sum(workersMs) }),
      wal_bytes: sum(walBytes) / count,
      wal_syncs: sum(walSyncs) / count,
    }
  })
  const figures = Object.keys(costs[0] ?? {}) as (keyof (typeof costs)[number])[]
  return Object.fromEntries(
    figures.map((name) => [`${prefix}_${name}`, rounded(median(costs.map((each) => each[name] ?? 0)))]),
  )
}

/** Observes both installations, with a service that gets no requests. */
async function measureIdle(
  plain: BenchInstallation,
  citus: BenchInstallation,
): Promise<{ plain: IdleLoad; citus: IdleLoad }> {
  for (const { nodes } of [plain, citus]) await Promise.all(nodes.map(({ url }) => ask(url, ['checkpoint'])))
  const before = await usageNow(citus)
  await pause(settleS * 1000, undefined, { signal: ending.signal })
  const withoutService = usageBetween(before, await usageNow(citus))
  const ofPlain = await idleUsage(plain)
  const ofCitus = await idleUsage(citus)
  const line = {
    plain_cores: rounded(coresOf(ofPlain.usage)),
    citus_cores: rounded(coresOf(ofCitus.usage)),
    target: idleTarget,
    service_cores: rounded(ofPlain.usage.serviceS / ofPlain.usage.s),
    citus_service_cores: rounded(ofCitus.usage.serviceS / ofCitus.usage.s),
    citus_cores_without_service: rounded(coresOf(withoutService)),
    plain_transactions_per_s: rounded(sum(ofPlain.usage.transactions) / ofPlain.usage.s),
    citus_transactions_per_s: rounded(sum(ofCitus.usage.transactions) / ofCitus.usage.s),
    multi_shard_per_s: rounded(ofCitus.multiShard / ofCitus.usage.s),
    single_shard_per_s: rounded(ofCitus.singleShard / ofCitus.usage.s),
    messages_per_s: rounded(ofCitus.messages / settleS),
  }
  print({ name: 'idle', ...line })
  const loadOf = ({ serviceS, nodesS, s }: ServerUsage): IdleLoad => ({
    service: serviceS / s,
    nodes: nodesS.map((usedS) => usedS / s),
  })
  return { plain: loadOf(ofPlain.usage), citus: loadOf(ofCitus.usage) }
}

function idleUsage(installation: BenchInstallation) {
  return withService(installation, 'start', async ({ pid }) => {
    await pause(settleS * 1000, undefined, { signal: ending.signal })
    const [before, counted] = [await usageNow(installation, pid), await statementCounts(installation)]
    await pause(idleS * 1000, undefined, { signal: ending.signal })
    const usage = usageBetween(before, await usageNow(installation, pid))
    const after = await statementCounts(installation)
    const kinds =
      installation.name === 'citus'
        ? await remoteMessages(installation, () => pause(settleS * 1000))
        : new Map<string, number>()
    return {
      usage,
      multiShard: after.multiShard - counted.multiShard,
      singleShard: after.singleShard - counted.singleShard,
      messages: sum([...kinds.values()]),
    }
  })
}

/** Statements over several shards and over one, as Citus counts them on the coordinator. */
async function statementCounts({ name, nodes: [coordinator] }: BenchInstallation) {
  const none = { multiShard: 0, singleShard: 0 }
  if (name === 'plain' || !coordinator) return none
  const [counts] = await ask<Record<keyof typeof none, string>>(coordinator.url, [
    `select sum(query_execution_multi_shard) as "multiShard", sum(query_execution_single_shard) as "singleShard"
      from citus_stat_counters`,
  ])
  return { multiShard: Number(counts?.multiShard), singleShard: Number(counts?.singleShard) }
}

/** Counts the messages to workers per request, without background jobs. One request follows the other. */
async function countMessages(citus: BenchInstallation): Promise<void> {
  for (const measure of scaleMeasures) {
    await withService(citus, 'serve', async () => {
      await measure.runFew(citus)
      let count = 0
      const kinds = await remoteMessages(citus, async () => {
        count = await measure.runFew(citus)
      })
      const each = [...kinds].map(([kind, messages]) => [kind, rounded(messages / count)] as const)
      print({
        name: 'messages',
        of: measure.name,
        per_request: rounded(sum([...kinds.values()]) / count),
        kinds: Object.fromEntries(each.filter(([, messages]) => messages >= 0.02)),
      })
    })
  }
}

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
