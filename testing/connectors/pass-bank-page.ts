import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { BankForm } from '../../server/connectors/index.ts'

/** Post with which a bank's page returns the browser: its address and bytes. */
export interface BankReturn {
  url: string
  body: Buffer
}

const timeoutMs = 10_000

/**
 * Passes a bank's page as the browser of a willing payer: posts the form, types the shown code if the page
 * asks for one, and returns the post back to us. Undefined if the page posts nothing.
 */
export async function passBankPage(
  http: HttpClient,
  { action, fields }: BankForm,
): Promise<BankReturn | undefined> {
  let page = await post(http, action, fields)
  const challenge = /<form[^>]* action="([^"]*)"[^>]*>(?:(?!<\/form>).)*name="code"/s.exec(page)?.[1]
  if (challenge !== undefined) {
    const code = /\b\d{6}\b/.exec(page.replace(/<style>.*<\/style>/s, ''))?.[0] ?? ''
    page = await post(http, new URL(plain(challenge), action).href, { code })
  }
  const form = /<form ([^>]*)>(.*?)<\/form>/s.exec(page)
  const [, attributes = '', inner = ''] = form ?? []
  const url = /action="([^"]*)"/.exec(attributes)?.[1]
  const hidden = [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  if (url === undefined || hidden.length === 0) return undefined
  const charset = /accept-charset="([^"]*)"/.exec(attributes)?.[1] ?? 'UTF-8'
  const pairs = hidden.map(([, name = '', value = '']) =>
    [name, value].map((text) => encoded(plain(text), charset)),
  )
  return { url: plain(url), body: Buffer.from(pairs.map((pair) => pair.join('=')).join('&')) }
}

async function post(http: HttpClient, url: string, fields: Record<string, string>): Promise<string> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  const { body: page } = await http.send({ method: 'POST', url, headers, body, timeoutMs })
  return page.toString('utf8')
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(html: string): string {
  return html.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole
    return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/** Encodes a text in the charset of the form, as a browser does. */
function encoded(text: string, charset: string): string {
  if (!/^iso-8859-9$/i.test(charset)) return encodeURIComponent(text)
  const letters = new TextDecoder('iso-8859-9').decode(
    Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  )
  const bytes = [...text].map((letter) => letters.indexOf(letter))
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}
