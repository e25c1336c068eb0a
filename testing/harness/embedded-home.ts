import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { Client } from 'pg'
import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { readOrCreateInstallationSecret } from '../../kit/security/secret-file.ts'
import type { EmbeddedPostgres, EmbeddedPostgresOptions } from '../../server/database/embedded/index.ts'
import { startEmbeddedPostgres } from '../../server/database/embedded/index.ts'
import { isRunning } from '../../server/database/embedded/postmaster.ts'
import { silentLog } from './database.ts'
import { onInterrupt } from './on-interrupt.ts'
import type { CleanupScope } from './process.ts'

/**
 * A home folder for one test. Everything that the test leaves in it, running or stored, is removed when the
 * test ends.
 */
export function makeHome(t: CleanupScope, parent = realpathSync(tmpdir())): string {
  const home = mkdtempSync(join(parent, 'vezne-home-'))
  t.after(() => removeHome(home))
  onInterrupt(() => removeHome(home))
  return home
}

let template: Promise<string> | undefined

/**
 * A home with a secret and a database: a copy of one that this process creates once, which is ten times as
 * fast.
 */
export async function makeUsedHome(t: CleanupScope): Promise<string> {
  template ??= makeTemplate()
  const home = makeHome(t)
  execFileSync('cp', ['-a', `${await template}/.`, home])
  return home
}

async function makeTemplate(): Promise<string> {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'vezne-home-'))
  process.once('exit', () => removeHome(home))
  readOrCreateInstallationSecret(home, systemRandom)
  await (await startEmbeddedIn(home)).release()
  return home
}

function removeHome(home: string): void {
  const pid = serverPid(home)
  if (isServing(home, pid)) process.kill(pid, 'SIGKILL')
  for (const folder of dataFolders(home)) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
}

/** Data folders of a home, which can be elsewhere for root; none before the first start. */
export function dataFolders(home: string): string[] {
  try {
    return [realpathSync(join(home, 'postgres'))]
  } catch {
    return []
  }
}

/** Process id in PostgreSQL's pid file, dead or alive; 0 without the file. */
export function serverPid(home: string): number {
  try {
    return Number.parseInt(readFileSync(join(home, 'postgres/data/postmaster.pid'), 'utf8'), 10) || 0
  } catch {
    return 0
  }
}

/** True if that process is the server of the home. A zombie counts as ended. */
export function isServing(home: string, pid: number): boolean {
  return dataFolders(home).some((area) => isRunning({ data: join(area, 'data') }, { pid }))
}

/** Files beside the data itself: none after an orderly end. */
export function leftoverFiles(home: string): string[] {
  return dataFolders(home).flatMap((area) =>
    readdirSync(area).filter((name) => !['data', 'home.txt'].includes(name)),
  )
}

export function startEmbeddedIn(
  home: string,
  role: EmbeddedPostgresOptions['role'] = 'service',
): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ home, role, clock: systemClock, random: systemRandom, log: silentLog })
}

export async function queryEmbedded(
  connection: EmbeddedPostgres['connection'],
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export interface EmbeddedHolder {
  child: ChildProcess
  /** The next line of output, parsed. */
  next(): Promise<{
    connection?: EmbeddedPostgres['connection']
    refused?: string
    message?: string
    ended?: string
  }>
  /** Sends the signal and waits for the end of the process. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** Starts embedded-holder.ts in its own process, optionally as another user. */
export function startEmbeddedHolder(
  t: TestContext,
  home: string,
  args: string[],
  as: { uid?: number; gid?: number } = {},
): EmbeddedHolder {
  const script = fileURLToPath(new URL('embedded-holder.ts', import.meta.url))
  // The strictest umask an operator can use.
  const shell = ['-c', 'umask 077; exec "$@"', 'sh', process.execPath, script, home, ...args]
  const child = spawn('/bin/sh', shell, { ...as, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const exit = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    next: async () => JSON.parse((await lines.next()).value ?? '{}'),
    end: async (signal) => {
      child.kill(signal)
      await exit
    },
  }
}

export function demoOf(home: string) {
  return parseEnv(readFileSync(join(home, 'demo.env'), 'utf8'))
}
