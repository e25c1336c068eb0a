import assert from 'node:assert/strict'
import { hashOf } from '../../sandbox/nestpay/hash.ts'
import { decodeLatin5 } from '../../sandbox/nestpay/latin5.ts'

/** A page of the gate, as a browser sees it. */
export interface GatePage {
  status: number
  html: string
  policy: string
  headers: Headers
  /** Address of its form; undefined without a form. */
  action: string | undefined
  fields: Map<string, string>
}

/** An answer of the API. */
export interface ApiAnswer {
  text: string
  type: string
  /** Text of an element at any place; undefined if the element is absent. */
  get(name: string): string | undefined
}

type Terms = Readonly<Record<string, string>>

/**
 * A merchant that implements NestPay independently, so that the bank is tested without code of our connector.
 */
export class NestpayShop {
  readonly address: string
  readonly clientId: string
  readonly credentials = { Name: 'APIUSER', Password: 'long enough' }

  constructor(address: string, clientId = '700655000200') {
    this.address = address
    this.clientId = clientId
  }

  get storeKey(): string {
    return `SKEY${this.clientId}`
  }

  /** Form that a payer with this card posts to the gate. */
  form(number: string, oid: string, terms: Terms = {}): Map<string, string> {
    const form = new Map(
      Object.entries({
        clientid: this.clientId,
        storetype: '3d',
        amount: '123.45',
        currency: '949',
        oid,
        okUrl: 'https://shop.example/ok',
        failUrl: 'https://shop.example/fail',
        rnd: 'A1B2C3',
        lang: 'tr',
        taksit: '',
        TranType: 'Auth',
        hashAlgorithm: 'ver3',
        pan: number,
        cv2: '739',
        Ecom_Payment_Card_ExpDate_Month: '12',
        Ecom_Payment_Card_ExpDate_Year: '30',
        ...terms,
      }),
    )
    return form.set('hash', hashOf(form, this.storeKey))
  }

  open(number: string, oid: string, terms: Terms = {}): Promise<GatePage> {
    return this.post('/fim/est3Dgate', this.form(number, oid, terms))
  }

  async post(path: string, form: Iterable<[string, string]> | Buffer): Promise<GatePage> {
    const body = Buffer.isBuffer(form) ? form : new URLSearchParams([...form])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return pageIn(await fetch(this.address + path, { method: 'POST', headers, body }))
  }

  async get(path: string): Promise<GatePage> {
    return pageIn(await fetch(this.address + path))
  }

  /** Authenticates a payer at the gate, with the passcode if needed; returns the fields of the callback. */
  async authenticate(number: string, oid: string, terms: Terms = {}): Promise<Map<string, string>> {
    const page = await this.open(number, oid, terms)
    if (!page.action?.startsWith('/')) return page.fields
    return (await this.post(page.action, [['code', passcodeOn(page)]])).fields
  }

  /** Sends a request to the API, as a merchant's server does. */
  async ask(fields: Terms, extra: Terms = {}): Promise<ApiAnswer> {
    const elements = (texts: Terms) =>
      Object.entries(texts)
        .map(([name, text]) => `<${name}>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`)
        .join('')
    const more = Object.keys(extra).length > 0 ? `<Extra>${elements(extra)}</Extra>` : ''
    const whole = { ClientId: this.clientId, ...this.credentials, ...fields }
    return this.send(
      `<?xml version="1.0" encoding="ISO-8859-9"?><CC5Request>${elements(whole)}${more}</CC5Request>`,
    )
  }

  async send(body: string | Buffer): Promise<ApiAnswer> {
    const answer = await fetch(`${this.address}/fim/api`, { method: 'POST', body })
    assert.equal(answer.status, 200)
    const text = decodeLatin5(Buffer.from(await answer.arrayBuffer()))
    const get = (name: string) => {
      const [, found] = new RegExp(`<${name}(?:/>|>([^<]*)</${name}>)`).exec(text) ?? []
      return text.includes(`<${name}`) ? plain(found ?? '') : undefined
    }
    return { text, type: answer.headers.get('content-type') ?? '', get }
  }

  /** Charges after the callback of the gate. */
  charge(returned: ReadonlyMap<string, string>, oid: string, terms: Terms = {}): Promise<ApiAnswer> {
    return this.ask({
      Type: 'Auth',
      IPAddress: '203.0.113.7',
      OrderId: oid,
      Total: '123.45',
      Currency: '949',
      Taksit: '',
      Number: returned.get('md') ?? '',
      PayerTxnId: returned.get('xid') ?? '',
      PayerSecurityLevel: returned.get('eci') ?? '',
      PayerAuthenticationCode: returned.get('cavv') ?? '',
      Mode: 'P',
      ...terms,
    })
  }

  /** A whole payment: authentication and charge. */
  async pay(number: string, oid: string, terms: Terms = {}): Promise<ApiAnswer> {
    return this.charge(await this.authenticate(number, oid), oid, terms)
  }

  status(oid: string): Promise<ApiAnswer> {
    return this.ask({ OrderId: oid }, { ORDERSTATUS: 'QUERY' })
  }

  void(oid: string): Promise<ApiAnswer> {
    return this.ask({ Type: 'Void', OrderId: oid })
  }

  credit(oid: string, total: string): Promise<ApiAnswer> {
    return this.ask({ Type: 'Credit', OrderId: oid, Total: total, Currency: '949' })
  }
}

/** The only six digits in a row on a page of the gate. */
export function passcodeOn({ html }: GatePage): string {
  const [code, ...others] = html.match(/\d{6,}/g) ?? []
  assert.ok(code?.length === 6 && others.length === 0, 'six digits in a row are the passcode')
  return code
}

async function pageIn(answer: Response): Promise<GatePage> {
  const html = await answer.text()
  const [, action] = /<form[^>]* action="([^"]*)"/.exec(html) ?? []
  const hidden = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return {
    status: answer.status,
    html,
    policy: answer.headers.get('content-security-policy') ?? '',
    headers: answer.headers,
    action: action === undefined ? undefined : plain(action),
    fields: new Map([...hidden].map(([, name = '', value = '']) => [plain(name), plain(value)])),
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>' }

/** Pages use numeric entities, the API named ones. */
function plain(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, number, name) =>
    number === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(number)),
  )
}
