import { median, percentile } from './percentile.ts'
import { sum } from './server-usage.ts'
import type { WholeConfiguration } from './whole-configurations.ts'
import type { WorkCounts } from './whole-counts.ts'

/** Consumption up to a moment, or during a round. Times are of a processor core. */
export interface WholeUsage {
  /** The service or the limit. */
  serverS: number
  /** PostgreSQL of the service or the limit, with all its processes. */
  databaseS: number
  /** The sandbox bank, or the partner of the limit. */
  bankS: number
  bankDatabaseS: number
  generatorS: number
  receiverS: number
  walBytes: number
  transactions: number
}

export interface WholeRound {
  payments: number
  tookS: number
  waitsMs: number[]
  usage: WholeUsage
}

interface MeasuredService {
  rounds: readonly WholeRound[]
  counts: WorkCounts
}

/** Printed line of a configuration: figures per payment. */
export type WholeLine = {
  name: string
  mode: string
  webhook: boolean
  at_once: number
  ratio: number
} & Record<string, number | string | boolean>

export function lineOf(
  { mode, webhook, atOnce }: WholeConfiguration,
  ours: MeasuredService,
  limit: readonly WholeRound[],
  theirs?: MeasuredService,
): WholeLine {
  return {
    ...{ name: 'whole_payment', mode, webhook, at_once: atOnce },
    ...figuresOf(ours),
    ...{
      bare_per_s: rounded(rateOf(limit)),
      ratio: ratioOf(ours.rounds, limit, ({ payments, tookS }) => payments / tookS),
    },
    bare_ms: msOf(limit, 'serverS'),
    bare_database_ms: msOf(limit, 'databaseS'),
    cost_ratio: rounded(costMs(limit) / costMs(ours.rounds)),
    payments: sum(ours.rounds.map(({ payments }) => payments)),
    ...(theirs && comparison(ours, theirs)),
  }
}

function comparison(ours: MeasuredService, theirs: MeasuredService): Record<string, number> {
  const before = Object.entries(figuresOf(theirs)).map(([name, value]) => [`before_${name}`, value])
  return {
    ...Object.fromEntries(before),
    before_rate_ratio: ratioOf(ours.rounds, theirs.rounds, ({ payments, tookS }) => payments / tookS),
    before_cost_ratio: rounded(costMs(ours.rounds) / costMs(theirs.rounds)),
  }
}

function figuresOf({ rounds, counts }: MeasuredService) {
  const waitsMs = rounds.flatMap((round) => round.waitsMs).toSorted((a, b) => a - b)
  return {
    per_s: rounded(rateOf(rounds)),
    service_ms: msOf(rounds, 'serverS'),
    database_ms: msOf(rounds, 'databaseS'),
    sandbox_ms: msOf(rounds, 'bankS'),
    sandbox_database_ms: msOf(rounds, 'bankDatabaseS'),
    generator_ms: msOf(rounds, 'generatorS'),
    receiver_ms: msOf(rounds, 'receiverS'),
    statements: rounded(counts.statements),
    writes: rounded(counts.writes),
    round_trips: rounded(counts.roundTrips),
    http_in: rounded(counts.httpIn),
    http_out: rounded(counts.httpOut),
    p50_ms: rounded(percentile(waitsMs, 0.5)),
    p99_ms: rounded(percentile(waitsMs, 0.99)),
    wal_kb: rounded(eachOf(rounds, 'walBytes') / 1024),
    transactions: rounded(eachOf(rounds, 'transactions')),
  }
}

const rateOf = (rounds: readonly WholeRound[]) =>
  median(rounds.map(({ payments, tookS }) => payments / tookS))

/** Median of the ratios of the rounds, in which both sides had the same machine conditions. */
function ratioOf(
  measured: readonly WholeRound[],
  other: readonly WholeRound[],
  figure: (round: WholeRound) => number,
): number {
  return rounded(
    median(
      measured.map((round, index) => {
        const beside = other[index]
        return beside ? figure(round) / figure(beside) : Number.NaN
      }),
    ),
  )
}

function eachOf(rounds: readonly WholeRound[], figure: keyof WholeUsage): number {
  return sum(rounds.map(({ usage }) => usage[figure])) / sum(rounds.map(({ payments }) => payments))
}

const msOf = (rounds: readonly WholeRound[], figure: keyof WholeUsage) =>
  rounded(1000 * eachOf(rounds, figure))

/** Processor time of the server and its database. */
const costMs = (rounds: readonly WholeRound[]) =>
  1000 * (eachOf(rounds, 'serverS') + eachOf(rounds, 'databaseS'))

function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
