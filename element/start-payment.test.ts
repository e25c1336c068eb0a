import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AccessToken } from './access-token.ts'
import type { Api } from './call-api.ts'
import { startPayment } from './start-payment.ts'
import { StartFailure } from './vezne-error.ts'

type Reply = { status?: number; body: object; headers?: Record<string, string> } | 'lost' | 'page' | 'silence'

/** Time that differs from the clock of every payer. */
const serverTime = '2031-05-05T12:00:00Z'

const ofToken = (text = 'token', expires_at = '2031-05-05T15:10:00+03:00'): Reply => ({
  body: { status: true, data: { access_token: text, expires_at } },
  headers: { date: new Date(serverTime).toUTCString() },
})
const started: Reply = {
  body: {
    status: true,
    data: { transaction_id: 10000000000123, payment_page_url: 'https://pay.example/p/x' },
  },
}
const refused = (
  status: number,
  error_code: number,
  more: { errors?: object; headers?: Record<string, string> } = {},
): Reply => ({
  status,
  body: {
    status: false,
    message: `refused ${error_code}`,
    error_code,
    errors: more.errors ?? [],
    data: null,
  },
  ...(more.headers ? { headers: more.headers } : {}),
})

/** Browser whose time advances whenever code waits, and a service that sends these replies in order. */
function setting(replies: Reply[]) {
  const requests: { path: string; headers: Record<string, string>; body: unknown; credentials: unknown }[] =
    []
  /** Timeouts of the requests. */
  const timeouts: { ms: number; end: () => void }[] = []
  const waitsMs: number[] = []
  let nowMs = 5_000
  let inFlight = 0
  const api: Api = {
    url: 'https://api.example',
    language: 'en',
    browser: {
      fetch: async (url, { headers, body, credentials, signal }) => {
        if (signal?.aborted) throw new Error('aborted')
        inFlight += 1
        const { pathname: path } = new URL(url)
        requests.push({ path, headers: headers as Record<string, string>, body, credentials })
        await Promise.resolve()
        inFlight -= 1
        const reply = replies.shift()
        assert.ok(reply, 'nothing more is asked')
        if (reply === 'silence') return new Promise((_, reject) => signal?.addEventListener('abort', reject))
        if (reply === 'lost') throw new TypeError('Failed to fetch')
        if (reply === 'page') return new Response('<!doctype html>', { status: 502 })
        return Response.json(reply.body, { status: reply.status ?? 200, headers: reply.headers ?? {} })
      },
      now: () => nowMs,
      after: (ms, call) => {
        if (inFlight === 0 && ms >= 20_000) timeouts.push({ ms, end: call })
        else if (inFlight === 0) {
          waitsMs.push(ms)
          nowMs += ms
          queueMicrotask(call)
        }
        return () => {}
      },
      uuid: () => 'a-uuid',
      report: assert.fail,
      complain: assert.fail,
    },
  }
  const token = new AccessToken(api, 'pk_test_abc')
  const end = new AbortController()
  const start = (idempotencyKey = 'a-uuid') =>
    startPayment(api, token, { body: '{"amount":18990}', idempotencyKey }, end.signal)
  const startError = async () => {
    const error = await start().catch((thrown: unknown) => thrown)
    assert.ok(error instanceof StartFailure, String(error))
    return error.paymentError
  }
  return {
    requests,
    timeouts,
    waitsMs,
    start,
    startError,
    end,
    pass: (ms: number) => (nowMs += ms),
    paths: () => requests.map(({ path }) => path),
  }
}

const tokenPath = '/v1/token/get-token'
const startPath = '/v1/payment/3ds'

describe('starting a payment', () => {
  it('gets a token with the public key and sends it with an Idempotency-Key', async () => {
    const { start, requests, paths } = setting([ofToken(), started])
    assert.deepEqual(await start(), { transactionId: 10000000000123, pageUrl: 'https://pay.example/p/x' })
    assert.deepEqual(paths(), [tokenPath, startPath])
    assert.equal(requests[0]?.headers['authorization'], 'Bearer pk_test_abc')
    assert.deepEqual(requests[1], {
      path: startPath,
      headers: {
        authorization: 'Bearer token',
        'accept-language': 'en',
        'content-type': 'application/json',
        'idempotency-key': 'a-uuid',
      },
      body: '{"amount":18990}',
      credentials: 'omit',
    })
  })

  it('keeps a token until shortly before its expiry, whatever the payer’s clock shows', async () => {
    const { start, pass, paths } = setting([ofToken(), started, started, ofToken('second'), started])
    await start()
    pass(9 * 60_000)
    await start()
    pass(31_000)
    await start()
    assert.deepEqual(paths(), [tokenPath, startPath, startPath, tokenPath, startPath])
  })

  it('keeps a token for some minutes if the response has no time', async () => {
    const dateless: Reply = { body: { status: true, data: { access_token: 'token', expires_at: 'soon' } } }
    const { start, pass, paths } = setting([dateless, started, started, ofToken(), started])
    await start()
    pass(4 * 60_000)
    await start()
    pass(60_000)
    await start()
    assert.equal(paths().filter((path) => path === tokenPath).length, 2)
  })

  it('gets a new token once if the API no longer accepts the old one', async () => {
    const expired = refused(401, 911)
    const { start, requests } = setting([ofToken('old'), expired, ofToken('new'), started])
    await start()
    assert.equal(requests[3]?.headers['authorization'], 'Bearer new')
    const { startError, paths } = setting([ofToken(), expired, ofToken(), refused(401, 910)])
    assert.deepEqual(await startError(), { code: 'refused', message: 'refused 910', error_code: 910 })
    assert.equal(paths().length, 4)
  })

  it('retries with the same key after a lost response or a temporary error', async () => {
    const busy = refused(503, 991, { headers: { 'retry-after': '3' } })
    const { start, requests, waitsMs } = setting([ofToken(), 'lost', busy, refused(409, 950), started])
    await start()
    assert.deepEqual(
      requests.slice(1).map(({ headers }) => headers['idempotency-key']),
      ['a-uuid', 'a-uuid', 'a-uuid', 'a-uuid'],
    )
    assert.deepEqual(waitsMs, [500, 3_000, 4_000])
  })

  it('fails after a few attempts, or if it would have to wait long', async () => {
    const lost = setting(['lost', 'page', 'lost', 'lost'])
    const { code, message } = await lost.startError()
    assert.equal(code, 'unreachable')
    assert.match(message, /cannot be reached/)
    const limited = setting([ofToken(), refused(429, 960, { headers: { 'retry-after': '600' } })])
    assert.deepEqual(await limited.startError(), {
      code: 'unreachable',
      message: 'refused 960',
      error_code: 960,
    })
    assert.deepEqual(limited.waitsMs, [])
  })

  it('reports a refusal of the API and does not retry', async () => {
    const errors = { amount: ['Must be a whole number.'] }
    const { startError, paths } = setting([ofToken(), refused(422, 901, { errors })])
    assert.deepEqual(await startError(), { code: 'refused', message: 'refused 901', error_code: 901, errors })
    assert.equal(paths().length, 2)
  })

  it('refuses an answer without a web address of the page', async () => {
    const data = { transaction_id: 10000000000123, payment_page_url: 'javascript:alert(1)' }
    const { startError } = setting([ofToken(), { body: { status: true, data } }])
    assert.equal((await startError()).code, 'unreachable')
  })

  it('sends nothing after it was aborted', async () => {
    const { startError, end, paths } = setting([])
    end.abort()
    assert.equal((await startError()).code, 'unreachable')
    assert.deepEqual(paths(), [])
  })

  it('ends the request in progress when it is aborted', { timeout: 5_000 }, async () => {
    const { startError, end, paths } = setting(['silence'])
    const startErrorPromise = startError()
    await Promise.resolve()
    end.abort()
    assert.equal((await startErrorPromise).code, 'unreachable')
    assert.deepEqual(paths(), [tokenPath])
  })

  it('aborts a request without a response after 20 seconds and retries', {
    timeout: 5_000,
  }, async () => {
    const { start, timeouts, paths } = setting(['silence', ofToken(), started])
    const starting = start()
    await Promise.resolve()
    assert.equal(timeouts[0]?.ms, 20_000)
    timeouts[0].end()
    await starting
    assert.deepEqual(paths(), [tokenPath, tokenPath, startPath])
  })
})
