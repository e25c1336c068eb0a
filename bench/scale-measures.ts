import { Child } from './child.ts'
import { load } from './compare.ts'
import type { BenchEnvironment } from './environment.ts'
import type { BenchInstallation } from './installations.ts'
import type { PayResult, PayTask } from './payers.ts'
import type { HttpRequest } from './request.ts'
import { getTransactionRequests, idempotentStartRequests, startPaymentRequests } from './transactions.ts'

/** Work of merchants or payers at a running service. */
export interface ScaleMeasure {
  name: string
  /** Least share of plain PostgreSQL's rate that passes. */
  target: number
  /** Works at full load for some seconds. */
  run(installation: BenchInstallation, seconds: number): Promise<Rate>
  /** Does a few requests one after the other, and returns their number. */
  runFew(installation: BenchInstallation): Promise<number>
}

export interface Rate {
  count: number
  perSecond: number
}

const payers = 8
/** Requests of each merchant, sent in turn and repeatedly. */
const requestsEach = 20
const fewS = 2
const fewPayments = 20
const timeoutMs = 60_000

export const scaleMeasures: ScaleMeasure[] = [
  requestMeasure('start_payment', 0.6, startPaymentRequests),
  requestMeasure('start_payment_once', 0.45, idempotentStartRequests),
  requestMeasure('get_transaction', 0.6, getTransactionRequests),
  {
    name: 'whole_payment',
    target: 0.45,
    run: async (installation, seconds) => {
      const { payments, tookS } = await pay(installation, { payers, seconds })
      return { count: payments, perSecond: payments / tookS }
    },
    runFew: async (installation) => {
      const { payments } = await pay(installation, {
        payers: 1,
        seconds: timeoutMs / 1000,
        most: fewPayments,
      })
      return payments
    },
  },
]

function requestMeasure(
  name: string,
  target: number,
  requestsOf: (merchant: BenchEnvironment) => Promise<HttpRequest[]>,
): ScaleMeasure {
  const send = async ({ merchants }: BenchInstallation, seconds: number, connections?: number) => {
    const [environment] = merchants
    if (!environment) throw new Error('an installation without merchants')
    const lists: HttpRequest[][] = []
    for (const merchant of merchants) lists.push((await requestsOf(merchant)).slice(0, requestsEach))
    const requests = Array.from({ length: requestsEach }, (_, turn) =>
      lists.flatMap((list) => list[turn] ?? []),
    )
    const side = { name, server: environment.service, requests: requests.flat() }
    const { perSecond } = await load(side, seconds, environment, connections)
    return { count: Math.round(perSecond * seconds), perSecond }
  }
  return {
    name,
    target,
    run: (installation, seconds) => send(installation, seconds),
    runFew: async (installation) => (await send(installation, fewS, 1)).count,
  }
}

/** Pays in a process of its own. One failed payment fails the measure. */
async function pay(
  { settings, secretKeys }: BenchInstallation,
  task: Pick<PayTask, 'payers' | 'seconds' | 'most'>,
): Promise<PayResult> {
  await using child = new Child('bench/payers.ts', [])
  const urlAt = (port: string) => `http://127.0.0.1:${settings[port]}`
  const urls = { apiUrl: urlAt('API_PORT'), pageUrl: urlAt('PAGE_PORT') }
  child.send({ ...urls, secretKeys, ...task } satisfies PayTask)
  const result = await child.message<PayResult>(task.seconds * 1000 + timeoutMs)
  if (result.failure !== undefined) throw new Error(`whole_payment: ${result.failure}`)
  return result
}
