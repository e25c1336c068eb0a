// Payers in a separate process: each pays one payment after the other, over HTTP, as a merchant's server and a
// browser do. They can also send the exchanges of a plain payment to the limit `bare_payment`. The parent sends
// a `PayTask` and gets a `PayResult`. The process ends with its parent.
import { setTimeout as pause } from 'node:timers/promises'
import type { SentRequest } from '../testing/till/http-sender.ts'
import { HttpSender } from '../testing/till/http-sender.ts'
import type { PayerMode } from '../testing/till/pay-over-http.ts'
import { payOnce } from '../testing/till/pay-over-http.ts'

export type PayTask = (ServiceTask | LimitTask) & {
  payers: number
  seconds: number
  /** Ends after this many payments, if the seconds have not passed before. */
  most?: number
}

export interface ServiceTask {
  apiUrl: string
  pageUrl: string
  /** Secret keys of the merchants, paid in turn. */
  secretKeys: string[]
  mode?: PayerMode
}

export interface LimitTask {
  limitUrl: string
  /** Requests of one payment, one after the other: an average, which need not be whole. */
  exchanges: number
}

export interface PayResult {
  /** Error of the first payment that failed. The figures are then invalid. */
  failure?: string
  payments: number
  /**
   * Time in which all payers together made the payments: the mean over their places. A place that nobody holds
   * at the end does not count.
   */
  tookS: number
  /** Wait of each payer. */
  waitsMs: number[]
  /** Requests that went to the service or the limit, and the bytes of the bodies that came back from it. */
  requests: number
  answeredBytes: number
}

/** Time between the first payments of two payers, who otherwise would do each step at the same moment. */
const apartMs = 5

process.on('message', (task: PayTask) => {
  void pay(task).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function pay(task: PayTask): Promise<PayResult> {
  const { payers, seconds, most = Number.POSITIVE_INFINITY } = task
  using sender = new CountingSender('limitUrl' in task ? [task.limitUrl] : [task.apiUrl, task.pageUrl])
  const payNext = 'limitUrl' in task ? exchangesAt(task, sender) : paymentsAt(task, sender)
  const places = new Places(payers)
  const waitsMs: number[] = []
  const begun: Promise<void>[] = []
  let failure: string | undefined
  const endAtMs = performance.now() + seconds * 1000
  while (failure === undefined && begun.length < most && performance.now() < endAtMs) {
    const payment = places.hold(payNext).then(
      (waitedMs) => {
        waitsMs.push(waitedMs)
      },
      (error: Error) => {
        failure ??= error.message
      },
    )
    if (begun.push(payment) < payers) await pause(apartMs)
    await places.untilFree()
  }
  await Promise.all(begun)
  const tookS = places.heldMs / 1000 / payers
  const { requests, answeredBytes } = sender
  const result = { payments: waitsMs.length, tookS, waitsMs, requests, answeredBytes }
  return failure === undefined ? result : { ...result, failure }
}

type Wait = (ms: number) => Promise<void>

/**
 * Places of the payers who act at the same time. While the page's script of one pauses, another payer has the
 * place, so that the pauses do not decide the load.
 */
class Places {
  readonly #count: number
  #held = 0
  #onFree: () => void = () => undefined
  /** Time for which places were held, in total. */
  heldMs = 0

  constructor(count: number) {
    this.#count = count
  }

  async untilFree(): Promise<void> {
    while (this.#held >= this.#count)
      await new Promise<void>((resolve) => {
        this.#onFree = resolve
      })
  }

  /** Holds a place during the work. After a pause it takes one at once, even if none is free for a moment. */
  async hold<Result>(work: (wait: Wait) => Promise<Result>): Promise<Result> {
    let sinceMs = this.#take()
    const wait = async (ms: number) => {
      this.#release(sinceMs)
      await pause(ms)
      sinceMs = this.#take()
    }
    return work(wait).finally(() => this.#release(sinceMs))
  }

  #take(): number {
    this.#held += 1
    return performance.now()
  }

  #release(sinceMs: number): void {
    this.heldMs += performance.now() - sinceMs
    this.#held -= 1
    this.#onFree()
  }
}

/** Counts the requests to the measured server; those to the bank are not its work. */
class CountingSender implements Disposable {
  readonly #sender = new HttpSender()
  readonly #measured: readonly string[]
  requests = 0
  answeredBytes = 0

  constructor(measured: readonly string[]) {
    this.#measured = measured
  }

  async send(url: string, sent?: SentRequest): ReturnType<HttpSender['send']> {
    const response = await this.#sender.send(url, sent)
    if (this.#measured.some((address) => url.startsWith(address))) {
      this.requests += 1
      this.answeredBytes += response.length
    }
    return response
  }

  [Symbol.dispose](): void {
    this.#sender[Symbol.dispose]()
  }
}

/** Pays the next payment, of the next merchant in turn; returns the payer's wait. */
function paymentsAt({ secretKeys, mode, ...urls }: ServiceTask, sender: CountingSender) {
  let turn = 0
  return async (waitFor: Wait) => {
    const secretKey = secretKeys[turn++ % secretKeys.length] ?? ''
    const options = mode === undefined ? { waitFor } : { mode, waitFor }
    const paid = await payOnce(sender, { ...urls, secretKey }, 'amount=10000&currency=TRY', options)
    if (paid.status !== 'success') throw new Error(`a payment ended as ${paid.status}`)
    return paid.waitedMs
  }
}

/** About as long as what a merchant and a browser send in one step. */
const limitBody = JSON.stringify({ typed: 'x'.repeat(200) })

/** Sends as many requests as one payment does, one after the other; returns the time until the last response. */
function exchangesAt({ limitUrl, exchanges }: LimitTask, sender: CountingSender) {
  let due = 0
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: limitBody,
  } as const
  return async () => {
    const sentAtMs = performance.now()
    for (due += exchanges; due >= 1; due -= 1) await sender.send(limitUrl, request)
    return performance.now() - sentAtMs
  }
}
