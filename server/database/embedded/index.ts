import type { Clock } from '../../../kit/runtime/clock.ts'
import type { Log } from '../../../kit/runtime/log.ts'
import type { Random } from '../../../kit/security/random.ts'
import { StartInterrupted, StartWait } from '../start-wait.ts'
import type { Cluster } from './cluster.ts'
import { openCluster } from './cluster.ts'
import type { ServerLaunch } from './launch.ts'
import { launchServer } from './launch.ts'
import type { LockSession } from './lock-session.ts'
import { becomeLastUser, ensureDatabase, openLockSession, takeLocks } from './lock-session.ts'
import { isRunning, readPostmasterPid, removeStaleServerFiles, stopServer } from './postmaster.ts'
import { truncateUnloggedTables } from './truncate-unlogged-tables.ts'

export { hasPostgresData } from './cluster-folder.ts'

export interface EmbeddedPostgresOptions {
  /** VEZNE_HOME: absolute, existing, mode 700. Under root 711, so that PostgreSQL's account can enter. */
  home: string
  /** Service: one per home. Visitor: a command, with or without a running service. */
  role: 'service' | 'visitor'
  clock: Clock
  random: Random
  log: Log
  /** Longest time for a server to start or recover; at least `leastWaitMs`. */
  waitMs?: number
  /** Aborted when the program is told to end; it then stops waiting. */
  signal?: AbortSignal
  /** Called when a server was launched and when it accepts connections; possibly several times. */
  onServer?(): void
}

export interface EmbeddedPostgres {
  /** Options for `pg`; the host is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; database: string }
  /** Settles with a reason if PostgreSQL ends by itself while we use it. Never rejects. */
  databaseEnded: Promise<string>
  /** A service stops PostgreSQL, a visitor only as its last user. Unlogged tables are emptied before. */
  release(): Promise<void>
}

export class HomeInUse extends Error {
  override readonly name = 'HomeInUse'
}

const usualWaitMs = 60_000
/** Time that a server needs to start even if no recovery is waited for. */
const leastWaitMs = 10_000
/** Most servers are up by then. */
const quietMs = 2_000
const leaveLimitMs = 60_000
const launchLimit = 5
const pauseMs = 10
const lossTimeoutMs = 2_000
const pauseAfterFailureMs = 200

/**
 * Starts the PostgreSQL of a home, or joins the running one. Guarantee: whichever process is killed at any
 * moment, the next start finds complete data. Two servers or two services never run on the same data.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(options.home, options.random)
  if (cluster.account.name === 'nobody') {
    options.log.warn(
      {},
      'PostgreSQL runs under the account nobody, which other programs may share; create an account named vezne for it',
    )
  }
  const session = await becomeUser(cluster, options)
  let released: Promise<void> | undefined
  const release = () => {
    session.socket.ref()
    released ??= leave(cluster, session, options)
    return released
  }
  try {
    await ensureDatabase(session)
  } catch (error) {
    await release()
    throw error
  }
  const { promise: databaseEnded, resolve } = Promise.withResolvers<string>()
  void session.lost.then((reason) => {
    if (!released) resolve(`PostgreSQL ended: ${reason}. Its log: ${cluster.logFile}`)
  })
  // The session does not keep the process alive: when it exits, the server notices.
  session.socket.unref()
  const { socketFolder: host, port } = session.server
  return { connection: { host, port, user: 'vezne', database: 'vezne' }, databaseEnded, release }
}

/** Becomes a user of the server. A server that is being stopped is waited for and started again. */
async function becomeUser(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<LockSession> {
  const { clock, log, signal, waitMs = usualWaitMs } = options
  const wait = new StartWait({ clock, log, signal, limitMs: Math.max(waitMs, leastWaitMs), quietMs })
  for (;;) {
    const session = await reach(cluster, wait, options)
    options.onServer?.()
    const outcome = await takeLocks(session, options.role, clock)
    if (outcome === 'taken') return session
    await session.client.end()
    if (outcome === 'in use')
      throw new HomeInUse(
        `A Vezne service is already running on ${options.home}. Stop it first, or set VEZNE_HOME to another folder.`,
      )
    await clock.sleep(pauseMs)
  }
}

/** Finds a running server or launches one. If several are launched, PostgreSQL lets only one live. */
async function reach(
  cluster: Cluster,
  wait: StartWait,
  { clock, random, log, onServer = () => undefined }: EmbeddedPostgresOptions,
): Promise<LockSession> {
  const launches: ServerLaunch[] = []
  let refusal = ''
  while (!wait.isOver) {
    const server = readPostmasterPid(cluster)
    const session = server?.ready ? await openLockSession(server) : ''
    if (typeof session !== 'string') {
      log.debug({ pid: session.server.pid, launches: launches.length }, 'the embedded PostgreSQL is up')
      return session
    }
    refusal = session || refusal
    if (server && !isRunning(cluster, server)) await removeStaleServerFiles(cluster, server, clock)
    if (!server && launches.every((launch) => launch.hasEnded())) {
      // Processes of a killed server may hold its memory for a moment, so one failure is not final.
      if (launches.length === launchLimit) break
      await clock.sleep(launches.length * pauseAfterFailureMs)
      launches.push(await launchServer(cluster, random))
      onServer()
    }
    await wait.pause(pauseMs, refusal || 'PostgreSQL starts, or recovers').catch(async (error: unknown) => {
      if (error instanceof StartInterrupted) for (const launch of launches) await launch.stop()
      throw error
    })
  }
  const words = launches.at(-1)?.logTail() ?? ''
  throw new Error(`${failureOf(cluster, refusal)} The last lines of its log, ${cluster.logFile}:\n${words}`)
}

/** A recovering server is left running: if stopped, it would begin again at the next start. */
function failureOf(cluster: Cluster, refusal: string): string {
  const why = refusal && `: ${refusal}`
  const server = readPostmasterPid(cluster)
  return server && isRunning(cluster, server)
    ? `PostgreSQL was not ready in time${why}. It continues in the background: start again later, or set a longer DATABASE_WAIT_SECONDS.`
    : `PostgreSQL did not start${why}.`
}

async function leave(
  cluster: Cluster,
  session: LockSession,
  options: EmbeddedPostgresOptions,
): Promise<void> {
  if (session.isLost) return leaveAfterLoss(cluster, options)
  if (options.role === 'service' || (await becomeLastUser(session))) {
    await truncateUnloggedTables(session.server, options.log)
    await stopServer(cluster, session.server, options.clock)
  }
  await session.client.end()
}

/** A service that lost its locks may not stop the server: another may have it. It leaves as a visitor. */
async function leaveAfterLoss(cluster: Cluster, options: EmbeddedPostgresOptions): Promise<void> {
  const { clock } = options
  const giveUpAt = clock.monotonicMs() + leaveLimitMs
  const patientUntil = clock.monotonicMs() + lossTimeoutMs
  while (clock.monotonicMs() < giveUpAt) {
    const server = readPostmasterPid(cluster)
    if (!server) return
    if (!isRunning(cluster, server)) return removeStaleServerFiles(cluster, server, clock)
    const session = server.ready ? await openLockSession(server) : ''
    if (typeof session !== 'string') {
      await leave(cluster, session, { ...options, role: 'visitor' })
      // A server that restarts itself may count our dead session's lock as another user's for a moment.
      if (clock.monotonicMs() > patientUntil || !readPostmasterPid(cluster)) return
    }
    await clock.sleep(pauseMs)
  }
}
