import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { RequestDeadlines } from '../../server/database/request-deadlines.ts'
import type { Merchant } from '../../server/merchants/index.ts'
import { updateMerchant } from '../../server/merchants/store.ts'
import { pageApp } from '../../server/page.ts'
import type { BrowserStep } from '../../server/three-ds/index.ts'
import type { TestAnswer } from '../harness/api.ts'
import { typedPayer } from '../harness/payer.ts'
import type { Till } from './till.ts'
import { testTill } from './till.ts'

type Headers = Record<string, string>

/**
 * The payment page with the API and the sandbox bank of a till. The banks' servers reach it over loopback.
 */
export interface TestPages extends Till {
  pages: FastifyInstance
  /** Starts a payment; returns its id, the path of its page and the page token in it. */
  open(form?: string): Promise<{ id: number; path: string; page: string }>
  get(path: string, headers?: Headers): Promise<TestAnswer>
  /** Posts JSON, as the page's script does. */
  post(path: string, json: unknown, headers?: Headers): Promise<TestAnswer>
  /** Posts a form, as a bank's page does. */
  postForm(path: string, fields: Record<string, string>, headers?: Headers): Promise<TestAnswer>
  /** Submits a card and the payer's data. */
  sendCard(path: string, number: string, more?: Record<string, unknown>): Promise<TestAnswer>
  /** Changes the merchant, and refreshes the caches. */
  setMerchant(given: Partial<Merchant>): Promise<void>
  /** Acts as the bridge for a frictionless card, or until the challenge. */
  prove(path: string): Promise<BrowserStep>
}

export async function testPages(options: Parameters<typeof testTill>[0] = {}): Promise<TestPages> {
  const till = await testTill({ withBankPage: true, ...options })
  const { services } = till
  const pages = pageApp(services, {
    readiness: async () => undefined,
    isClosing: () => false,
    deadlines: new RequestDeadlines('page', services),
  })
  after(() => pages.close())
  const pageUrl = await pages.listen({ port: 0, host: '127.0.0.1' })
  services.config = { ...services.config, pageUrl }
  const post: TestPages['post'] = (path, json, headers = {}) =>
    inject(pages, 'POST', path, { 'content-type': 'application/json', ...headers }, JSON.stringify(json))
  return {
    ...till,
    pages,
    open: async (form = 'amount=10000&currency=TRY') => {
      const token = await till.token()
      const answer = await till.call({ method: 'POST', url: '/v1/payment/3ds', token, form })
      const { transaction_id: id, payment_page_url: url } = answer.json.data
      const path = new URL(url).pathname
      return { id, path, page: path.slice('/p/'.length) }
    },
    get: (path, headers = {}) => inject(pages, 'GET', path, { accept: 'text/html', ...headers }),
    post,
    postForm: (path, fields, headers = {}) =>
      inject(
        pages,
        'POST',
        path,
        { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', ...headers },
        new URLSearchParams(fields).toString(),
      ),
    sendCard: (path, number, more = {}) => post(`${path}/card`, { ...typed, number, ...more }),
    setMerchant: async (given) => {
      await updateMerchant(services.sql, { ...till.merchant, ...given })
      await services.cache.refresh()
    },
    prove: async (path) => {
      const facts = { colorDepth: 24, screenWidth: 1280, screenHeight: 800, timeZoneOffset: -180 }
      const { json } = await post(`${path}/authenticate`, { ...facts, language: 'tr', javaEnabled: false })
      await services.tasks.drain()
      return json
    },
  }
}

const typedCard = { expiry: '12/30', cvc: '739', holder: 'Işık Öztürk', installment: 1, charged: 10_000 }
const typed = { ...typedCard, ...typedPayer }

async function inject(
  pages: FastifyInstance,
  method: 'GET' | 'POST',
  url: string,
  headers: Headers,
  payload?: string,
): Promise<TestAnswer> {
  const answer = await pages.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  if (answer.headers['set-cookie'] !== undefined) throw new Error('the page sets a cookie')
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    json: isJson ? JSON.parse(answer.payload) : undefined,
  }
}
