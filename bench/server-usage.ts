import { readdirSync, readFileSync } from 'node:fs'
import { ask } from '../testing/harness/servers.ts'
import { usageOf } from './child.ts'
import type { BenchInstallation } from './installations.ts'

/** Consumption up to a moment, or between two. Lists have one entry per server, the coordinator first. */
export interface ServerUsage {
  s: number
  /** Processor time of the service. */
  serviceS: number
  /** Processor time of the servers, with all their processes. */
  nodesS: number[]
  walBytes: number[]
  walSyncs: number[]
  transactions: number[]
}

export async function usageNow({ nodes }: BenchInstallation, servicePid = 0): Promise<ServerUsage> {
  const figures = await Promise.all(nodes.map(({ url }) => databaseFigures(url)))
  return {
    s: performance.now() / 1000,
    serviceS: servicePid === 0 ? 0 : usageOf(servicePid).cpuS,
    nodesS: nodes.map(({ pid }) => processTreeS(pid)),
    walBytes: figures.map(({ walBytes }) => Number(walBytes)),
    walSyncs: figures.map(({ walSyncs }) => Number(walSyncs)),
    transactions: figures.map(({ transactions }) => Number(transactions)),
  }
}

export function usageBetween(before: ServerUsage, after: ServerUsage): ServerUsage {
  const each = (name: 'nodesS' | 'walBytes' | 'walSyncs' | 'transactions') =>
    after[name].map((value, index) => value - (before[name][index] ?? Number.NaN))
  return {
    s: after.s - before.s,
    serviceS: after.serviceS - before.serviceS,
    nodesS: each('nodesS'),
    walBytes: each('walBytes'),
    walSyncs: each('walSyncs'),
    transactions: each('transactions'),
  }
}

/** Processor cores in use on average. */
export const coresOf = ({ nodesS, s }: ServerUsage) => sum(nodesS) / s

export const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

interface DatabaseFigures {
  walBytes: string
  walSyncs: string
  transactions: string
}

async function databaseFigures(url: string): Promise<DatabaseFigures> {
  const [figures] = await ask<DatabaseFigures>(url, [
    `select pg_current_wal_lsn() - '0/0' as "walBytes", (select wal_sync from pg_stat_wal) as "walSyncs",
      (select sum(xact_commit + xact_rollback) from pg_stat_database) as "transactions"`,
  ])
  if (!figures) throw new Error('a server without figures')
  return figures
}

/** Processor time of a process and its children, with the children that have ended. */
export function processTreeS(root: number): number {
  const times = new Map<number, { parent: number; s: number }>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const fields = statFields(name)
    // Own and ended children's time, in user and in system mode, in hundredths of a second.
    if (fields)
      times.set(Number(name), { parent: Number(fields[1]), s: sum(fields.slice(11, 15).map(Number)) / 100 })
  }
  const isInTree = (pid: number): boolean =>
    pid === root || (times.has(pid) && isInTree(times.get(pid)?.parent ?? 0))
  return sum([...times].filter(([pid]) => isInTree(pid)).map(([, { s }]) => s))
}

/** Fields after the program's name; undefined if the process has just ended. */
function statFields(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  } catch {
    return undefined
  }
}
