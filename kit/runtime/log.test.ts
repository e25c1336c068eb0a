import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { createNotesTable, noteRoutes } from '../../testing/harness/notes.ts'
import { systemRandom } from '../security/random.ts'
import { redact } from '../security/redaction.ts'

const api = await testApi({
  routes: noteRoutes(),
  env: { TRUSTED_PROXIES: '127.0.0.1', FAILED_CREDENTIALS_PER_MINUTE: '100000', RATE_LIMIT_PER_SECOND: '0' },
})
await createNotesTable(api.services.sql)
const token = await api.token()

/** Secrets that must never be logged. Each is different, so a match shows its origin. */
const secrets = [
  api.secretKey,
  api.publicKey,
  token,
  'sk_live_abcdefghijklmnopqrstuvwxyzabcdefghijkl',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD/2b8k1a4c0E=',
  '4111111111111111',
  '5528 7900 0000 0008',
  '9792-0303-9444-0796',
  '374245455400126',
  '5555.5555.5555.4444',
]

describe('the log holds no key, token or card number', () => {
  it('from any part of a request: headers, address, query, names and values of bodies and forms', async () => {
    api.lines.length = 0
    for (const secret of secrets) {
      const safe = encodeURIComponent(secret)
      const headers = [
        'authorization',
        'x-request-id',
        'idempotency-key',
        'accept-language',
        'accept',
        'user-agent',
        'cookie',
        'referer',
        'origin',
        'host',
        'x-forwarded-for',
        'x-forwarded-proto',
        'x-forwarded-host',
        'forwarded',
        'traceparent',
        'content-type',
        'x-api-key',
        'x-anything',
      ]
      for (const name of headers) {
        await api.call({
          method: 'POST',
          url: '/v1/notes',
          token,
          headers: { [name]: secret },
          body: 'title=a&amount=1',
        })
        await api.call({ method: 'POST', url: '/v1/token/get-token', headers: { [name]: secret } })
      }
      const requests = [
        { url: `/${safe}` },
        { url: `/v1/notes/${safe}`, token },
        { url: `/v1/notes/1?${safe}=1&shout=${safe}`, token },
        { url: `/v1/notes/%zz${safe}`, token },
        { method: 'DELETE' as const, url: `/v1/notes/${safe}`, token },
        { method: 'PUT' as const, url: `/v1/notes/${safe}` },
        { method: 'POST' as const, url: `/v1/token/get-token`, token: secret },
        { method: 'POST' as const, url: '/v1/notes', token: secret, form: 'title=a' },
        {
          method: 'POST' as const,
          url: '/v1/notes',
          token,
          body: secret,
          headers: { 'content-type': 'application/json' },
        },
        {
          method: 'POST' as const,
          url: '/v1/notes',
          token,
          body: secret,
          headers: { 'content-type': secret },
        },
        {
          method: 'POST' as const,
          url: '/v1/notes',
          token,
          json: { [secret]: secret, title: secret, amount: secret },
        },
        {
          method: 'POST' as const,
          url: '/v1/notes',
          token,
          json: { title: 'a', amount: 1, colour: secret, items: [{ key: secret }], numbers: secret },
        },
        {
          method: 'POST' as const,
          url: '/v1/notes',
          token,
          form: `title=${safe}&amount=${safe}&${safe}=${safe}&items[0][${safe}]=1`,
        },
      ]
      for (const request of requests) await api.call(request)
    }
    const all = api.lines.join('')
    assert.ok(api.lines.length > secrets.length * 40)
    for (const secret of secrets) {
      assert.ok(!all.includes(secret), `found ${secret}`)
      assert.ok(!all.includes(encodeURIComponent(secret)), `found ${secret}, encoded`)
      assert.ok(!all.includes(secret.replaceAll(/[ .-]/g, '')), `found ${secret}, without gaps`)
    }
  })

  it('from error texts of libraries', () => {
    for (const secret of secrets) {
      api.lines.length = 0
      api.services.log.error({ err: new Error(`x ${secret} y`, { cause: new Error(secret) }) }, 'trouble')
      assert.ok(!api.lines.join('').includes(secret))
    }
  })
})

it('a request gives one JSON line with id, merchant, route, status and duration', async () => {
  api.lines.length = 0
  await api.call({ url: '/v1/notes/77?shout=1', token, headers: { 'x-request-id': 'mine' } })
  const requests = api.lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request')
  assert.equal(requests.length, 1)
  const { time, duration_ms, ...rest } = requests[0]
  assert.ok(!Number.isNaN(Date.parse(time)))
  assert.equal(typeof duration_ms, 'number')
  assert.deepEqual(rest, {
    level: 'info',
    request_id: 'mine',
    merchant_id: api.merchant.id,
    method: 'GET',
    route: '/v1/notes/:note_id',
    status: 404,
    address: '127.0.0.1',
    msg: 'request',
  })
})

describe('the log of a process', () => {
  const open = `import { openLog } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)}
    const { log, flush } = openLog({ level: 'info', format: 'json' })
    for (let line = 1; line <= 300; line++) log.info({ line, text: 'x'.repeat(100) }, 'counted')
  `
  const linesOf = (program: string) => {
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', open + program], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    return run.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  }

  it('is complete and in order, however the process ends by itself', () => {
    for (const end of ['', 'process.exit(1)', 'throw new Error("a bug")', 'await flush(); process.abort()']) {
      const written = linesOf(end).map(({ line }) => line)
      assert.deepEqual(
        written,
        Array.from({ length: 300 }, (_, index) => index + 1),
        end,
      )
    }
  })

  it('shows an event even if its fields cannot be written', () => {
    const last = linesOf('log.info({ count: 10n, err: new Error("cause"), id: 7 }, "odd")').at(-1)
    assert.deepEqual([last.msg, last.count, last.id], ['odd', 'not written: bigint', 7])
    assert.equal(last.err.message, 'cause')
    const fields = '{ err: revoked, a: { toJSON() { throw Object.create(null) } } }'
    const lines = linesOf(
      `const { proxy: revoked, revoke } = Proxy.revocable({}, {}); revoke(); const loop = new Error("a"); loop.cause = loop; log.error(${fields}, "odd"); log.error({ err: loop }, "odd")`,
    )
    assert.deepEqual(
      lines.slice(-2).map(({ msg }) => msg),
      ['odd', 'odd'],
    )
  })
})

it('our ids and ordinary numbers are redacted only if they could be card numbers', () => {
  for (const text of ['order 12345678901', 'took 12345 ms', 'id 10000000000001', 'at 2026-11-15 09:30:00']) {
    assert.equal(redact(text), text)
  }
  for (let round = 0; round < 200; round++) {
    const digits = [...systemRandom.bytes(12)].map((byte) => byte % 10).join('')
    const valid = [...'0123456789'].map((last) => digits + last).filter((number) => redact(number) !== number)
    assert.equal(valid.length, 1, 'one of ten last digits makes a card number')
  }
})

it('a secret is redacted with any characters before, between or after its own', () => {
  const hidden = [
    `x_${api.secretKey}`,
    '12-4111111111111111',
    '4111_1111_1111_1111',
    'no note 5 4111111111111111',
    'ref-4111\u00a01111\u00a01111\u00a01111',
    '90004111111111111111',
    `"${token}"`,
  ]
  for (const text of hidden) {
    assert.match(redact(text), /redacted/, text)
    assert.doesNotMatch(redact(text).replaceAll(/\D/g, ''), /4111111111111111/)
  }
  assert.ok(redact('eyJ-'.repeat(65_000)).length <= 8_000)
})
