import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { systemRandom } from '../kit/security/random.ts'
import { createMerchant, newKeyText } from '../server/merchants/index.ts'
import { Child, usageOf } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import { tokenHeaders } from './environment.ts'
import type { FloodResult, FloodTask } from './flooder.ts'
import { percentile } from './percentile.ts'
import { rawRequest, uniqueNumberMark } from './request.ts'

const count = 20_000
const connections = 400
const timeoutMs = 120_000
/** Interval of the good caller's requests. It uses the same address as the flood. */
const everyMs = 20
const quietS = 6

/** Upper limits: the median wait of a good caller may be five times the wait without a flood. */
export const floodLimits = { p50_ratio: 5, answered_otherwise: 0 }

type Headers = Record<string, string>

/** Floods with bad tokens at a fixed rate: the rate at which a good caller was first seen to wait. */
export function pacedTokenFlood(environment: BenchEnvironment): Promise<Record<string, number>> {
  return flood(environment, 8, badTokens)
}

/** Floods with bad tokens as fast as they are answered. */
export function fullSpeedTokenFlood(environment: BenchEnvironment): Promise<Record<string, number>> {
  return flood(environment, 0, badTokens)
}

/**
 * Floods with unknown keys as fast as they are answered. Their checksums are valid, so that each needs a
 * database query.
 */
export function fullSpeedKeyFlood(environment: BenchEnvironment): Promise<Record<string, number>> {
  return flood(environment, 0, badKeys)
}

/** Measures the wait of a good caller without and with a flood. */
async function flood(
  environment: BenchEnvironment,
  seconds: number,
  badRequests: (headers: Headers) => string[],
): Promise<Record<string, number>> {
  const { secretKey } = await createMerchant(environment.services, { name: 'Good caller' })
  const headers = await tokenHeaders(environment, secretKey)
  const { port, pid } = environment.service
  const ask = { port, path: '/v1/webhooks', headers }
  await using flooder = new Child('bench/flooder.ts', [])
  await waits(ask, AbortSignal.timeout(2_000))
  const quiet = await waits(ask, AbortSignal.timeout(quietS * 1000))
  const over = new AbortController()
  const cpuBefore = usageOf(pid).cpuS
  flooder.send({ port, connections, count, seconds, requests: badRequests(headers) } satisfies FloodTask)
  const flooding = flooder.message<FloodResult>(timeoutMs).finally(() => over.abort())
  const flooded = await waits(ask, over.signal)
  const { statuses, seconds: tookS } = await flooding
  const cpuS = usageOf(pid).cpuS - cpuBefore
  const { 401: unauthenticated = 0, 429: limited = 0, ...others } = statuses
  return {
    quiet_p50_ms: rounded(percentile(quiet, 0.5)),
    quiet_p99_ms: rounded(percentile(quiet, 0.99)),
    flood_p50_ms: rounded(percentile(flooded, 0.5)),
    flood_p99_ms: rounded(percentile(flooded, 0.99)),
    p50_ratio: rounded(percentile(flooded, 0.5) / percentile(quiet, 0.5)),
    p99_ratio: rounded(percentile(flooded, 0.99) / percentile(quiet, 0.99)),
    answered_401: unauthenticated,
    answered_429: limited,
    answered_otherwise: Object.values(others).reduce((sum, each) => sum + each, 0),
    flood_s: rounded(tookS),
    cpu_us_each: Math.round((cpuS / (unauthenticated + limited)) * 1e6),
  }
}

/** Requests whose tokens are valid except for the signature: one read and one payment. */
function badTokens({ authorization = '', ...others }: Headers): string[] {
  const signed = authorization.slice(0, authorization.lastIndexOf('.'))
  const headers = { ...others, authorization: `${signed}.${uniqueNumberMark.padEnd(43, 'x')}` }
  const body = JSON.stringify({ amount: 1000, currency: 'TRY', redirect_url: 'https://shop.example/back' })
  const asJson = { ...headers, 'content-type': 'application/json' }
  return [
    rawRequest({ method: 'GET', path: '/v1/bin-lookup?bin_number=40430800', headers }),
    rawRequest({ method: 'POST', path: '/v1/payment/3ds', headers: asJson, body }),
  ]
}

function badKeys(headers: Headers): string[] {
  return Array.from({ length: 2_000 }, () => {
    const authorization = `Bearer ${newKeyText('secret', false, systemRandom)}`
    return rawRequest({ method: 'POST', path: '/v1/token/get-token', headers: { ...headers, authorization } })
  })
}

/**
 * Sends requests at a fixed interval until the signal, without waiting for responses. Returns the sorted
 * response times.
 */
async function waits(
  ask: { port: number; path: string; headers: Record<string, string> },
  until: AbortSignal,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const taken: number[] = []
  const calls: Promise<void>[] = []
  const beganMs = performance.now()
  while (!until.aborted) {
    calls.push(askOnce({ ...ask, host: '127.0.0.1', agent }).then((ms) => void taken.push(ms)))
    await pause(Math.max(0, beganMs + calls.length * everyMs - performance.now()))
  }
  await Promise.all(calls)
  agent.destroy()
  return taken.sort((one, other) => one - other)
}

async function askOnce(options: object): Promise<number> {
  const beganMs = performance.now()
  const [answer]: IncomingMessage[] = await once(request(options).end(), 'response')
  if (answer?.statusCode !== 200) throw new Error(`a good caller was answered ${answer?.statusCode}`)
  await once(answer.resume(), 'end')
  return performance.now() - beganMs
}

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
