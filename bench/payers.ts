// Payers in a separate process: each pays one payment after the other, over HTTP, as a merchant's server and a
// browser do. The parent sends a `PayTask` and gets a `PayResult`. The process ends with its parent.
import { payOverHttp } from '../testing/till/pay-over-http.ts'

export interface PayTask {
  apiUrl: string
  pageUrl: string
  /** Secret keys of the merchants, paid in turn. */
  secretKeys: string[]
  payers: number
  seconds: number
  /** Ends after this many payments, if the seconds have not passed before. */
  most?: number
}

export interface PayResult {
  /** Error of the first payment that failed. The figures are then invalid. */
  failure?: string
  payments: number
  /** From the start of the first payment to the end of the last. */
  tookS: number
}

process.on('message', (task: PayTask) => {
  void pay(task).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function pay({ secretKeys, payers, seconds, most = Infinity, ...urls }: PayTask): Promise<PayResult> {
  const startedAtMs = performance.now()
  const endAtMs = startedAtMs + seconds * 1000
  let started = 0
  let payments = 0
  let failure: string | undefined
  const payInTurn = async () => {
    while (failure === undefined && started < most && performance.now() < endAtMs) {
      const secretKey = secretKeys[started++ % secretKeys.length] ?? ''
      await payOverHttp({ ...urls, secretKey }, 'amount=10000&currency=TRY').then(
        () => {
          payments += 1
        },
        (error: Error) => {
          failure ??= error.message
        },
      )
    }
  }
  await Promise.all(Array.from({ length: payers }, payInTurn))
  const tookS = (performance.now() - startedAtMs) / 1000
  return { payments, tookS, ...(failure === undefined ? {} : { failure }) }
}
