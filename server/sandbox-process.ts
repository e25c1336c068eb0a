import { command } from '../kit/command-line/command.ts'
import { listen, PortTaken } from '../kit/http/listen.ts'
import { objectSchema } from '../kit/input/fields.ts'
import { abortableHttpClient, networkHttpClient } from '../kit/outbound/http-client.ts'
import type { Clock } from '../kit/runtime/clock.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import type { Log } from '../kit/runtime/log.ts'
import { listenForShutdownSignals } from '../kit/runtime/signals.ts'
import type { Sql } from '../kit/runtime/sql.ts'
import type { Random } from '../kit/security/random.ts'
import { systemRandom } from '../kit/security/random.ts'
import { createSandboxTables, processDueChallenges, sandboxApp } from '../sandbox/index.ts'
import type { Config } from './config.ts'
import { migratedSchemaState } from './database/migrate.ts'
import { openDatabase } from './database/pool.ts'
import { StartInterrupted } from './database/start-wait.ts'
import { openInstallation } from './installation.ts'
import type { SandboxProcessMessage } from './sandbox-pid-file.ts'
import {
  goAheadMessage,
  readPidFile,
  removePidFile,
  sandboxNonceAt,
  writePidFile,
} from './sandbox-pid-file.ts'

/** Time for which a sandbox continues without its service. */
const aloneMs = 10 * 60_000
const closeTimeoutMs = 5_000
/** Interval at which expired challenges are ended and late results sent. */
const processingPauseMs = 1_000

export const sandboxCommand = command({ input: objectSchema({}), run: runSandbox })

/**
 * Serves the sandbox bank until it is stopped. Beside a service it opens nothing before the service's
 * go-ahead, and ends some time after the service is gone.
 */
async function runSandbox({ config, log }: { config: Config; log: Log }): Promise<void> {
  const endSignal = listenForShutdownSignals().first
  // Neither settles if no service started this process.
  const left = new Promise<void>((resolve) => {
    process.once('disconnect', resolve)
  })
  const goesAhead = new Promise<unknown>((resolve) => {
    process.once('message', resolve)
  })
  const isBeside = process.send !== undefined
  try {
    if (isBeside && (await Promise.race([goesAhead, endSignal, left])) !== goAheadMessage) return
    // A sandbox beside a service is not checked: its service retries if an older one is still shutting down.
    if (!isBeside) await refuseSecond(config)
    const outside = { clock: systemClock, random: systemRandom, log }
    const ending = new AbortController()
    void endSignal.then(() => ending.abort())
    const { signal } = ending
    const installation = await openInstallation(config, { role: 'visitor', ...outside, signal })
    const database = openDatabase(installation.connection, config.databasePoolSize, log)
    try {
      const ended = Promise.race([
        endSignal,
        installation.databaseEnded,
        serviceGoneTooLong(left, systemClock),
      ])
      await serveUntil(ended, config, { ...outside, sql: database.sql })
    } finally {
      await database.close()
      await installation.release()
    }
  } catch (error) {
    if (error instanceof StartInterrupted) return
    const failed = error instanceof Error ? error.message : String(error)
    sendToService({ failed, isPortTaken: error instanceof PortTaken })
    throw error
  }
}

/** Checked before a database is opened or created. Another program on the port is detected when listening. */
async function refuseSecond({ sandboxPort }: Config): Promise<void> {
  if ((await sandboxNonceAt(sandboxPort, networkHttpClient(systemClock))) === undefined) return
  throw new Error(
    `A sandbox already runs on port ${sandboxPort}, perhaps the sandbox of vezne start. To use another port, set SANDBOX_PORT.`,
  )
}

async function serveUntil(
  ended: Promise<string>,
  config: Config,
  { sql, clock, random, log }: { sql: Sql; clock: Clock; random: Random; log: Log },
): Promise<void> {
  // A database of another lineage is refused before anything is created in it.
  await migratedSchemaState(sql)
  await createSandboxTables(sql)
  const nonce = random.bytes(16).toString('hex')
  const limits = { challengeSeconds: config.challengeSeconds }
  const app = sandboxApp({ sql, clock, random, log, nonce, address: config.sandboxUrl, limits })
  const { sandboxPort: port, sandboxHost: host } = config
  const listener = await listen(app, { port, setting: 'SANDBOX_PORT', host, clock })
  const idle = new AbortController()
  const http = abortableHttpClient(networkHttpClient(clock), idle.signal)
  const processing = processUntil(idle.signal, { sql, clock, random, log, http })
  const isBeside = process.send !== undefined && config.databaseUrl === undefined
  if (isBeside) writePidFile(config.home, { pid: process.pid, port, nonce })
  sendToService({ ready: true })
  log.info({ version: config.version, port }, 'the sandbox is ready')
  // The service ended before we were ready, so it will not come back.
  const reason = isBeside && !process.connected ? 'the service is gone' : await ended
  log.info({ reason }, 'the sandbox is shutting down')
  idle.abort()
  await processing
  await listener.close(closeTimeoutMs)
  if (isBeside && readPidFile(config.home)?.nonce === nonce) removePidFile(config.home)
}

/** Runs the bank's own tasks repeatedly. A failure of the database is retried. */
async function processUntil(
  ended: AbortSignal,
  tools: Parameters<typeof processDueChallenges>[0],
): Promise<void> {
  while (!ended.aborted) {
    await processDueChallenges(tools).catch((err: unknown) =>
      tools.log.warn({ err }, 'processing the challenges of the sandbox failed; will retry'),
    )
    await tools.clock.sleep(processingPauseMs, ended).catch(() => undefined)
  }
}

/** Settles some time after the service is gone. */
export async function serviceGoneTooLong(left: Promise<void>, clock: Clock): Promise<string> {
  await left
  await clock.sleep(aloneMs)
  return 'the service did not come back'
}

function sendToService(message: SandboxProcessMessage): void {
  // The service may be gone already.
  if (process.connected) process.send?.(message, () => undefined)
}
