import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { Cluster } from '../../server/database/embedded/cluster.ts'
import { makeFolderFor, openCluster } from '../../server/database/embedded/cluster.ts'
import { onInterrupt } from './on-interrupt.ts'
import type { CleanupScope } from './process.ts'

/** A PostgreSQL server that Vezne does not start: it is reached by an address, like an operator's server. */
export interface ExternalPostgres {
  url: string
  /** Starts the server, also again. It may not accept connections yet. */
  launch(): void
  /** Kills the server's process group, and waits until the server is gone. */
  kill(): Promise<void>
  /** Waits until a connection attempt gives this SQLSTATE; `00000` means accepted. */
  answers(state: string): Promise<void>
}

/** Prepares a server on the database of a home, until the test ends. */
export async function externalPostgres(t: CleanupScope, home: string): Promise<ExternalPostgres> {
  const cluster = await openCluster(home, systemRandom)
  const { data, account, binaries } = cluster
  const folder = `/tmp/vezne-own-${systemRandom.bytes(6).toString('hex')}`
  makeFolderFor(account, folder)
  let running: { pid: number; gone: Promise<unknown> } | undefined
  const killNow = () => {
    try {
      // The server is the leader of its own process group.
      if (running) process.kill(-running.pid, 'SIGKILL')
    } catch {
      // The group has ended already.
    }
  }
  const clear = () => {
    killNow()
    rmSync(folder, { recursive: true, force: true })
  }
  t.after(clear)
  onInterrupt(clear)
  const url = `postgres://vezne@${encodeURIComponent(folder)}/vezne`
  return {
    url,
    launch: () => {
      const args = ['-D', data, '-k', folder, '-h', '']
      const child = spawn(binaries.postgres, args, { ...account, cwd: '/', detached: true, stdio: 'ignore' })
      running = { pid: child.pid ?? 0, gone: once(child, 'exit') }
    },
    kill: async () => {
      killNow()
      await running?.gone
      running = undefined
      rmSync(join(data, 'postmaster.pid'), { force: true })
    },
    answers: async (state) => {
      while ((await stateAt(url)) !== state) await systemClock.sleep(20)
    },
  }
}

async function stateAt(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return '00000'
  } catch (error) {
    return (error as { code?: string }).code ?? ''
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Keeps the next server on this data in recovery until the returned function is called: its `restore_command`
 * waits.
 */
export function pauseRecovery({ data }: Pick<Cluster, 'data'>): () => void {
  // The loop also ends when the data folder is removed, because a killed server does not end it.
  const command = 'while test -e PG_VERSION && ! test -e go; do sleep 0.1; done; false'
  // No connection is accepted during recovery, as after a crash.
  const settings = ['hot_standby = off', `restore_command = '${command}'`]
  appendFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  writeFileSync(join(data, 'recovery.signal'), '')
  return () => writeFileSync(join(data, 'go'), '')
}
