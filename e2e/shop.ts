import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')

/** What the runner says of the running service. */
const stage: Record<string, string> = JSON.parse(process.env['E2E'] ?? '{}')

export const apiUrl = stage['API_URL'] ?? ''
export const pageUrl = stage['PAGE_URL'] ?? ''
export const sandboxUrl = stage['SANDBOX_URL'] ?? ''
export const home = stage['HOME_FOLDER'] ?? ''

/** A payment that a shop has started, and what it can ask about it. */
export interface Started {
  id: number
  /** The address of its page. */
  url: string
  /** What the merchant reads of it. */
  result(): Promise<Result>
  /** How each attempt to pay it stands, as whoever operates the service reads it. */
  attempts(): Promise<string[]>
}

export interface Result {
  payment_status_text: string
  transaction_status_text: string
  installment_count: number
}

/** Starts a payment as the demo merchant's shop does. */
export async function startPayment(form: Record<string, string> = {}): Promise<Started> {
  const token = await accessToken()
  const { data } = await call('/v1/payment/3ds', token, { amount: '10000', currency: 'TRY', ...form })
  const id = Number(data['transaction_id'])
  return {
    id,
    url: String(data['payment_page_url']),
    attempts: () => attemptsOf(id),
    result: async () => (await answerOf(`/v1/transaction/${id}`, { headers: bearer(token) })) as Result,
  }
}

async function accessToken(): Promise<string> {
  const { data } = await call('/v1/token/get-token', stage['SECRET_KEY'] ?? '', {})
  return String(data['access_token'])
}

async function call(
  path: string,
  credential: string,
  form: Record<string, string>,
): Promise<{ data: Record<string, unknown> }> {
  const body = new URLSearchParams(form)
  const answer = await answerOf(path, { method: 'POST', headers: bearer(credential), body })
  return answer as { data: Record<string, unknown> }
}

const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` })

async function answerOf(path: string, request: RequestInit): Promise<unknown> {
  const answer = await fetch(`${apiUrl}${path}`, request)
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

/** By the command line. */
async function attemptsOf(id: number): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['server/main.ts', 'payment', 'show', String(id)], {
    cwd: root,
    env: { ...process.env, VEZNE_HOME: home },
  })
  const states =
    /^\s*(\d+) .*\b(authenticating|authorizing|approved|declined|abandoned|reversing|reversed)\b/gm
  return [...stdout.matchAll(states)].map(([, , state]) => state ?? '')
}
