import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Cluster } from './cluster.ts'
import { runAs } from './os-account.ts'

/** Contents of `postmaster.pid`. A killed server leaves the file behind. */
export interface PostgresServer {
  pid: number
  data: string
  socketFolder: string
  port: number
  /** True if the file reports that it accepts connections. */
  ready: boolean
  /** Process, folder and start time: unique to each server. Empty if the server died before it wrote them. */
  identity: string
}

const stopLimitMs = 10_000
const stopPauseMs = 10
const emptyFileLimitMs = 1_000

export function readPostmasterPid(cluster: Cluster): PostgresServer | undefined {
  try {
    const server = parseServer(readNote(pidFile(cluster)))
    // A home that was copied while in use contains the file of the original's server, which is not ours.
    return server.data === cluster.data ? server : { ...server, socketFolder: '', ready: false }
  } catch {
    return undefined
  }
}

/** Reads a plain file only: whatever PostgreSQL's account puts there must not block or mislead root. */
function readNote(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor, 'utf8') : ''
  } finally {
    closeSync(descriptor)
  }
}

function parseServer(text: string): PostgresServer {
  const lines = text.split('\n')
  const [pid, data = '', , port, socketFolder = '', , , status = ''] = lines
  const identity = lines.slice(0, 3).join('\n')
  return {
    pid: Number(pid),
    data,
    socketFolder,
    port: Number(port),
    ready: status.trim() === 'ready',
    identity,
  }
}

/** Another program may have a dead server's PID by now, so the command line is checked too. */
export function isRunning({ data }: Pick<Cluster, 'data'>, { pid }: Pick<PostgresServer, 'pid'>): boolean {
  return commandLine(pid).includes(` -D ${data} `)
}

function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

/**
 * Stops a server and returns when it is gone with all its files. A fast shutdown ends the connections and
 * writes everything out. If that hangs, an immediate one leaves the rest to recovery at the next start. The
 * account itself sends the signal, so that a PID in its file can never make root stop another process.
 */
export async function stopServer(cluster: Cluster, server: PostgresServer, clock: Clock): Promise<void> {
  const [fast, immediate] = ['INT', 'QUIT']
  for (const signal of [fast, immediate]) {
    if (!isRunning(cluster, server)) break
    await runAs(cluster.account, cluster.binaries.pgCtl, ['kill', signal, String(server.pid)])
    const giveUpAt = clock.monotonicMs() + stopLimitMs
    while (isRunning(cluster, server) && clock.monotonicMs() < giveUpAt) await clock.sleep(stopPauseMs)
  }
  if (isRunning(cluster, server)) throw new Error(`PostgreSQL does not stop (process ${server.pid}).`)
  await removeStaleServerFiles(cluster, server, clock)
}

/**
 * Removes the files of a dead server; PostgreSQL would refuse to start if another program had its PID. If a
 * new server has started meanwhile, its file is put back in time, and PostgreSQL's lock on its shared memory
 * excludes a second server in any case.
 */
export async function removeStaleServerFiles(
  cluster: Cluster,
  server: PostgresServer,
  clock: Clock,
): Promise<void> {
  // An empty file belongs to a server that died while starting, or to one that is about to fill it.
  if (!server.identity) await clock.sleep(emptyFileLimitMs)
  if (server.socketFolder) removeSocketFolder(cluster, server)
  if (readPostmasterPid(cluster)?.identity !== server.identity) return
  const aside = `${pidFile(cluster)}.${process.pid}`
  try {
    renameSync(pidFile(cluster), aside)
    if (parseServer(readNote(aside)).identity !== server.identity) linkSync(aside, pidFile(cluster))
  } catch {
    // Another start was faster.
  }
  rmSync(aside, { force: true })
}

/**
 * Every start creates its own socket folder, so this one is unused. Its name comes from PostgreSQL's file, so
 * root does nothing here that PostgreSQL's account could not do itself.
 */
function removeSocketFolder({ account }: Cluster, { socketFolder, port }: PostgresServer): void {
  try {
    if (lstatSync(socketFolder).uid !== account.uid) return
    rmSync(join(socketFolder, `.s.PGSQL.${port}`), { force: true })
    rmSync(join(socketFolder, `.s.PGSQL.${port}.lock`), { force: true })
    rmdirSync(socketFolder)
  } catch {
    // The folder is gone already.
  }
}

const pidFile = ({ data }: Cluster) => join(data, 'postmaster.pid')
