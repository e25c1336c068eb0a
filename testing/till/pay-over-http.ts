import { setTimeout as pause } from 'node:timers/promises'
import { testCvc, typedPayer } from '../harness/payer.ts'
import { formsIn, passcodeQuestionIn } from './browser.ts'
import type { ReceivedResponse, SentRequest } from './http-sender.ts'
import { HttpSender } from './http-sender.ts'

/** Kind of authentication: our own 3DS Server without and with a challenge, or the bank's own page. */
export type PayerMode = 'own_frictionless' | 'own_challenge' | 'nestpay'

/** A card with a 3DS Method and no challenge. */
export const frictionless = '4000000000002701'

/** The card of each mode. At the POS of the demo merchant it leads to our own 3-D Secure or to the bank's page. */
const cards: Readonly<Record<PayerMode, string>> = {
  own_frictionless: frictionless,
  own_challenge: '4000000000002503',
  nestpay: '5451030000000109',
}

/** Steps of a payment. A payment takes some of them, in this order. */
export type PayerStep =
  | 'start'
  | 'first_view'
  | 'offer'
  | 'card'
  | 'bank'
  | 'step'
  | 'method'
  | 'authenticate'
  | 'challenge'
  | 'bank_page'
  | 'status'
  | 'result'

export interface PayerShop {
  apiUrl: string
  pageUrl: string
  secretKey: string
}

export interface PayerOptions {
  mode?: PayerMode
  /** Runs each step. A caller that counts something reads it before and after. */
  around?: <Result>(step: PayerStep, work: () => Promise<Result>) => Promise<Result>
  /** Waits where the page's script waits before it asks again. */
  waitFor?: (ms: number) => Promise<void>
}

export interface PaidPayment {
  id: number
  /** Status that the merchant reads in the end. */
  status: string
  /**
   * Wait of the payer: from the request of the first view to the response that shows the payment as paid. This
   * payer types and thinks in no time. The pauses of the page's script count.
   */
  waitedMs: number
}

/** Pays over HTTP at any running service, as a merchant and a browser do; returns the transaction id. */
export async function payOverHttp(shop: PayerShop, form: string): Promise<number> {
  using sender = new HttpSender()
  const { id } = await payOnce(sender, shop, form)
  return id
}

/**
 * Pays one payment from its start to its result, with the requests of a merchant's server and of a payer's
 * browser. Throws as soon as a response is not the expected one.
 */
export async function payOnce(
  sender: Pick<HttpSender, 'send'>,
  { apiUrl, pageUrl, secretKey }: PayerShop,
  form: string,
  options: PayerOptions = {},
): Promise<PaidPayment> {
  const { mode = 'own_frictionless', around = (_step, work) => work(), waitFor = pause } = options
  const asking = formHeaders(
    (await jsonAt(sender, `${apiUrl}/v1/token/get-token`, formRequest('', secretKey))).data.access_token,
  )
  const { data } = await around('start', () =>
    jsonAt(sender, `${apiUrl}/v1/payment/3ds`, { method: 'POST', headers: asking, body: form }),
  )
  const address = `${pageUrl}${new URL(data.payment_page_url).pathname}`
  const browser = new PayingBrowser(sender, address, { around, waitFor })
  const startedAtMs = performance.now()
  await around('first_view', () => browser.page(''))
  await around('offer', () => browser.json('/offer', { bin: cards[mode].slice(0, 8) }))
  const parameters = new URLSearchParams(form)
  const outcome = parameters.get('pre_auth') === 'true' ? 'held' : 'paid'
  const taken = await around('card', () => browser.sendCard(cards[mode], Number(parameters.get('amount'))))
  if (mode === 'nestpay') await browser.payAtBankPage(taken, outcome)
  else await browser.payInBankFrame(taken, outcome, mode)
  const waitedMs = performance.now() - startedAtMs
  const { authorization } = asking
  const { payment_status_text: status } = await around('result', () =>
    jsonAt(sender, `${apiUrl}/v1/transaction/${data.transaction_id}`, { headers: { authorization } }),
  )
  return { id: data.transaction_id, status, waitedMs }
}

/** The payer's browser at one payment page. */
class PayingBrowser {
  readonly #sender: Pick<HttpSender, 'send'>
  readonly #address: string
  readonly #around: NonNullable<PayerOptions['around']>
  readonly #waitFor: NonNullable<PayerOptions['waitFor']>

  constructor(
    sender: Pick<HttpSender, 'send'>,
    address: string,
    { around, waitFor }: Required<Pick<PayerOptions, 'around' | 'waitFor'>>,
  ) {
    this.#sender = sender
    this.#address = address
    this.#around = around
    this.#waitFor = waitFor
  }

  page(rest: string): Promise<ReceivedResponse> {
    return this.#sender.send(`${this.#address}${rest}`, { headers: pageHeaders })
  }

  /** Requests data as the page's script does; with a value it is posted. */
  // biome-ignore lint/suspicious/noExplicitAny: whoever reads it fails where it differs
  json(rest: string, value?: object): Promise<any> {
    const request: SentRequest =
      value === undefined
        ? { headers: scriptHeaders }
        : { method: 'POST', headers: postingScriptHeaders, body: JSON.stringify(value) }
    return jsonAt(this.#sender, `${this.#address}${rest}`, request)
  }

  // biome-ignore lint/suspicious/noExplicitAny: whoever reads it fails where it differs
  sendCard(number: string, charged: number): Promise<any> {
    const typed = { number, expiry: '12/30', cvc: testCvc, holder: 'Işık Öztürk' }
    const chosen = { installment: 1, charged, submission: '0e4b3f1c-9a52-4c1d-8f1e-6b7a2d3c4e5f' }
    return this.json('/card', { ...typed, ...chosen, ...typedPayer })
  }

  /** Passes our own 3-D Secure as the bridge does, until the page shows the outcome. */
  async payInBankFrame(
    taken: { next: string },
    outcome: string,
    mode: 'own_frictionless' | 'own_challenge',
  ): Promise<void> {
    expect(taken.next, 'bank_frame')
    await this.#around('bank', () => this.page('/bank?lang=tr'))
    const step = await this.#around('step', () => this.json(stepPath))
    expect(step.step, 'method')
    await this.#around('method', () => this.#runMethod(step))
    const next = await this.#around('authenticate', () => this.json('/authenticate', browserFacts))
    expect(next.step, mode === 'own_challenge' ? 'challenge' : 'over')
    if (next.step === 'challenge') await this.#around('challenge', () => this.#passChallenge(next))
    const { view } = await this.#around('status', () => this.json('/status'))
    expect(view, outcome)
  }

  /** Posts the card to the bank's own page, types the code there, and returns to the page, which shows the outcome. */
  async payAtBankPage(
    taken: { next: string; carrier: string; form: BankForm },
    outcome: string,
  ): Promise<void> {
    expect(taken.next, 'bank_form')
    await this.#around('bank', () =>
      this.#sender.send(new URL(taken.carrier, this.#address).href, { headers: pageHeaders }),
    )
    const { action: url, fields } = taken.form
    const location = await this.#around('bank_page', () => this.#passBank({ url, fields }, 'document'))
    const shown = await this.#around('status', () =>
      this.#sender.send(location?.replace(/#.*/, '') ?? '', { headers: pageHeaders }),
    )
    if (!shown.text().includes(`data-view="${outcome}"`)) throw new Error(`the page does not show ${outcome}`)
  }

  /** Runs the 3DS Method as the hidden frame does: the bank's page posts back to us. */
  async #runMethod(step: BankStep): Promise<void> {
    const methodPage = await this.#post(step.url, step.fields, 'iframe')
    await this.#postBack(methodPage, step.url, 'iframe')
  }

  /**
   * Answers the challenge, and asks for the next step as the bridge does: once to leave the challenge, then until
   * the bank has answered the charge.
   */
  async #passChallenge(step: BankStep): Promise<void> {
    await this.#passBank(step, 'iframe')
    await this.json(stepPath)
    for (let waitMs = afterChallengeMs; ; waitMs = Math.min(2 * waitMs, askEveryMs)) {
      const next = await this.json(stepPath)
      if (next.step === 'over') return
      expect(next.step, 'wait')
      await this.#waitFor(waitMs)
    }
  }

  /** Opens the bank's page, types its code, and returns to us; returns where our answer leads. */
  async #passBank({ url, fields }: BankStep, frame: FrameKind): Promise<string | undefined> {
    const opened = await this.#post(url, fields, frame)
    const question = passcodeQuestionIn(opened.text(), url)
    if (!question) throw new Error('the bank’s page asks for no code')
    const { form, field, code, confirm } = question
    const answered = await this.#post(form.action, { ...form.fields, [field]: code, ...confirm }, frame)
    return (await this.#postBack(answered, form.action, frame)).headers.location
  }

  #postBack(page: ReceivedResponse, address: string, frame: FrameKind): Promise<ReceivedResponse> {
    const [back] = formsIn(page.text(), address)
    if (!back) throw new Error('the bank’s page does not lead back')
    return this.#post(back.action, back.fields, frame)
  }

  #post(url: string, fields: Record<string, string>, frame: FrameKind): Promise<ReceivedResponse> {
    const headers = { ...pageHeaders, 'content-type': formType, 'sec-fetch-dest': frame }
    return this.#sender.send(url, { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
  }
}

interface BankStep {
  url: string
  fields: Record<string, string>
}

interface BankForm {
  action: string
  fields: Record<string, string>
}

/** Place of a page as a browser reports it: a whole window or a frame. */
type FrameKind = 'document' | 'iframe'

/** Pauses of the bridge in `page/bridge.ts`: the first after a challenge, and the longest. */
const afterChallengeMs = 800
const askEveryMs = 2_500
const stepPath = '/step?width=400&height=600'
const formType = 'application/x-www-form-urlencoded'
const screen = { colorDepth: 24, screenWidth: 1280, screenHeight: 800, timeZoneOffset: -180 }
const browserFacts = { ...screen, language: 'tr', javaEnabled: false }

/** Headers of browsers that change the work of the service. */
const browserHeaders = {
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8',
}
const pageHeaders = { ...browserHeaders, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const scriptHeaders = { ...browserHeaders, accept: '*/*', 'sec-fetch-site': 'same-origin' }
const postingScriptHeaders = { ...scriptHeaders, 'content-type': 'application/json' }

const formHeaders = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': formType })

function formRequest(body: string, token: string): SentRequest {
  return { method: 'POST', headers: formHeaders(token), body }
}

// biome-ignore lint/suspicious/noExplicitAny: whoever reads it fails where it differs
async function jsonAt(sender: Pick<HttpSender, 'send'>, url: string, request: SentRequest): Promise<any> {
  return JSON.parse((await sender.send(url, request)).text())
}

function expect(came: unknown, due: string): void {
  if (came !== due) throw new Error(`${due} was due, ${came} came`)
}
