import { randomUUID } from 'node:crypto'
import { systemClock } from '../../kit/runtime/clock.ts'
import { testCvc, typedPayer } from '../harness/payer.ts'
import { formsIn } from './browser.ts'
import { frictionless } from './pay-over-http.ts'

/** Response of the service, as a merchant or a payer saw it. */
export interface SeenResponse {
  app: 'api' | 'page'
  isHtml: boolean
  /** 0 if the connection broke. */
  status: number
  /** Code of the refusal, if the response is JSON. */
  code: number | undefined
  retryAfter: string | undefined
  text: string
}

export interface PatientShop {
  apiUrl: string
  pageUrl: string
  secretKey: string
  /** Ends the payment when it is aborted. */
  signal: AbortSignal
  onResponse: (response: SeenResponse) => void
}

/** Pause before a step is repeated, as by the page's script. */
const pauseMs = 500

/**
 * Pays over HTTP like a merchant and a payer who do not give up: the merchant repeats the start with its
 * Idempotency-Key, and the payer reloads a page that could not be shown. The page's script repeats its requests
 * as `page/` does. Returns the transaction id and the status that the merchant reads.
 */
export async function payPatiently(shop: PatientShop, form: string): Promise<{ id: number; status: string }> {
  const payer = new PatientPayer(shop)
  const { access_token: token } = (await payer.api('/v1/token/get-token', shop.secretKey, '')).data
  const { data } = await payer.api('/v1/payment/3ds', token, form, randomUUID())
  payer.page = `${shop.pageUrl}${new URL(data.payment_page_url).pathname}`
  await payer.html('')
  while (!(await payer.isPaid())) {
    if (await payer.isCardTaken(Number(new URLSearchParams(form).get('amount')))) await payer.passBank()
  }
  const id = data.transaction_id
  const { payment_status_text: status } = await payer.api(`/v1/transaction/${id}`, token)
  return { id, status }
}

class PatientPayer {
  readonly #shop: PatientShop
  page = ''

  constructor(shop: PatientShop) {
    this.#shop = shop
  }

  // biome-ignore lint/suspicious/noExplicitAny: a reader of an absent field fails
  async api(path: string, token: string, body?: string, key?: string): Promise<any> {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...(key !== undefined && { 'idempotency-key': key }),
    }
    const request = body === undefined ? { headers } : { method: 'POST', headers, body }
    return JSON.parse(await this.#untilAnswered('api', this.#shop.apiUrl + path, request))
  }

  html(rest: string): Promise<string> {
    return this.#untilAnswered('page', this.page + rest, { headers: { accept: 'text/html' } })
  }

  /** True once the page says so. A payer who can use a card is not waited for. */
  async isPaid(): Promise<boolean> {
    for (;;) {
      const { view, takesCard } = await this.#json('/status')
      if (view === 'paid') return true
      if (view === 'form' && takesCard) return false
      if (view !== 'asking' && view !== 'form') throw new Error(`the page shows ${view}`)
      await this.#pause()
    }
  }

  /** Types the card, as one press of the button. */
  async isCardTaken(charged: number): Promise<boolean> {
    await this.#json('/offer', { bin: frictionless.slice(0, 8) })
    const typed = {
      number: frictionless,
      expiry: '12/30',
      cvc: testCvc,
      holder: 'Işık Öztürk',
      ...typedPayer,
    }
    const { next } = await this.#json('/card', {
      ...typed,
      installment: 1,
      charged,
      submission: randomUUID(),
    })
    return next === 'bank_frame'
  }

  /** Performs the steps of the bridge until the bank is done. */
  async passBank(): Promise<void> {
    await this.html('/bank?lang=tr')
    for (;;) {
      const step = await this.#json('/step?width=400&height=600')
      if (step.step === 'over') return
      if (step.step === 'method') await this.#runMethod(step)
      if (step.step === 'method' || step.step === 'authenticate') {
        const next = await this.#onceJson('/authenticate', facts)
        if (next?.step === 'over') return
      }
      if (step.step === 'wait') await this.#pause()
    }
  }

  /** Posts the issuer's hidden form, and its return to us. The script continues without a response. */
  async #runMethod({ url, fields }: { url: string; fields: Record<string, string> }): Promise<void> {
    const issuerPage = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })
    const [back] = formsIn(await issuerPage.text(), url)
    if (!back) throw new Error('the page of the bank does not lead back')
    const headers = { accept: 'text/html' }
    await this.#once('page', back.action, { method: 'POST', headers, body: new URLSearchParams(back.fields) })
  }

  // biome-ignore lint/suspicious/noExplicitAny: a reader of an absent field fails
  async #json(rest: string, value?: object): Promise<any> {
    return JSON.parse(await this.#untilAnswered('page', this.page + rest, jsonRequest(value)))
  }

  // biome-ignore lint/suspicious/noExplicitAny: a reader of an absent field fails
  async #onceJson(rest: string, value: object): Promise<any> {
    const response = await this.#once('page', this.page + rest, jsonRequest(value))
    return response.status === 200 ? JSON.parse(response.text) : undefined
  }

  /** Repeats a request that got no response or 5xx. */
  async #untilAnswered(app: SeenResponse['app'], url: string, request: RequestInit): Promise<string> {
    for (;;) {
      const { status, text } = await this.#once(app, url, request)
      if (status > 0 && status < 500 && status !== 429) return text
      await this.#pause()
    }
  }

  async #once(app: SeenResponse['app'], url: string, request: RequestInit): Promise<SeenResponse> {
    this.#shop.signal.throwIfAborted()
    const seen = await fetch(url, request).then(
      async (response): Promise<SeenResponse> => {
        const text = await response.text()
        const isHtml = response.headers.get('content-type')?.startsWith('text/html') === true
        const code = isHtml ? undefined : JSON.parse(text).error_code
        const retryAfter = response.headers.get('retry-after') ?? undefined
        return { app, isHtml, status: response.status, code, retryAfter, text }
      },
      (error): SeenResponse => ({
        ...{ app, isHtml: false, status: 0, code: undefined, retryAfter: undefined },
        text: String(error),
      }),
    )
    this.#shop.onResponse(seen)
    return seen
  }

  #pause(): Promise<void> {
    return systemClock.sleep(pauseMs, this.#shop.signal)
  }
}

const screen = { colorDepth: 24, screenWidth: 1280, screenHeight: 800, timeZoneOffset: -180 }
const facts = { ...screen, language: 'tr', javaEnabled: false }

function jsonRequest(value?: object): RequestInit {
  if (value === undefined) return {}
  const headers = { 'content-type': 'application/json' }
  return { method: 'POST', headers, body: JSON.stringify(value) }
}
