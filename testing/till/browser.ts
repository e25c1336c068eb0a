import type { FastifyInstance } from 'fastify'
import type { HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse, networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { testCvc, typedPayer } from '../harness/payer.ts'

/** What a payer does with a question of the bank. */
export type ChallengeReaction =
  | { reaction: 'right code' }
  | { reaction: 'wrong codes' }
  | { reaction: 'cancel' }
  /** Never sends the first request for the challenge. */
  | { reaction: 'goes away' }
  /** Looks at the question, and does nothing. */
  | { reaction: 'waits' }

/** A form of a page: where it goes to, and what it sends. */
export interface HtmlForm {
  action: string
  fields: Record<string, string>
}

/** The forms of a page, with their hidden fields. */
export function formsIn(html: string, base: string): HtmlForm[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = '', inside = '']) => ({
    action: new URL(attributeIn(attributes, 'action'), base).href,
    fields: Object.fromEntries(
      [...inside.matchAll(/<input\b([^>]*)>/g)]
        .map(([, input = '']) => [attributeIn(input, 'name'), attributeIn(input, 'value')] as const)
        .filter(([name]) => name !== ''),
    ),
  }))
}

function attributeIn(attributes: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes) ?? []
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&')
}

/** What a payer's browser does, over HTTP and without a cookie, where a page says that it goes by itself. */
export class TestBrowser {
  readonly #root: string
  /** Every page that was shown, to be looked through afterwards. */
  readonly pages: string[] = []
  /** The last form that was not answered. */
  #unanswered: HtmlForm | undefined
  #isClosed = false

  constructor(root: string) {
    this.#root = root
  }

  async get(url: string): Promise<HttpResponse> {
    return this.#send({ method: 'GET', url: this.#at(url), headers: { accept: 'text/html' } })
  }

  /** Nothing that it was about to do happens any more. */
  close(): void {
    this.#isClosed = true
  }

  /** Reloads the page: a form that led to one of these and was not answered is sent again. */
  async reload(path: string, forms: RegExp): Promise<HttpResponse> {
    const form = this.#unanswered
    if (!form || !forms.test(new URL(form.action).pathname)) return this.get(path)
    const { headers } = await this.postForm(form)
    return this.get(headers.get('location') ?? path)
  }

  async postForm(form: HtmlForm): Promise<HttpResponse> {
    const { action, fields } = form
    this.#unanswered = form
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' }
    const body = new URLSearchParams(fields).toString()
    const came = await this.#send({ method: 'POST', url: this.#at(action), headers, body })
    this.#unanswered = undefined
    return came
  }

  postJson(url: string, value: object): Promise<HttpResponse> {
    return this.postText(url, JSON.stringify(value))
  }

  /** Posts what should be JSON, and may not be. */
  postText(url: string, body: string): Promise<HttpResponse> {
    const headers = { 'content-type': 'application/json' }
    return this.#send({ method: 'POST', url: this.#at(url), headers, body })
  }

  /** Types a card and who pays, and sends it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
  async submit(path: string, number: string, charged = 10_000, installment = 1): Promise<any> {
    const card = { number, expiry: '12/30', cvc: testCvc, holder: 'Işık Öztürk', installment, charged }
    return jsonOf(await this.postJson(`${path}/card`, { ...card, ...typedPayer }))
  }

  /** Does what the bridge does: lets the bank look, says what it is, and has the payer answer. */
  async prove(path: string, reaction: ChallengeReaction, { runsMethod = true } = {}): Promise<void> {
    let step = jsonOf(await this.get(`${path}/step`))
    if (step.step === 'method' && runsMethod) {
      const methodPage = await this.postForm({ action: step.url, fields: step.fields })
      await this.#follow(methodPage, step.url)
    }
    if (step.step === 'method' || step.step === 'authenticate')
      step = jsonOf(await this.postJson(`${path}/authenticate`, screen))
    if (step.step === 'challenge' && reaction.reaction !== 'goes away')
      await this.answer({ action: step.url, fields: step.fields }, reaction)
  }

  /** Opens the bank's page and answers its question; then goes where it leads. */
  async answer(form: HtmlForm, reaction: ChallengeReaction): Promise<HttpResponse> {
    return this.answerPage(await this.postForm(form), form.action, reaction)
  }

  /** The same where the bank's page is open already. */
  async answerPage(
    opened: HttpResponse,
    address: string,
    reaction: ChallengeReaction,
  ): Promise<HttpResponse> {
    let page = opened
    const times = reaction.reaction === 'wrong codes' ? 3 : 1
    for (let time = 0; time < times && reaction.reaction !== 'waits'; time++) {
      const html = page.body.toString()
      const [, code] = /(?<!\d)(\d{6})(?!\d)/.exec(html.replaceAll(/<[^>]*>/g, ' ')) ?? []
      const [question] = formsIn(html, address)
      if (code === undefined || !question) break
      const field = /<input\b[^>]*type="text"[^>]*name="(\w+)"/.exec(html)?.[1] ?? 'code'
      const [confirm, cancel] = buttonsIn(html)
      const typed =
        reaction.reaction === 'wrong codes' ? String(999_999 - Number(code)).padStart(6, '0') : code
      const button = reaction.reaction === 'cancel' ? cancel : confirm
      page = await this.postForm({ ...question, fields: { ...question.fields, [field]: typed, ...button } })
    }
    return this.#follow(page, address)
  }

  /** Goes on as long as a page has no question and one form, as scripts of banks do. */
  async #follow(page: HttpResponse, from: string): Promise<HttpResponse> {
    const html = page.body.toString()
    const [form] = formsIn(html, from)
    if (!form || /<input\b[^>]*type="text"/.test(html)) return page
    // One script of a bank sends it behind the payer's back first.
    if (html.includes('fetch(form.action')) await this.postForm(form)
    const next = await this.postForm(form)
    const location = next.headers.get('location')
    return location ? this.get(location) : this.#follow(next, form.action)
  }

  #at(url: string): string {
    return url.startsWith('/') ? `${this.#root}${url}` : url
  }

  async #send(request: {
    method: 'GET' | 'POST'
    url: string
    headers: Record<string, string>
    body?: string
  }) {
    if (this.#isClosed) throw new NoHttpResponse('the browser was closed', { mayHaveArrived: false })
    // A browser has a clock of its own, so that nobody who waits for sleepers takes it for one.
    const came = await networkHttpClient(systemClock).send({ ...request, timeoutMs: 60_000 })
    if (came.headers.has('set-cookie')) throw new Error('a cookie is set')
    this.pages.push(came.body.toString())
    return came
  }
}

const screen = {
  language: 'tr-TR',
  javaEnabled: false,
  colorDepth: 30,
  screenHeight: 900,
  screenWidth: 1440,
  timeZoneOffset: -180,
}

function buttonsIn(html: string): Record<string, string>[] {
  return [...html.matchAll(/<button\b([^>]*)>/g)].map(([, attributes = '']) => {
    const name = attributeIn(attributes, 'name')
    return name === '' ? {} : { [name]: attributeIn(attributes, 'value') }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
export function jsonOf({ body }: HttpResponse): any {
  return JSON.parse(body.toString())
}

/** Listens on a port of its own, and says where. */
export function listenOnFreePort(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}
