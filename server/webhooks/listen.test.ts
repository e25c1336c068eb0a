import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Refused } from '../../kit/input/refusals.ts'
import { systemClock } from '../../kit/runtime/clock.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { testApi } from '../../testing/harness/api.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { startProcess } from '../../testing/harness/process.ts'
import { longIt } from '../../testing/harness/tier.ts'
import { assignAllPositions } from '../../testing/seed/assign-all-positions.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import { createMerchant } from '../merchants/index.ts'
import type { EventListenOptions } from './listen.ts'
import { listenSigningSecrets, printAndForwardEvents } from './listen.ts'

// The receivers' library compares with the real time.
const clock = new TestClock(systemClock.now().toISOString())
const api = await testApi({ clock })
const { services, merchant } = api

const received: { headers: IncomingHttpHeaders; body: string; url: string | undefined }[] = []
const answers: number[] = []
const answerBody = `not signed\n\u001b[31m ${'x'.repeat(100)}`
const receiver = createServer(async (request, response) => {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  received.push({ headers: request.headers, body, url: request.url })
  const status = answers.shift() ?? 204
  response.writeHead(status).end(status === 204 ? '' : answerBody)
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
after(() => {
  services.outbound.close()
  receiver.close()
})
const hook = `http://localhost:${(receiver.address() as AddressInfo).port}/hook?a=b`

interface Listener {
  lines: string[]
  /** Makes the listener read the list once more, and resolves when it has processed the result. */
  look(): Promise<void>
  end(): Promise<void>
}

async function startListening(listening: EventListenOptions): Promise<Listener> {
  received.length = 0
  const lines: string[] = []
  const ending = new AbortController()
  const running = printAndForwardEvents(
    services,
    merchant,
    listening,
    (line) => lines.push(line),
    ending.signal,
  )
  await clock.asleep(1, 500)
  return {
    lines,
    look: async () => {
      clock.advance(500)
      await clock.asleep(1, 500)
    },
    end: async () => {
      ending.abort()
      await running
    },
  }
}

async function happen(seeded: Parameters<typeof seedPayment>[2]): Promise<number> {
  const { id } = await seedPayment(services, merchant, { ...seeded, createdAt: clock.now() })
  await assignAllPositions(services.sql, merchant)
  return id
}

async function addressOfNobody(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}/hook`
}

const attempts = [{ state: 'approved' as const }]

describe('vezne listen', () => {
  it('shows new events, and a receiver with the shown secret can verify the forwarded ones', async () => {
    await happen({ state: 'failed' })
    const { lines, look, end } = await startListening({ forward: hook })
    const [secret = ''] = listenSigningSecrets(services.keyring, merchant)
    assert.deepEqual(lines.slice(0, 3), [
      `merchant        ${merchant.id}  Test Mağaza`,
      `signing secret  ${secret}`,
      `forwarding to   ${hook}`,
    ])
    const refunds = [{ amountMinor: 5_000 }]
    const id = await happen({ state: 'partly_refunded', amountMinor: 18_990, attempts, refunds })
    await look()
    await end()
    const shown = lines.slice(4)
    const line = (kind: string, amount: string) =>
      new RegExp(`^\\S+  ${kind} +  \\d{14}  ${id}  ${amount} TRY$`)
    assert.match(shown[0] ?? '', line('payment.succeeded', '189.90'))
    assert.match(shown[2] ?? '', line('refund.created', '50.00'))
    assert.match(shown[4] ?? '', line('refund.executed', '50.00'))
    for (const index of [1, 3, 5]) assert.match(shown[index] ?? '', /^ {4}→ 204 in \d+ ms$/)
    assert.equal(shown.length, 6)
    const kinds = received.map(({ headers, body, url }) => {
      const checked = new Webhook(secret).verify(body, headers as Record<string, string>)
      assert.throws(() => new Webhook('whsec_AAAA').verify(body, headers as Record<string, string>))
      assert.equal(url, '/hook?a=b')
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      return (checked as { type: string }).type
    })
    assert.deepEqual(kinds, ['payment.succeeded', 'refund.created', 'refund.executed'])
  })

  it('shows the result of a failed forward, and does not repeat it', async () => {
    const { lines, look, end } = await startListening({ forward: hook })
    answers.push(500)
    await happen({ state: 'failed' })
    await look()
    assert.match(lines.at(-1) ?? '', /^ {4}→ 500 in \d+ ms: not signed··\[31m x+…$/)
    await look()
    assert.equal(received.length, 1)
    await end()
    const nobody = await startListening({ forward: await addressOfNobody() })
    await happen({ state: 'failed' })
    await nobody.look()
    assert.match(nobody.lines.at(-1) ?? '', /^ {4}→ connection_refused in \d+ ms$/)
    await nobody.end()
  })

  it('shows and forwards only the given kinds; without an address it only shows them', async () => {
    const { lines, look, end } = await startListening({ kinds: ['payment.expired'] })
    await happen({ state: 'failed' })
    await happen({ state: 'expired' })
    await look()
    await end()
    const shown = lines.slice(3).map((line) => line.split(/ +/)[1])
    assert.deepEqual(shown, ['payment.expired'])
    assert.equal(received.length, 0)
  })

  it('reports once that no running service dispatches events, if they wait too long', async () => {
    const { lines, look, end } = await startListening({})
    await seedPayment(services, merchant, { state: 'expired', createdAt: clock.now() })
    clock.advance(62_000)
    await clock.asleep(1, 500)
    await look()
    clock.advance(10_000)
    await clock.asleep(1, 500)
    await look()
    assert.deepEqual(
      lines.filter((line) => line.includes('vezne start')),
      [lines.at(-1)],
    )
    await assignAllPositions(services.sql, merchant)
    await look()
    assert.match(lines.at(-1) ?? '', /payment\.expired/)
    await end()
  })
})

describe('its signing secret', () => {
  it('has 32 bytes, is the same at every start, and differs for every merchant and installation', () => {
    const own = (secret: string, id: number, previous?: string) =>
      listenSigningSecrets(new Keyring(secret, previous), { id })
    const [first = ''] = own('a secret', 1)
    assert.match(first, /^whsec_/)
    assert.equal(Buffer.from(first.slice('whsec_'.length), 'base64').length, 32)
    assert.deepEqual(own('a secret', 1), [first])
    assert.notDeepEqual(own('a secret', 2), [first])
    assert.notDeepEqual(own('another', 1), [first])
    assert.equal(own('another', 1, 'a secret')[1], first)
  })
})

describe('the command', () => {
  const refused = async (words: string[]): Promise<string> => {
    try {
      return await runTypedCommand(services, ['listen', ...words])
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return [...(error.complaints ?? [])].map(([name, [said]]) => `${name}: ${said?.en}`).join()
    }
  }

  it('refuses a live merchant', async () => {
    const { merchant: live } = await createMerchant(services, { name: 'Canlı', live: true })
    assert.match(await refused(['--merchant', String(live.id)]), /^merchant: This merchant is live\./)
  })

  it('forwards to this machine only', async () => {
    const strangers = ['http://example.com/hook', 'http://192.168.1.1:3000/', 'http://localhost.example.com/']
    for (const url of [...strangers, 'localhost:3000/hook', 'ftp://localhost/'])
      assert.match(await refused(['--forward', url]), /^forward: Must be an address on this machine/, url)
    for (const url of ['http://localhost:3000/hook', 'https://127.0.0.2/', 'http://[::1]:3000/'])
      assert.match(await refused(['--forward', url, '--merchant', '1']), /^merchant: There is no/, url)
  })

  longIt('exits with 0 on SIGINT and SIGTERM', async (t) => {
    const env = { DATABASE_URL: api.database.url, VEZNE_SECRET: 'a secret for tests, long enough for it' }
    const ends = (['SIGINT', 'SIGTERM'] as const).map(async (signal) => {
      const process = startProcess(t, ['./vezne', 'listen', '--merchant', String(merchant.id)], env)
      await process.waitForLine('Listening')
      return process.end(signal)
    })
    assert.deepEqual(await Promise.all(ends), [0, 0])
  })
})
