import type { ReadinessCheck } from '../kit/http/health.ts'
import type { ListeningServer } from '../kit/http/listen.ts'
import { listen } from '../kit/http/listen.ts'
import { VerifiedClock } from '../kit/runtime/verified-clock.ts'
import type { ApiRoute } from './api.ts'
import { apiApp } from './api.ts'
import { preloadBinTable } from './bins/index.ts'
import { assertSchemaUsable, programSchemaLevel, schemaState } from './database/migrate.ts'
import { RequestDeadlines } from './database/request-deadlines.ts'
import { startDemoShop } from './demo-shop.ts'
import { ClockWatch, watchUpcomingWork } from './instances/index.ts'
import { startJobs } from './jobs.ts'
import type { DemoMerchant } from './merchants/index.ts'
import { ensureDemoMerchant, MerchantCache } from './merchants/index.ts'
import { metricsApp } from './metrics.ts'
import { pageApp } from './page.ts'
import { ensureDemoPos, preloadCurrencies, recordSealingKey } from './pos/index.ts'
import type { OpenServices } from './services.ts'

export { isCardEntrySecure } from './checkout/index.ts'
export { servicesOn } from './services.ts'

export interface AppOptions {
  web: boolean
  work: boolean
  /** Further endpoints, for tests of the pipeline. */
  routes?: ApiRoute[]
}

/** State of an instance, for `/readyz`, and its listeners and requests to stop, also after a failed start. */
export interface RunningApps {
  starting: boolean
  draining: boolean
  closing: boolean
  listeners: ListeningServer[]
  deadlines: RequestDeadlines[]
}

/** Migrates the database, then runs the apps and the jobs. Records in `running` what has started. */
export async function runApps(
  services: OpenServices,
  options: AppOptions,
  running: RunningApps,
): Promise<DemoMerchant | undefined> {
  const { config, clock, log, tasks } = services
  const { host, apiPort, pagePort, metricsPort, metricsHost } = config
  await services.migrate()
  const [demo] = await Promise.all([
    prepareDemo(services, options.web && config.databaseUrl === undefined),
    // Loaded before the first request, so that no request waits for it.
    options.web && preloadBinTable(services),
  ])
  const merchantCache = new MerchantCache(services.sql, services.own, clock, log)
  const clockWatch = clock instanceof VerifiedClock ? new ClockWatch(services, clock) : undefined
  const apps = []
  if (options.web) {
    const [ofApi, ofPage] = [new RequestDeadlines('api', services), new RequestDeadlines('page', services)]
    running.deadlines.push(ofApi, ofPage)
    const frame = {
      readiness: readinessOf(services, running, merchantCache),
      isClosing: () => running.closing,
    }
    const { routes = [] } = options
    const api = apiApp(services, { ...frame, deadlines: ofApi, merchantCache, routes })
    const page = pageApp(services, { ...frame, deadlines: ofPage })
    apps.push({ app: api, port: apiPort, setting: 'API_PORT', host })
    apps.push({ app: page, port: pagePort, setting: 'PAGE_PORT', host })
  }
  apps.push({ app: metricsApp(services), port: metricsPort, setting: 'METRICS_PORT', host: metricsHost })
  services.metrics.watchProcess()
  // Loaded last, so that they are fresh even if a slow machine took long for the rest.
  await Promise.all([
    merchantCache.refresh(),
    options.web && preloadCurrencies(services),
    clockWatch?.begin(),
  ])
  for (const watched of [merchantCache, services.cache, clockWatch, ...running.deadlines])
    if (watched) void tasks.add(watched.watch(tasks.signal))
  const opening = apps.map(({ app, ...where }) => listen(app, { ...where, clock }))
  await allOpened(opening, running.listeners)
  if (demo) running.listeners.push(await startDemoShop(services, demo))
  if (options.work) startJobs(services)
  else void tasks.add(watchUpcomingWork(services, tasks.signal))
  return demo
}

async function prepareDemo(services: OpenServices, hasDemo: boolean): Promise<DemoMerchant | undefined> {
  const demo = hasDemo ? await ensureDemoMerchant(services) : undefined
  await recordSealingKey(services)
  if (demo) await ensureDemoPos(services, demo.merchant)
  return demo
}

/** Waits for all of them even if one fails, so that the opened ones can be closed. */
async function allOpened(opening: Promise<ListeningServer>[], opened: ListeningServer[]): Promise<void> {
  const all = await Promise.allSettled(opening)
  for (const each of all) if (each.status === 'fulfilled') opened.push(each.value)
  for (const each of all) if (each.status === 'rejected') throw each.reason
}

/**
 * Ready once everything runs, including the sandbox bank: payments may arrive as soon as an instance is
 * ready. The database is asked once a second at most, however many checks arrive.
 */
function readinessOf(
  { own, clock, log }: OpenServices,
  running: RunningApps,
  merchantCache: MerchantCache,
): ReadinessCheck {
  const level = programSchemaLevel()
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let answer: Promise<string | undefined>
  const ask = async () => {
    try {
      assertSchemaUsable(await schemaState(own), level)
      return undefined
    } catch (err) {
      log.warn({ err }, 'the database check of /readyz failed; it answers 503 until the check passes')
      return 'database'
    }
  }
  return async () => {
    if (running.draining) return 'draining'
    if (running.starting) return 'starting'
    if (!merchantCache.isFresh) return 'database'
    if (clock.fault && clock.fault !== 'doubted') return 'clock'
    if (clock.monotonicMs() - checkedAtMs >= 1000) {
      checkedAtMs = clock.monotonicMs()
      answer = ask()
    }
    return answer
  }
}
