import type { ApiRoute } from './api.ts'
import { apiApp } from './api.ts'
import { watchBins } from './bins/index.ts'
import { isGuarded } from './checkout/index.ts'
import type { Config } from './config.ts'
import { assertUsable, programLevel, schemaState } from './database/migrate.ts'
import { startDemoShop } from './demo-shop.ts'
import { runJobs } from './jobs.ts'
import type { Readiness } from './kit/health.ts'
import type { Listener } from './kit/listen.ts'
import { listen } from './kit/listen.ts'
import type { Log } from './kit/log.ts'
import { listenForSignals, orderlySignals } from './kit/signals.ts'
import type { Demo } from './merchants/index.ts'
import { Directory, ensureDemoMerchant } from './merchants/index.ts'
import { metricsApp } from './metrics.ts'
import { pageApp } from './page.ts'
import { ensureDemoPos, noteSealingKey, watchCurrencies } from './pos/index.ts'
import { cards } from './sandbox/index.ts'
import { SandboxBeside } from './sandbox-process.ts'
import type { OpenServices } from './services.ts'
import { openServices } from './services.ts'
import { settled } from './three-ds/index.ts'

/** How long requests under way may take to end. */
const patienceMs = 20_000

export interface StartOptions {
  /** Whether it serves the web apps. */
  web: boolean
  /** Whether it does the background jobs. */
  work: boolean
  /** Whether the sandbox bank runs beside it, with the embedded database. */
  sandbox?: boolean
  /** Endpoints beside the listed ones, for tests of the frame. */
  routes?: ApiRoute[]
}

/** A running copy of the service. */
export interface Running {
  services: OpenServices
  demo: Demo | undefined
  /** Settles with the reason when it cannot go on. */
  broken: Promise<string>
  /** Fails `/readyz` at once; requests are still served. */
  drain(): void
  /** Ends in order: no new requests, those under way get their answers, then jobs, database and all. */
  stop(): Promise<void>
}

/** Starts a copy of the service. Guarantee: when it throws, nothing that it started is left running. */
export async function startService(config: Config, log: Log, options: StartOptions): Promise<Running> {
  const services = await openServices(config, log, 'service')
  const { clock } = services
  const ending = new AbortController()
  const listeners: Listener[] = []
  const state = { starting: true, draining: false, closing: false }
  const tasks: Promise<void>[] = []
  let sandbox: SandboxBeside | undefined
  const end = async () => {
    state.draining = true
    state.closing = true
    ending.abort()
    await Promise.all(listeners.map((listener) => listener.close(patienceMs)))
    await Promise.all(tasks)
    await settled(services)
    await sandbox?.stop()
    await services.close()
  }
  let ended: Promise<void> | undefined
  const stop = () => {
    ended ??= end()
    return ended
  }
  try {
    if (options.sandbox && config.databaseUrl === undefined) sandbox = new SandboxBeside(services)
    await services.migrate()
    const wantsDemo = options.web && config.databaseUrl === undefined
    const demo = wantsDemo ? await ensureDemoMerchant(services) : undefined
    await noteSealingKey(services)
    if (demo) await ensureDemoPos(services, demo.merchant)
    const directory = new Directory(services.sql, services.own, clock, log)
    await directory.refresh()
    tasks.push(directory.watch(ending.signal), services.memory.watch(ending.signal))
    services.metrics.watchProcess()
    if (options.web) {
      // Before the first request, so that no request waits for them.
      await watchBins(services)
      await watchCurrencies(services)
      const readiness = readinessOf(services, state, directory)
      const api = apiApp(services, {
        directory,
        readiness,
        isClosing: () => state.closing,
        routes: options.routes ?? [],
      })
      const page = pageApp(services, { readiness, isClosing: () => state.closing })
      const { apiPort, pagePort, host } = config
      listeners.push(await listen(api, { port: apiPort, setting: 'API_PORT', host, clock }))
      listeners.push(await listen(page, { port: pagePort, setting: 'PAGE_PORT', host, clock }))
    }
    if (demo) {
      const shop = await startDemoShop(services, demo, ending.signal)
      listeners.push(shop.listener)
      tasks.push(shop.task)
    }
    const { metricsPort, metricsHost } = config
    listeners.push(
      await listen(metricsApp(services), {
        port: metricsPort,
        setting: 'METRICS_PORT',
        host: metricsHost,
        clock,
      }),
    )
    if (options.work) tasks.push(runJobs(services, ending.signal))
    await sandbox?.ready
    state.starting = false
    const drain = () => {
      state.draining = true
    }
    return { services, demo, broken: services.databaseEnded, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Not before everything runs, the bank beside us too: who is ready is paid with at once. Asks the database at most once a
 * second, however many ask us.
 */
function readinessOf(
  { own, clock, log }: OpenServices,
  state: { starting: boolean; draining: boolean },
  directory: Directory,
): Readiness {
  const level = programLevel()
  let askedAtMs = Number.NEGATIVE_INFINITY
  let answer: Promise<string | undefined>
  const ask = async () => {
    try {
      assertUsable(await schemaState(own), level)
      return undefined
    } catch (err) {
      log.warn({ err }, 'not ready')
      return 'database'
    }
  }
  return async () => {
    if (state.draining) return 'draining'
    if (state.starting) return 'starting'
    if (!directory.isFresh) return 'database'
    if (clock.monotonicMs() - askedAtMs >= 1000) {
      askedAtMs = clock.monotonicMs()
      answer = ask()
    }
    return answer
  }
}

/** What the programs of the command line are handed. */
export interface ProgramContext {
  config: Config
  log: Log
}

/**
 * Runs a copy of the service until it is told to end. SIGTERM drains first, so that load balancers can turn away;
 * SIGINT and SIGHUP, which are a person at a terminal, do not, and a second signal ends the draining.
 */
export async function runUntilTold({ config, log }: ProgramContext, options: StartOptions): Promise<void> {
  const signals = listenForSignals()
  const starting = startService(config, log, options)
  const running = await Promise.race([starting, signals.second])
  if (typeof running === 'string') throw new Error(`Told to end twice (${running}) before it was ready.`)
  log.info(
    { version: config.version, ...(options.web ? { api: config.apiUrl, page: config.pageUrl } : {}) },
    'ready',
  )
  if (options.web && !isGuarded(config))
    log.warn({ page: config.pageUrl }, 'PAGE_URL is plain http: no cards of live merchants are taken')
  if (running.demo) process.stderr.write(welcome(config, running.demo))
  const reason = await Promise.race([signals.first, running.broken])
  log.info({ reason }, 'ending')
  if (reason === 'SIGTERM') {
    running.drain()
    const enough = new AbortController()
    const drained = running.services.clock
      .sleep(config.drainSeconds * 1000, enough.signal)
      .catch(() => undefined)
    await Promise.race([drained, signals.second])
    enough.abort()
  }
  await running.stop()
  log.info({}, 'ended')
  if (!orderlySignals.some((signal) => signal === reason)) throw new Error(reason)
}

function welcome(config: Config, demo: Demo): string {
  return `
  Vezne ${config.version} is ready.

  Shop     http://localhost:${config.demoPort}

  API      ${config.apiUrl}
  Page     ${config.pageUrl}
  Docs     ${config.apiUrl}/docs#key=${demo.secretKey}
  Sandbox  ${config.sandboxUrl}
  Metrics  http://localhost:${config.metricsPort}/metrics

  Demo merchant ${demo.merchant.id} (${demo.merchant.name}), also in ${demo.file}
  secret key  ${demo.secretKey}
  public key  ${demo.publicKey}

  Start a payment:
    TOKEN=$(curl -s -X POST ${config.apiUrl}/v1/token/get-token -H "Authorization: Bearer ${demo.secretKey}" |
      sed -E 's/.*"access_token":"([^"]+)".*/\\1/')
    curl -X POST ${config.apiUrl}/v1/payment/3ds -H "Authorization: Bearer $TOKEN" -d amount=10000 -d currency=TRY

  Open the payment_page_url that it answers, and pay.
  A test card: ${cards[0]?.number}, any later month, any security code. More: docs/integrate/test-cards.md

  See events as they happen: ./vezne listen
  Have one happen: ./vezne trigger payment.succeeded

  Ctrl-C stops everything, PostgreSQL included. The data stays in ${config.home}

`
}
