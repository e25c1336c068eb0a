import { ask } from '../testing/harness/servers.ts'
import { Child, ownRoot, usageOf } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import type { PayResult } from './payers.ts'
import type { ReceiverPorts } from './receiver.ts'
import { processTreeS } from './server-usage.ts'
import type { WholeConfiguration } from './whole-configurations.ts'
import { configurationsFor, textOf } from './whole-configurations.ts'
import type { WorkCounts } from './whole-counts.ts'
import { countWork } from './whole-counts.ts'
import type { WholeInstallation } from './whole-installation.ts'
import { openWholeInstallation, startWhole } from './whole-installation.ts'
import type { WholeLimit } from './whole-limit.ts'
import { openWholeLimit } from './whole-limit.ts'
import type { WholeLine, WholeRound, WholeUsage } from './whole-line.ts'
import { lineOf } from './whole-line.ts'
import type { Extent, WholeTools } from './whole-payers.ts'
import { payWhole } from './whole-payers.ts'

const timeoutMs = 30_000
/** Time in which the programs are compiled. A cold service costs nearly twice as much per payment. */
const warmUpS = 12
const warmingAtOnce = 16
const limitWarmUpS = 2
/** Rounds of the limit are shorter than those of the service, because it makes more payments in the same time. */
const limitShare = 0.6

/** One of the compared programs, with its rounds of each configuration. */
interface Side {
  name: 'whole_payment' | 'before' | 'bare_payment'
  configurations: readonly WholeConfiguration[]
  usage(): Promise<WholeUsage>
  pay(index: number, extent: Extent): Promise<PayResult>
  rounds: WholeRound[][]
}

/**
 * Measures whole payments in each configuration, beside the limit `bare_payment`. Rounds of the service, of the
 * limit and of another checkout alternate. Every configuration has its first round before any has its second,
 * so that slow changes of the machine and of the database affect all.
 */
export async function wholePayments(environment: BenchEnvironment): Promise<WholeLine[]> {
  const { signal, before, only = [], wholeRounds = { seconds: 2, rounds: 3 } } = environment
  const configurations = configurationsFor(only)
  await using scope = new AsyncDisposableStack()
  const receiver = scope.use(new Child('bench/receiver.ts', []))
  const { taking } = await receiver.message<ReceiverPorts>(timeoutMs)
  const payers = scope.use(new Child('bench/payers.ts', []))
  signal.addEventListener('abort', () => payers.kill())
  const tools: WholeTools = { payers, receiver, signal }
  const open = async (name: Side['name'], root: string) => {
    const url = `http://127.0.0.1:${taking}/hook`
    const installation = scope.use(await openWholeInstallation(root, url, signal))
    const counts = await countWork(tools, installation, configurations)
    const service = scope.use(await startWhole(installation, signal))
    const side = serviceSide(name, { tools, installation, service, configurations })
    return { installation, counts, side }
  }
  const theirs = before === undefined ? undefined : await open('before', before)
  const ours = await open('whole_payment', ownRoot)
  const limit = scope.use(await openWholeLimit(tools, ours.installation.databaseUrl))
  const bare = limitSide(limit, { tools, ours, configurations })
  const services = theirs ? [theirs, ours] : [ours]
  await warmUp(
    tools,
    services.map(({ installation }) => installation),
    configurations,
  )
  await limit.pay(ours.counts[0] as WorkCounts, warmingAtOnce, { seconds: limitWarmUpS })
  const sides = [...services.map(({ side }) => side), bare]
  for (let round = 0; round < wholeRounds.rounds; round++)
    for (const index of configurations.keys())
      await takeRounds(round % 2 === 0 ? sides : sides.toReversed(), index, wholeRounds.seconds)
  return configurations.map((configuration, index) => {
    const of = ({ side, counts }: typeof ours) => ({
      rounds: side.rounds[index] ?? [],
      counts: counts[index] as WorkCounts,
    })
    return lineOf(configuration, of(ours), bare.rounds[index] ?? [], theirs && of(theirs))
  })
}

interface ServiceParts {
  tools: WholeTools
  installation: WholeInstallation
  service: Child
  configurations: readonly WholeConfiguration[]
}

function serviceSide(
  name: Side['name'],
  { tools, installation, service, configurations }: ServiceParts,
): Side {
  const { databaseUrl, databasePid, bankPid, bankDatabasePid } = installation
  const { payers, receiver } = tools
  return {
    name,
    configurations,
    rounds: configurations.map(() => []),
    usage: async () => ({
      ...(await figuresOf(databaseUrl)),
      serverS: usageOf(service.pid).cpuS,
      databaseS: processTreeS(databasePid),
      bankS: usageOf(bankPid).cpuS,
      bankDatabaseS: processTreeS(bankDatabasePid),
      generatorS: usageOf(payers.pid).cpuS,
      receiverS: usageOf(receiver.pid).cpuS,
    }),
    pay: (index, extent) =>
      service.whileRunning(
        payWhole(tools, installation, configurations[index] as WholeConfiguration, extent),
      ),
  }
}

interface LimitParts {
  tools: WholeTools
  ours: { installation: WholeInstallation; counts: WorkCounts[] }
  configurations: readonly WholeConfiguration[]
}

function limitSide(limit: WholeLimit, { tools, ours, configurations }: LimitParts): Side {
  const { databaseUrl, databasePid } = ours.installation
  return {
    name: 'bare_payment',
    configurations,
    rounds: configurations.map(() => []),
    usage: async () => ({
      ...(await figuresOf(databaseUrl)),
      serverS: usageOf(limit.pid).cpuS,
      databaseS: processTreeS(databasePid),
      bankS: usageOf(limit.partnerPid).cpuS,
      bankDatabaseS: 0,
      generatorS: usageOf(tools.payers.pid).cpuS,
      receiverS: 0,
    }),
    pay: (index, extent) =>
      limit.pay(ours.counts[index] as WorkCounts, configurations[index]?.atOnce ?? 0, extent),
  }
}

async function figuresOf(databaseUrl: string): Promise<Pick<WholeUsage, 'walBytes' | 'transactions'>> {
  const [figures] = await ask<{ walBytes: string; transactions: string }>(databaseUrl, [
    `select pg_current_wal_lsn() - '0/0' as "walBytes",
      (select sum(xact_commit + xact_rollback) from pg_stat_database) as "transactions"`,
  ])
  return { walBytes: Number(figures?.walBytes), transactions: Number(figures?.transactions) }
}

/** Warms each installation with the same number of payments. */
async function warmUp(
  tools: WholeTools,
  installations: readonly WholeInstallation[],
  configurations: readonly WholeConfiguration[],
): Promise<void> {
  const kinds = new Map(
    configurations.map(({ mode, webhook }) => [
      `${mode} ${webhook}`,
      { mode, webhook, atOnce: warmingAtOnce },
    ]),
  )
  for (const kind of kinds.values()) {
    let extent: Extent = { seconds: warmUpS / kinds.size }
    for (const installation of installations)
      extent = { payments: (await payWhole(tools, installation, kind, extent)).payments }
  }
}

/**
 * Takes one round of each side. The second service makes as many payments as the first, because on a fresh
 * database the cost of a payment depends on the number of earlier ones.
 */
async function takeRounds(sides: readonly Side[], index: number, seconds: number): Promise<void> {
  let payments: number | undefined
  for (const side of sides) {
    const isLimit = side.name === 'bare_payment'
    const ofTime = { seconds: isLimit ? seconds * limitShare : seconds }
    const round = await takeRound(side, index, isLimit || payments === undefined ? ofTime : { payments })
    remark(side, round, index)
    if (!isLimit) payments = round.payments
    side.rounds[index]?.push(round)
  }
}

/** Prints the rate of a round. */
function remark({ name, configurations }: Side, { payments, tookS }: WholeRound, index: number): void {
  const of = textOf(configurations[index] as WholeConfiguration)
  process.stderr.write(`${name}: ${(payments / tookS).toFixed(1)} payments/s, ${of}\n`)
}

async function takeRound(side: Side, index: number, extent: Extent): Promise<WholeRound> {
  const before = await side.usage()
  const { payments, tookS, waitsMs } = await side.pay(index, extent)
  const after = await side.usage()
  const usage = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof WholeUsage]]),
  ) as unknown as WholeUsage
  return { payments, tookS, waitsMs, usage }
}
