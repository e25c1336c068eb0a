import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { systemRandom } from '../../kit/security/random.ts'
import type { TestBank } from '../harness/bank.ts'

export type RequestorMessage = Record<string, unknown>

/** An independent 3DS Server, shop and browser for tests of the sandbox bank. */
export interface Requestor {
  /** Messages received at the results address, in order. */
  results: RequestorMessage[]
  /** Sets the answer to results; undefined restores the correct response. */
  answerResults(how: Answering | undefined): void
  /** Sends a message to the directory server. */
  send(message: unknown): Promise<RequestorMessage>
  /** A valid authentication request with these changes; undefined removes a field. */
  request(number: string, other?: RequestorMessage): RequestorMessage
  /** Opens the challenge of a response, as a browser does. */
  open(response: RequestorMessage, other?: ChallengeOptions): Promise<AcsPage>
  /** Submits the form of a page. */
  answer(page: AcsPage, code: string, action?: string): Promise<AcsPage>
}

type Answering = (results: RequestorMessage) => RequestorMessage | 'broken' | Promise<RequestorMessage>

export interface ChallengeOptions {
  creq?: string
  session?: string
  headers?: Record<string, string>
}

export interface AcsPage {
  status: number
  headers: Headers
  text: string
  /** Hidden fields of its form. */
  hidden: Record<string, string>
  /** Address of its form. */
  action: string | undefined
  /** Runs of six digits on the page. */
  codes: string[]
  /** Message that the browser returns with. */
  completion: RequestorMessage | undefined
}

export const uuid = () =>
  systemRandom
    .bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')

export const base64urlJson = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64url')

const decoded = (text: string): RequestorMessage =>
  JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))

const usual = {
  messageType: 'AReq',
  messageVersion: '2.2.0',
  messageCategory: '01',
  deviceChannel: '02',
  threeDSServerRefNumber: 'A-STRANGER',
  threeDSRequestorID: '7',
  threeDSRequestorName: 'Çiçekçi',
  threeDSRequestorURL: 'https://shop.example/',
  threeDSRequestorAuthenticationInd: '01',
  threeDSCompInd: 'U',
  acquirerBIN: '454360',
  acquirerMerchantID: '7',
  mcc: '5992',
  merchantCountryCode: '792',
  merchantName: 'Çiçekçi "Işık" <1234567>',
  notificationURL: 'http://localhost:4243/back',
  purchaseAmount: '125000',
  purchaseCurrency: '949',
  purchaseExponent: '2',
  purchaseDate: '20261115063000',
  browserAcceptHeader: '*/*',
  browserUserAgent: 'a browser',
  browserLanguage: 'tr-TR',
  browserJavascriptEnabled: false,
}

export async function testRequestor(bank: Pick<TestBank, 'address'>): Promise<Requestor> {
  const results: RequestorMessage[] = []
  let how: Answering | undefined
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const message: RequestorMessage = JSON.parse(Buffer.concat(parts).toString('utf8'))
    results.push(message)
    const answer = how ? await how(message) : resultsResponseTo(message)
    if (answer === 'broken') request.socket.destroy()
    else response.setHeader('content-type', 'application/json; charset=utf-8').end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const threeDSServerURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/results`
  const post = async (path: string, fields: Record<string, string>, headers = {}) => {
    const answer = await fetch(new URL(path, `${bank.address}/acs/`), {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
    })
    return acsPageOf(answer)
  }
  return {
    results,
    answerResults: (next) => {
      how = next
    },
    send: async (message) => {
      const body = typeof message === 'string' ? message : JSON.stringify(message)
      const headers = { 'content-type': 'application/json; charset=utf-8' }
      const answer = await fetch(`${bank.address}/directory`, { method: 'POST', body, headers })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${answer.status} ${text}`)
      return text === '' ? {} : JSON.parse(text)
    },
    request: (acctNumber, other = {}) => ({
      ...usual,
      threeDSServerTransID: uuid(),
      threeDSServerURL,
      acctNumber,
      ...other,
    }),
    open: (response, { creq, session, headers } = {}) => {
      const { threeDSServerTransID, acsTransID, messageVersion, acsURL } = response
      const rest = { challengeWindowSize: '05', messageType: 'CReq', messageVersion }
      const creqText = creq ?? base64urlJson({ threeDSServerTransID, acsTransID, ...rest })
      const fields = session === undefined ? {} : { threeDSSessionData: session }
      return post(String(acsURL), { creq: creqText, ...fields }, headers)
    },
    answer: (page, code, action = 'confirm') => post('answer', { ...page.hidden, code, action }),
  }
}

/** Correct response to results. */
export function resultsResponseTo({
  threeDSServerTransID,
  acsTransID,
  dsTransID,
  messageVersion,
}: RequestorMessage): RequestorMessage {
  const ids = { threeDSServerTransID, acsTransID, dsTransID, messageVersion }
  return { ...ids, messageType: 'RRes', resultsStatus: '01' }
}

export async function acsPageOf(answer: Response): Promise<AcsPage> {
  const text = await answer.text()
  const inputs = text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
  const hidden = Object.fromEntries(Array.from(inputs, ([, name = '', value = '']) => [name, value]))
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    hidden,
    action: /<form[^>]* action="([^"]+)"/.exec(text)?.[1],
    codes: text.match(/\d{6,}/g) ?? [],
    completion: hidden['cres'] === undefined ? undefined : decoded(hidden['cres']),
  }
}
