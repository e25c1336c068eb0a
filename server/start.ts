import type { Clock } from '../kit/runtime/clock.ts'
import { systemClock } from '../kit/runtime/clock.ts'
import { preloadLazyValues } from '../kit/runtime/lazy.ts'
import type { Log } from '../kit/runtime/log.ts'
import { listenForShutdownSignals, shutdownSignals } from '../kit/runtime/signals.ts'
import { VerifiedClock } from '../kit/runtime/verified-clock.ts'
import { systemRandom } from '../kit/security/random.ts'
import { cards } from '../sandbox/cards/cards.ts'
import type { AppOptions, RunningApps } from './apps.ts'
import type { Config } from './config.ts'
import { StartInterrupted } from './database/start-wait.ts'
import type { Installation } from './installation.ts'
import { openInstallation } from './installation.ts'
import { forwardUpcomingWork } from './instances/index.ts'
import type { DemoMerchant } from './merchants/index.ts'
import { SandboxSupervisor } from './sandbox-supervisor.ts'
import type { OpenServices } from './services.ts'

/** Time limit for requests under way at shutdown. */
const closeTimeoutMs = 20_000

export interface StartOptions extends AppOptions {
  /** True if the sandbox bank runs beside it, with the embedded database. */
  sandbox?: boolean
  makesHome?: boolean
  /** Aborted when the program is told to end: it then stops waiting for the database. */
  signal?: AbortSignal
}

export interface RunningService {
  services: OpenServices
  demo: DemoMerchant | undefined
  /** Fails `/readyz` immediately; requests are still served. */
  drain(): void
  /** Shuts down in order: no new requests, responses to those under way, then jobs, database and the rest. */
  stop(): Promise<void>
}

/**
 * Starts an instance of the service. PostgreSQL and the sandbox start in their own processes while this one
 * loads the web apps. Guarantee: if it throws, nothing that it started is left running.
 */
export async function startService(config: Config, log: Log, options: StartOptions): Promise<RunningService> {
  const running: Parts = { starting: true, draining: false, closing: false, listeners: [], deadlines: [] }
  const hasSandbox = options.sandbox && config.databaseUrl === undefined
  const launched = Promise.withResolvers<void>()
  const opening = openInstallation(config, {
    ...{ role: 'service', clock: systemClock, random: systemRandom, log },
    makesHome: options.makesHome ?? false,
    ...(options.signal && { signal: options.signal }),
    onServer: () => {
      if (hasSandbox) running.sandbox ??= new SandboxSupervisor({ config, clock: systemClock, log })
      launched.resolve()
    },
  })
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= end(running, opening)
    return stopped
  }
  try {
    await Promise.race([launched.promise, opening])
    // From now on this service owns the home, and so a sandbox that an earlier service left in it.
    void opening.then(
      () => running.sandbox?.begin(),
      () => undefined,
    )
    const { runApps, servicesOn } = await loadApps()
    const toleranceMs = config.clockToleranceSeconds * 1000
    const clock = toleranceMs === 0 ? systemClock : new VerifiedClock(systemClock, toleranceMs)
    const services = servicesOn(await opening, config, log, clock)
    running.services = services
    const demo = await runApps(services, options, running)
    await running.sandbox?.ready
    running.starting = false
    void services.tasks.add(preloadLazyValues(systemClock, services.tasks.signal))
    const drain = () => {
      running.draining = true
    }
    return { services, demo, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Loads the web apps and the jobs in parts, between which PostgreSQL and the sandbox are polled. */
async function loadApps(): Promise<typeof import('./apps.ts')> {
  for (const load of [
    () => import('../kit/http/web-app.ts'),
    () => import('./services.ts'),
    () => import('./payments/index.ts'),
    () => import('./api.ts'),
    () => import('./page.ts'),
  ]) {
    await load()
    await systemClock.sleep(0)
  }
  return import('./apps.ts')
}

interface Parts extends RunningApps {
  sandbox?: SandboxSupervisor
  services?: OpenServices
}

/** Stops everything that was started, however far the start got. */
async function end(running: Parts, opening: Promise<Installation>): Promise<void> {
  const { listeners, deadlines, sandbox, services } = running
  running.draining = true
  running.closing = true
  services?.tasks.end()
  await Promise.all(listeners.map((listener) => listener.close(closeTimeoutMs)))
  for (const each of deadlines) each.cancelAll()
  await services?.tasks.drain()
  if (services) await forwardUpcomingWork(services).catch(() => undefined)
  await sandbox?.stop()
  if (services) await services.close()
  else await (await opening.catch(() => undefined))?.release()
}

/** Context of the command line's programs. */
export type ProgramContext = Pick<OpenServices, 'config' | 'log'>

/**
 * Runs an instance until it is told to end. SIGTERM drains first, so that load balancers can switch. SIGINT
 * and SIGHUP come from a terminal and do not drain. A second signal ends the draining.
 */
export async function runUntilSignalled(
  { config, log }: ProgramContext,
  options: StartOptions,
): Promise<void> {
  const signals = listenForShutdownSignals()
  const interrupt = new AbortController()
  void signals.first.then(() => interrupt.abort())
  const starting = startService(config, log, { ...options, signal: interrupt.signal }).catch(
    (error: unknown) => {
      if (error instanceof StartInterrupted) return undefined
      throw error
    },
  )
  const running = await Promise.race([starting, signals.second])
  if (typeof running === 'string')
    throw new Error(`Stopped by a second signal (${running}) before the service was ready.`)
  if (!running) return log.info({ reason: await signals.first }, 'shut down')
  const { fault } = running.services.clock
  // On a terminal the welcome says that the service is ready.
  const isWelcomeEnough = running.demo !== undefined && config.logFormat === 'pretty' && !fault
  if (!isWelcomeEnough)
    log.info(
      { version: config.version, ...(options.web ? { api: config.apiUrl, page: config.pageUrl } : {}) },
      fault ? 'the service runs with a wrong clock; ready once the clock is right' : 'ready',
    )
  const { isCardEntrySecure: isGuarded } = await import('./apps.ts')
  if (options.web && !isGuarded(config))
    log.warn({ page: config.pageUrl }, 'PAGE_URL is plain http: no cards of live merchants are taken')
  if (running.demo) process.stderr.write(welcome(config, running.demo, fault))
  const reason = await Promise.race([signals.first, running.services.databaseEnded])
  log.info({ reason }, 'shutting down')
  if (reason === 'SIGTERM') {
    running.drain()
    const enough = new AbortController()
    void signals.second.then(() => enough.abort())
    await running.services.clock.sleep(config.drainSeconds * 1000, enough.signal).catch(() => undefined)
  }
  await running.stop()
  log.info({}, 'shut down')
  if (!shutdownSignals.some((signal) => signal === reason)) throw new Error(reason)
}

function welcome(config: Config, demo: DemoMerchant, fault: Clock['fault']): string {
  const state = fault
    ? 'is running, but is not ready: the clock of this machine is wrong, see the log'
    : 'is ready'
  return `
  Vezne ${config.version} ${state}.

  Shop     http://localhost:${config.demoPort}

  API      ${config.apiUrl}
  Page     ${config.pageUrl}
  Docs     ${config.apiUrl}/docs#key=${demo.secretKey}
  Sandbox  ${config.sandboxUrl}
  Metrics  http://localhost:${config.metricsPort}/metrics

  Demo merchant ${demo.merchant.id} (${demo.merchant.name}). Its keys are also in ${demo.file}
  secret key  ${demo.secretKey}
  public key  ${demo.publicKey}

  Start a payment:
    TOKEN=$(curl -s -X POST ${config.apiUrl}/v1/token/get-token -H "Authorization: Bearer ${demo.secretKey}" |
      sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
    curl -X POST ${config.apiUrl}/v1/payment/3ds -H "Authorization: Bearer $TOKEN" -d amount=10000 -d currency=TRY

  Open the payment_page_url of the response, and pay.
  Test card: ${cards[0]?.number}, any future month, any security code. More: docs/integrate/test-cards.md

  To see events as they happen: ./vezne listen
  To make one happen: ./vezne trigger payment.succeeded

  Ctrl-C stops everything, PostgreSQL included. The data stays in ${config.home}

`
}
