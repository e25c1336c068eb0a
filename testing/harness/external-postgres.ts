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

/** A PostgreSQL of the test's own, as an operator runs one: it is reached by an address, and Vezne does not start it. */
export interface ExternalPostgres {
  url: string
  /** Launches it, again if need be; it may not take connections yet. */
  launch(): void
  /** Kills it at once, with all its processes, and waits until it is gone. */
  kill(): Promise<void>
  /** Waits until it answers a connection like this: `00000` when it takes it. */
  answers(state: string): Promise<void>
}

/** Prepares a server on the database of a home. It ends with the test. */
export async function externalPostgres(t: CleanupScope, home: string): Promise<ExternalPostgres> {
  const cluster = await openCluster(home, systemRandom)
  const { data, account, binaries } = cluster
  const folder = `/tmp/vezne-own-${systemRandom.bytes(6).toString('hex')}`
  makeFolderFor(account, folder)
  let running: { pid: number; gone: Promise<unknown> } | undefined
  const killNow = () => {
    try {
      // Its session is its own, and all its processes are of it.
      if (running) process.kill(-running.pid, 'SIGKILL')
    } catch {
      // It has ended.
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

/** Has the next server on the data recover until the test lets it go on: an archive keeps it waiting for the rest of its log. */
export function pauseRecovery({ data }: Pick<Cluster, 'data'>): () => void {
  // It ends with the data, too: the process that waits for it is not ended with its server.
  const command = 'while test -e PG_VERSION && ! test -e go; do sleep 0.1; done; false'
  // As after a crash, nobody is let in before the end.
  const settings = ['hot_standby = off', `restore_command = '${command}'`]
  appendFileSync(join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
  writeFileSync(join(data, 'recovery.signal'), '')
  return () => writeFileSync(join(data, 'go'), '')
}
