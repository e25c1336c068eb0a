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
  /** From the start of the first payment to the end of the last. */
  tookS: number
  /** Wait of each payer. */
  waitsMs: number[]
  /** Requests that went to the service or the limit, and the bytes of the bodies that came back from it. */
  requests: number
  answeredBytes: number
}

/** Pause between the first payments of two payers, which otherwise would do each step at the same time. */
const apartMs = 5

process.on('message', (task: PayTask) => {
  void pay(task).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function pay(task: PayTask): Promise<PayResult> {
  const { payers, seconds, most = Number.POSITIVE_INFINITY } = task
  using sender = new CountingSender('limitUrl' in task ? [task.limitUrl] : [task.apiUrl, task.pageUrl])
  const payOnceMore = 'limitUrl' in task ? exchangesAt(task, sender) : paymentsAt(task, sender)
  const waitsMs: number[] = []
  let started = 0
  let failure: string | undefined
  const startedAtMs = performance.now()
  const endAtMs = startedAtMs + seconds * 1000
  const payInTurn = async (payer: number) => {
    if (payer > 0) await pause(payer * apartMs)
    while (failure === undefined && started < most && performance.now() < endAtMs) {
      started += 1
      await payOnceMore().then(
        (waitedMs) => waitsMs.push(waitedMs),
        (error: Error) => {
          failure ??= error.message
        },
      )
    }
  }
  await Promise.all(Array.from({ length: payers }, (_, payer) => payInTurn(payer)))
  const tookS = (performance.now() - startedAtMs) / 1000
  const { requests, answeredBytes } = sender
  const result = { payments: waitsMs.length, tookS, waitsMs, requests, answeredBytes }
  return failure === undefined ? result : { ...result, failure }
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
  return async () => {
    const secretKey = secretKeys[turn++ % secretKeys.length] ?? ''
    const shop = { ...urls, secretKey }
    const paid = await payOnce(sender, shop, 'amount=10000&currency=TRY', mode === undefined ? {} : { mode })
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
