import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../testing/harness/servers.ts'

/** Settings of the coordinator that take effect with its next start: a log file, and counters of statements. */
export const loggedSettings = [
  'alter system set logging_collector = on',
  "alter system set log_filename = 'coordinator.log'",
  "alter system set log_min_messages = 'notice'",
  "alter system set log_min_error_statement = 'panic'",
  "alter system set log_error_verbosity = 'terse'",
  "alter system set client_min_messages = 'warning'",
  'alter system set citus.enable_stat_counters = on',
]

/** Time in which the last lines reach the file. */
const flushMs = 500

/**
 * Counts the messages that the coordinator sends to workers during the work, by kind: `commit`, or a statement
 * with its first table.
 */
export async function remoteMessages(
  { nodes: [coordinator], dataFolder }: { nodes: readonly { url: string }[]; dataFolder: string },
  work: () => Promise<unknown>,
): Promise<Map<string, number>> {
  if (!coordinator) throw new Error('an installation without a server')
  const file = join(dataFolder, 'log', 'coordinator.log')
  const log = (value: 'on' | 'off') =>
    ask(coordinator.url, [`alter system set citus.log_remote_commands = ${value}`, 'select pg_reload_conf()'])
  await log('on')
  try {
    await pause(flushMs)
    const { size } = statSync(file)
    await work()
    await pause(flushMs)
    return countedKinds(readFileSync(file).subarray(size).toString())
  } finally {
    await log('off')
  }
}

/** Numbers of messages by kind in the text of a log, the most frequent first. */
export function countedKinds(log: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [, message = ''] of log.matchAll(/NOTICE: {2}issuing (.*(?:\n\t.*)*)/g)) {
    const kind = kindOf(message)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  return new Map([...counts].toSorted(([, a], [, b]) => b - a))
}

/** A table of a shard is named after its table and a number of at least six digits. */
function kindOf(message: string): string {
  const control = /^(BEGIN|COMMIT PREPARED|COMMIT|ROLLBACK PREPARED|ROLLBACK|PREPARE TRANSACTION)\b/i.exec(
    message,
  )
  if (control) return (control[1] ?? '').toLowerCase()
  const [, verb = ''] = /^\s*(\w+)/.exec(message) ?? []
  const [, table = ''] = /\b([a-z_]+)_\d{6,}\b/.exec(message) ?? []
  return `${verb.toLowerCase()} ${table}`.trimEnd()
}
