import { setTimeout as pause } from 'node:timers/promises'
import { countingProxy } from '../testing/harness/counting-proxy.ts'
import { Child, ownRoot } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import { serviceSettings } from './environment.ts'

const timeoutMs = 30_000
/** Time after the start of an instance until its caches are full and the pauses of its searches are long. */
const settleS = 15
const observedS = 30

/** Statements of an instance with background jobs that gets no requests, counted on the wire. */
export async function idleStatements(environment: BenchEnvironment): Promise<Record<string, number>> {
  const { databaseUrl, settings, signal } = environment
  await using scope = new AsyncDisposableStack()
  const proxy = scope.adopt(await countingProxy(databaseUrl), (each) => each.close())
  const own = await serviceSettings(settings['VEZNE_HOME'] ?? '', proxy.url)
  const secret = { VEZNE_SECRET: settings['VEZNE_SECRET'] ?? '' }
  const instance = scope.use(new Child('bench/counted-service.ts', [ownRoot], { ...own, ...secret }, ownRoot))
  await instance.message(timeoutMs)
  const wait = (seconds: number) => instance.whileRunning(pause(seconds * 1000, undefined, { signal }))
  await wait(settleS)
  const before = proxy.counts()
  await wait(observedS)
  const { statements } = proxy.counts()
  return { statements_per_s: Number(((statements - before.statements) / observedS).toFixed(2)) }
}
