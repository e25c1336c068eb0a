import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { attemptStates } from './database.ts'
import { until } from './until.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** Settings of the running service, set by the runner. */
const serviceEnv: Record<string, string> = JSON.parse(process.env['E2E'] ?? '{}')

export const apiUrl = serviceEnv['API_URL'] ?? ''
export const pageUrl = serviceEnv['PAGE_URL'] ?? ''
export const sandboxUrl = serviceEnv['SANDBOX_URL'] ?? ''
/** Public key of the demo merchant. */
export const publicKey = serviceEnv['PUBLIC_KEY'] ?? ''
export const demoUrl = serviceEnv['DEMO_URL'] ?? ''
const home = serviceEnv['HOME_FOLDER'] ?? ''

/** Merchant with its secret key. */
export interface Shop {
  id: string
  secretKey: string
}

export const demoShop: Shop = {
  id: serviceEnv['MERCHANT_ID'] ?? '',
  secretKey: serviceEnv['SECRET_KEY'] ?? '',
}

/** Payment that a shop has started, with the merchant's operations on it. */
export interface StartedPayment {
  id: number
  /** Address of the payment page. */
  url: string
  /** Transaction as the merchant reads it. */
  result(): Promise<PaymentResult>
  /** States of the attempts, in order. */
  attempts(): Promise<string[]>
  /** Refunds this amount and waits until it is done. */
  refund(amount: number): Promise<void>
  /** Captures or releases the hold and waits until it is done. */
  resolve(status: boolean): Promise<void>
}

export interface PaymentResult {
  payment_status_text: string
  transaction_status_text: string
  installment_count: number
}

/** Starts a payment as a shop does. */
export async function startPayment(
  form: Record<string, string> = {},
  shop = demoShop,
): Promise<StartedPayment> {
  const { data } = await post('/v1/payment/3ds', shop, { amount: '10000', currency: 'TRY', ...form })
  const id = Number(data['transaction_id'])
  const result = async () => (await get(`/v1/transaction/${id}`, shop)) as PaymentResult
  const isPast = (status: string) =>
    until(
      async () => (await result()).payment_status_text !== status,
      () => `the payment stays ${status}`,
    )
  return {
    id,
    url: String(data['payment_page_url']),
    attempts: () => attemptStates(id),
    result,
    refund: async (amount) => {
      const { payment_status_text: before } = await result()
      const parameters = { amount: String(amount), description: 'Ürün geri geldi' }
      await post('/v1/transaction/refund', shop, { transaction_id: String(id), ...parameters })
      await isPast(before)
    },
    resolve: async (status) => {
      await post('/v1/transaction/resolve-pre-auth', shop, {
        transaction_id: String(id),
        status: String(status),
      })
      await isPast('pre_authorized')
    },
  }
}

/** Customer as the shop reads it. */
export interface Customer {
  id: number
  name: string
  lastname: string
  email: string
  phone: string
  country: string
  created_via_payment: boolean
}

export async function makeCustomer(form: Record<string, string>, shop = demoShop): Promise<Customer> {
  return (await post('/v1/customers', shop, form)) as unknown as Customer
}

export async function customersByEmail(email: string, shop = demoShop): Promise<Customer[]> {
  return (await get(`/v1/customers/search?${new URLSearchParams({ email })}`, shop)) as Customer[]
}

/** Registers a product with an image, and returns its id. */
export async function makeProduct(
  form: Record<string, string>,
  image?: Buffer,
  shop = demoShop,
): Promise<number> {
  const { id } = (await post('/v1/products', shop, form)) as unknown as { id: number }
  if (!image) return id
  const headers = { ...bearer(await tokenOf(shop)), 'content-type': 'image/png' }
  await answerOf(`/v1/products/${id}/image`, { method: 'POST', headers, body: new Uint8Array(image) })
  return id
}

const tokens = new Map<string, Promise<string>>()

/** One token per process and key, as shops do it. */
function tokenOf({ secretKey }: Shop): Promise<string> {
  const made = tokens.get(secretKey) ?? makeToken(secretKey)
  tokens.set(secretKey, made)
  return made
}

async function makeToken(secretKey: string): Promise<string> {
  const request = { method: 'POST', headers: bearer(secretKey) }
  const answer = (await answerOf('/v1/token/get-token', request)) as { data: { access_token: string } }
  return answer.data.access_token
}

async function post(
  path: string,
  shop: Shop,
  form: Record<string, string>,
): Promise<{ data: Record<string, unknown> }> {
  const body = new URLSearchParams(form)
  const headers = bearer(await tokenOf(shop))
  return (await answerOf(path, { method: 'POST', headers, body })) as { data: Record<string, unknown> }
}

async function get(path: string, shop: Shop): Promise<unknown> {
  return answerOf(path, { headers: bearer(await tokenOf(shop)) })
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

async function answerOf(path: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(`${apiUrl}${path}`, request)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** Runs a command and returns its output. */
export async function runVezne(...words: string[]): Promise<string> {
  const env = { ...process.env, VEZNE_HOME: home }
  const { stdout } = await run(process.execPath, ['server/main.ts', ...words], { cwd: root, env })
  return stdout
}

/** Creates a merchant with these settings and a POS at the sandbox bank. */
export async function makeShop(...settings: string[]): Promise<Shop> {
  const made = await runVezne('merchant', 'create', ...settings)
  const shop = {
    id: /^merchant\s+(\d+)/m.exec(made)?.[1] ?? '',
    secretKey: /^secret key\s+(\S+)/m.exec(made)?.[1] ?? '',
  }
  const pos = ['--name', 'Bonus', '--bank', '62', '--connector', 'sandbox', '--single-rate', '1.79']
  await runVezne('pos', 'add', shop.id, ...pos, '--families', 'bonus')
  return shop
}

/** Registers origins of the demo merchant, in addition to the demo shop's, with the command line. */
export async function setOrigins(origins: readonly string[]): Promise<void> {
  const given = [demoUrl, ...origins].flatMap((origin) => ['--origins', origin])
  const words = ['server/main.ts', 'merchant', 'change', serviceEnv['MERCHANT_ID'] ?? '', ...given]
  await run(process.execPath, words, { cwd: root, env: { ...process.env, VEZNE_HOME: home } })
}
