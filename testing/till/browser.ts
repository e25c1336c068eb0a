import type { FastifyInstance } from 'fastify'
import type { HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse, networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { testCvc, typedPayer } from '../harness/payer.ts'

/** Reaction of a payer to the bank's challenge. */
export type ChallengeReaction =
  | { reaction: 'right code' }
  | { reaction: 'wrong codes' }
  | { reaction: 'cancel' }
  /** Never opens the challenge. */
  | { reaction: 'goes away' }
  /** Opens the challenge and does nothing. */
  | { reaction: 'waits' }

/** A form of a page: its address and fields. */
export interface HtmlForm {
  action: string
  fields: Record<string, string>
}

/** Forms of a page with their hidden fields. */
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

/** Question of a bank's page for the code that it shows. */
interface PasscodeQuestion {
  form: HtmlForm
  /** Name of the field for the code. */
  field: string
  code: string
  /** Fields that the buttons add. */
  confirm: Record<string, string> | undefined
  cancel: Record<string, string> | undefined
}

/** The question of a bank's page; undefined if it asks for no code. */
export function passcodeQuestionIn(html: string, address: string): PasscodeQuestion | undefined {
  const [, code] = /(?<!\d)(\d{6})(?!\d)/.exec(html.replaceAll(/<[^>]*>/g, ' ')) ?? []
  const [form] = formsIn(html, address)
  if (code === undefined || !form) return undefined
  const field = /<input\b[^>]*type="text"[^>]*name="(\w+)"/.exec(html)?.[1] ?? 'code'
  const [confirm, cancel] = buttonsIn(html)
  return { form, field, code, confirm, cancel }
}

/** A payer's browser over HTTP, without cookies. It submits the forms that a page would submit by script. */
export class TestBrowser {
  readonly #root: string
  /** Every page shown, for later inspection. */
  readonly pages: string[] = []
  /** Last form that got no response. */
  #unanswered: HtmlForm | undefined
  #isClosed = false

  constructor(root: string) {
    this.#root = root
  }

  async get(url: string): Promise<HttpResponse> {
    return this.#send({ method: 'GET', url: this.#at(url), headers: { accept: 'text/html' } })
  }

  /** Stops all further requests. */
  close(): void {
    this.#isClosed = true
  }

  /** Reloads the page. A form to one of these paths that got no response is posted again. */
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

  /** Posts a text as JSON, also an invalid one. */
  postText(url: string, body: string): Promise<HttpResponse> {
    const headers = { 'content-type': 'application/json' }
    return this.#send({ method: 'POST', url: this.#at(url), headers, body })
  }

  /** Submits a card and the payer's data. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
  async submit(path: string, number: string, charged = 10_000, installment = 1): Promise<any> {
    const card = { number, expiry: '12/30', cvc: testCvc, holder: 'Işık Öztürk', installment, charged }
    return jsonOf(await this.postJson(`${path}/card`, { ...card, ...typedPayer }))
  }

  /** Acts as the bridge: runs the 3DS Method, sends the browser data, and answers the challenge. */
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

  /** Opens the bank's page, answers its challenge, and follows its form. */
  async answer(form: HtmlForm, reaction: ChallengeReaction): Promise<HttpResponse> {
    return this.answerPage(await this.postForm(form), form.action, reaction)
  }

  /** Answers the challenge on a bank's page that is open already, and follows its form. */
  async answerPage(
    opened: HttpResponse,
    address: string,
    reaction: ChallengeReaction,
  ): Promise<HttpResponse> {
    let page = opened
    const times = reaction.reaction === 'wrong codes' ? 3 : 1
    for (let time = 0; time < times && reaction.reaction !== 'waits'; time++) {
      const question = passcodeQuestionIn(page.body.toString(), address)
      if (!question) break
      const { form, field, code, confirm, cancel } = question
      const typed =
        reaction.reaction === 'wrong codes' ? String(999_999 - Number(code)).padStart(6, '0') : code
      const button = reaction.reaction === 'cancel' ? cancel : confirm
      page = await this.postForm({ ...form, fields: { ...form.fields, [field]: typed, ...button } })
    }
    return this.#follow(page, address)
  }

  /** Submits the forms of pages without a question, as the banks' scripts do. */
  async #follow(page: HttpResponse, from: string): Promise<HttpResponse> {
    const html = page.body.toString()
    const [form] = formsIn(html, from)
    if (!form || /<input\b[^>]*type="text"/.test(html)) return page
    // One bank script posts the form in the background first.
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
    // The browser uses the system clock, so that the test clock does not count it as a sleeper.
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

/** Listens on a free port, and returns the address. */
export function listenOnFreePort(app: FastifyInstance): Promise<string> {
  return app.listen({ port: 0, host: '127.0.0.1' })
}
