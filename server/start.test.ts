import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { before, describe, it } from 'node:test'
import { systemClock } from '../kit/runtime/clock.ts'
import { sql } from '../kit/runtime/sql.ts'
import { silentLog, testDatabase } from '../testing/harness/database.ts'
import {
  demoOf,
  isServing,
  leftoverFiles,
  makeHome,
  makeUsedHome,
  serverPid,
} from '../testing/harness/embedded-home.ts'
import { countIdempotencyKeys, countNotes, createNotesTable, noteRoutes } from '../testing/harness/notes.ts'
import type { ServiceProcess } from '../testing/harness/process.ts'
import { freePorts, startProcess, suiteCleanupScope } from '../testing/harness/process.ts'
import type { Config } from './config.ts'
import { readConfig } from './config.ts'
import { claimKey } from './idempotency/store.ts'
import { createKey, createMerchant, revokeKey } from './merchants/index.ts'
import { startService } from './start.ts'

const node = process.execPath
const secret = 'a secret for tests, long enough for it'

async function getToken(url: string, key: string | undefined): Promise<Response> {
  return fetch(`${url}/v1/token/get-token`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
}

async function accessToken(url: string, key: string | undefined): Promise<string> {
  const answer = (await (await getToken(url, key)).json()) as { data: { access_token: string } }
  return answer.data.access_token
}

describe('npm start', () => {
  const home = makeHome(suiteCleanupScope())
  let env: Record<string, string>
  let demo: ReturnType<typeof demoOf>

  before(async () => {
    env = { ...(await freePorts()), VEZNE_HOME: home, DRAIN_SECONDS: '1' }
  })

  it('runs the service, creates the demo merchant once, and ends on Ctrl-C with 0 and nothing left running', async (t) => {
    const first = startProcess(t, ['npm', 'start'], env)
    await first.waitForLine('"msg":"ready"')
    demo = demoOf(home)
    assert.deepEqual(Object.keys(demo).toSorted(), [
      'API_URL',
      'MERCHANT_ID',
      'PAGE_URL',
      'PUBLIC_KEY',
      'SECRET_KEY',
    ])
    assert.equal(statSync(join(home, 'demo.env')).mode & 0o777, 0o600)
    assert.equal(statSync(join(home, 'secret')).mode & 0o777, 0o600)
    for (const url of [first.url, `http://127.0.0.1:${env['API_PORT']}`, `http://[::1]:${env['API_PORT']}`]) {
      assert.equal((await getToken(url, demo['SECRET_KEY'])).status, 200, url)
    }
    const shop = `http://localhost:${env['DEMO_PORT']}`
    assert.match(first.output(), new RegExp(`is ready\\.\\s+Shop +${shop}`))
    assert.match(await (await fetch(shop)).text(), /Köşe Kahve/)
    // A reader of the shop's live feed does not delay the shutdown.
    const following = (await fetch(`${shop}/live`)).text()
    const postgres = serverPid(home)
    assert.ok(isServing(home, postgres))
    assert.equal(await first.end('SIGINT'), 0)
    assert.match(await following, /^retry: /)
    assert.ok(!isServing(home, postgres))
    assert.deepEqual(leftoverFiles(home), [])
  })

  it('later starts keep the merchant and its keys, and replace lost or revoked keys', async (t) => {
    const again = startProcess(t, ['npm', 'start'], env)
    await again.waitForLine('"msg":"ready"')
    assert.deepEqual(demoOf(home), demo)
    assert.equal((await getToken(again.url, demo['SECRET_KEY'])).status, 200)
    const list = startProcess(t, ['./vezne', 'key', 'list', demo['MERCHANT_ID'] ?? ''], env)
    await list.ended
    const keyId = /^(\d{14}) +secret/m.exec(list.output())?.[1] ?? ''
    assert.equal(await startProcess(t, ['./vezne', 'key', 'revoke', keyId], env).ended, 0)
    assert.equal(await again.end('SIGTERM'), 0, again.output())

    const last = startProcess(t, [node, 'server/main.ts', 'start'], env)
    await last.waitForLine('"msg":"ready"')
    const renewed = demoOf(home)
    assert.notEqual(renewed['SECRET_KEY'], demo['SECRET_KEY'])
    assert.deepEqual({ ...renewed, SECRET_KEY: '' }, { ...demo, SECRET_KEY: '' }, 'what is good is kept')
    assert.equal((await getToken(last.url, renewed['SECRET_KEY'])).status, 200)
    assert.equal(await last.end('SIGHUP'), 0, 'a closed terminal ends it in order')
    assert.ok(!isServing(home, serverPid(home)))
  })

  it('ends with 1 and the reason if its PostgreSQL ends by itself', async (t) => {
    const used = await makeUsedHome(t)
    const service = startProcess(t, [node, 'server/main.ts', 'start'], {
      ...(await freePorts()),
      VEZNE_HOME: used,
    })
    await service.waitForLine('"msg":"ready"')
    process.kill(serverPid(used), 'SIGINT')
    assert.equal(await service.ended, 1)
    assert.match(service.output(), /^PostgreSQL ended: /m)
  })

  it('names every wrong setting in one message and ends with 1', async (t) => {
    const wrong = startProcess(t, [node, 'server/main.ts', 'start'], {
      API_PORT: 'x',
      LOG_LEVEL: 'y',
      VEZNE_SECRETS: 'z',
    })
    assert.equal(await wrong.ended, 1)
    for (const name of ['API_PORT', 'LOG_LEVEL', 'VEZNE_SECRETS'])
      assert.match(wrong.output(), new RegExp(`- ${name} `))
  })
})

describe('beside a running service', () => {
  const stage = suiteCleanupScope()
  let home: string
  let ports: Awaited<ReturnType<typeof freePorts>>
  let service: ServiceProcess

  before(async () => {
    home = await makeUsedHome(stage)
    ports = await freePorts()
    const env = { ...ports, VEZNE_HOME: home, DRAIN_SECONDS: '3600' }
    service = startProcess(stage, [node, 'server/main.ts', 'start'], env)
    await service.waitForLine('"msg":"ready"')
  })

  it('a second service on the same home or ports reports it and exits; the first goes on', async (t) => {
    const onHome = startProcess(t, [node, 'server/main.ts', 'start'], {
      ...(await freePorts()),
      VEZNE_HOME: home,
    })
    const another = await makeUsedHome(t)
    const onPorts = startProcess(t, [node, 'server/main.ts', 'start'], { ...ports, VEZNE_HOME: another })
    assert.equal(await onHome.ended, 1)
    assert.match(onHome.output(), /A Vezne service is already running on/)
    assert.equal(await onPorts.ended, 1)
    const taken = `Port ${ports.API_PORT} is in use by another program. To use another port, set API_PORT`
    assert.match(onPorts.output(), new RegExp(taken))
    assert.ok(!isServing(another, serverPid(another)), 'nothing is left running')
    assert.equal((await getToken(service.url, demoOf(home)['SECRET_KEY'])).status, 200)
  })

  it('SIGTERM fails /readyz immediately, requests are served while draining, and a second signal ends the draining', async () => {
    assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
    service.child.kill('SIGTERM')
    await service.waitForLine('"msg":"shutting down"')
    const readyz = await fetch(`${service.url}/readyz`)
    assert.deepEqual([readyz.status, await readyz.json()], [503, { status: 'not ready', reason: 'draining' }])
    assert.equal((await fetch(`${service.url}/livez`)).status, 200)
    assert.equal((await getToken(service.url, demoOf(home)['SECRET_KEY'])).status, 200)
    assert.equal(await service.end('SIGINT'), 0)
  })
})

describe('SIGTERM', () => {
  it('lets requests under way complete with their responses', async (t) => {
    const { instance, database, key } = await instanceOnTestDatabase(t, noteRoutesThatWait())
    const token = await accessToken(instance.url, key)
    const answer = fetch(`${instance.url}/v1/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'title=late&amount=1',
    })
    await waiting.reached.promise
    const stopped = instance.stop()
    waiting.released.resolve()
    assert.equal((await answer).status, 200)
    await stopped
    assert.equal(await countNotes(database.sql, 'late'), 1)
    await assert.rejects(fetch(`${instance.url}/livez`))
  })
})

describe('a request that hangs', () => {
  const hanging = () => {
    const reached = Promise.withResolvers<void>()
    const routes = noteRoutes(async (title) => {
      if (title !== 'hang') return
      reached.resolve()
      await new Promise(() => undefined)
    })
    return { reached: reached.promise, routes }
  }
  const send = async (url: string, key: string, signal?: AbortSignal) =>
    fetch(`${url}/v1/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await accessToken(url, key)}`, 'idempotency-key': 'hangs' },
      body: new URLSearchParams({ title: 'hang', amount: '1' }),
      ...(signal && { signal }),
    })

  it('gets a response at its deadline', async (t) => {
    const { instance, key } = await instanceOnTestDatabase(t, hanging().routes, { requestDeadlineSeconds: 1 })
    const answer = await send(instance.url, key)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'])
  })

  it('does not keep the service from stopping', async (t) => {
    const { reached, routes } = hanging()
    const { instance, key } = await instanceOnTestDatabase(t, routes)
    const hungUp = new AbortController()
    const asking = assert.rejects(send(instance.url, key, hungUp.signal))
    await reached
    hungUp.abort()
    await asking
    await instance.stop()
  })
})

const waiting = { reached: Promise.withResolvers<void>(), released: Promise.withResolvers<void>() }

function noteRoutesThatWait() {
  return noteRoutes(async () => {
    waiting.reached.resolve()
    await waiting.released.promise
  })
}

async function instanceOnTestDatabase(t: TestContext, routes = noteRoutes(), changes: Partial<Config> = {}) {
  const database = await testDatabase()
  await createNotesTable(database.sql)
  const instance = await anotherInstance(t, database.url, routes, changes)
  const { secretKey: key, merchant } = await createMerchant(instance.services, { name: 'Copies' })
  return { instance, database, key, merchant }
}

async function anotherInstance(
  t: TestContext,
  databaseUrl: string,
  routes = noteRoutes(),
  changes: Partial<Config> = {},
) {
  const ports = await freePorts()
  const config = readConfig({
    ...ports,
    DATABASE_URL: databaseUrl,
    VEZNE_SECRET: secret,
    VEZNE_HOME: join(makeHome(t), 'none'),
  })
  const running = await startService({ ...config, ...changes }, silentLog, { web: true, work: true, routes })
  t.after(() => running.stop())
  return { ...running, url: config.apiUrl }
}

it('with DATABASE_URL no embedded server starts and no home is created', async (t) => {
  const { instance, key } = await instanceOnTestDatabase(t)
  assert.equal((await getToken(instance.url, key)).status, 200)
  assert.equal(instance.demo, undefined)
  assert.throws(() => statSync(instance.services.config.home))
})

it('/readyz fails if the schema is too new for this program', async (t) => {
  const { instance, database } = await instanceOnTestDatabase(t)
  const readyz = async () => (await fetch(`${instance.url}/readyz`)).status
  assert.equal(await readyz(), 200)
  await database.sql.run(sql`update schema_state set oldest_program = 9999`)
  while ((await readyz()) !== 503) await systemClock.sleep(50)
  assert.equal((await fetch(`${instance.url}/livez`)).status, 200)
})

it('the jobs run: expired idempotency keys are deleted', async (t) => {
  const database = await testDatabase()
  const old = new Date('2020-01-01')
  await claimKey(database.sql, { merchantId: 1, key: 'ancient', fingerprint: Buffer.from('x') }, old)
  await anotherInstance(t, database.url)
  while ((await countIdempotencyKeys(database.sql, 'ancient')) > 0) await systemClock.sleep(20)
})

it('a token of a revoked key is refused by every instance within five seconds', async (t) => {
  const { instance: one, database, merchant } = await instanceOnTestDatabase(t)
  const two = await anotherInstance(t, database.url)
  const { key, text } = await createKey(one.services, merchant, 'secret', 'doomed')
  const token = await accessToken(two.url, text)
  const statusOn = async (url: string) =>
    (await fetch(`${url}/v1/notes/1`, { headers: { authorization: `Bearer ${token}` } })).status
  assert.notEqual(await statusOn(two.url), 401)
  await revokeKey(one.services, key.id)
  const revokedAt = systemClock.monotonicMs()
  for (const url of [one.url, two.url]) while ((await statusOn(url)) !== 401) await systemClock.sleep(20)
  const tookMs = systemClock.monotonicMs() - revokedAt
  assert.ok(tookMs < 5000, `took ${tookMs} ms`)
  assert.equal((await getToken(two.url, text)).status, 401)
})

it('metrics have their own port: requests by route, connections, failed credentials', async (t) => {
  const { instance, key } = await instanceOnTestDatabase(t)
  await getToken(instance.url, key)
  await getToken(instance.url, 'wrong')
  const text = await (await fetch(`http://localhost:${instance.services.config.metricsPort}/metrics`)).text()
  assert.match(
    text,
    /http_server_request_duration_seconds_count\{app="api",method="POST",route="\/v1\/token\/get-token",status="200"\} 1/,
  )
  assert.match(text, /vezne_failed_credentials_total 1/)
  assert.match(text, /vezne_database_connections\{state="total"\} [1-9]/)
  assert.match(text, /process_resident_memory_bytes/)
  assert.equal((await fetch(`${instance.url}/metrics`)).status, 404)
})

const rounds = 20

describe('kill -9', () => {
  const notesService = (t: TestContext, env: Record<string, string>) =>
    startProcess(t, [node, 'testing/harness/notes-service.ts'], env)

  const post = (url: string, token: string, key: string, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'idempotency-key': key,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })

  const postNote = (url: string, token: string, key: string, title: string) =>
    post(`${url}/v1/notes`, token, key, { title, amount: 1 })

  /**
   * Even keys create a note in a transaction of several queries; odd keys start a payment in a single query.
   */
  const postEither = (url: string, token: string, number: number) =>
    number % 2 === 0
      ? postNote(url, token, `key-${number}`, `note ${number}`)
      : post(`${url}/v1/payment/3ds`, token, `key-${number}`, { amount: number, currency: 'TRY' })

  /** Reads the created record. */
  const readEither = async (url: string, token: string, number: number, answered: string) => {
    const made = JSON.parse(answered)
    const path = number % 2 === 0 ? `notes/${made.id}` : `transaction/${made.data.transaction_id}`
    const answer = await fetch(`${url}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })
    // biome-ignore lint/suspicious/noExplicitAny: a note or a transaction, of which each test knows what it has
    return (await answer.json()) as any
  }

  it('between key and effect leaves neither, and the key can be used again', async (t) => {
    const env = { ...(await freePorts()), VEZNE_HOME: await makeUsedHome(t) }
    const first = notesService(t, env)
    await first.waitForLine('ready')
    const demo = demoOf(env.VEZNE_HOME)
    const token = await accessToken(first.url, demo['SECRET_KEY'])
    const lost = assert.rejects(postNote(first.url, token, 'once', 'hang'))
    await first.waitForLine('hanging')
    assert.equal(await first.end('SIGKILL'), 'SIGKILL')
    await lost
    const second = notesService(t, env)
    await second.waitForLine('ready')
    const answer = await postNote(second.url, token, 'once', 'other body, same key')
    assert.deepEqual([answer.status, answer.headers.get('idempotency-replayed')], [200, null])
    await second.end('SIGKILL')
  })

  it(`${rounds} times in a row under load: each restart is ready, and no confirmed request is lost or doubled`, async (t) => {
    const env = { ...(await freePorts()), VEZNE_HOME: await makeUsedHome(t), RATE_LIMIT_PER_SECOND: '0' }
    const answered = new Map<number, string>()
    let sent = 0
    for (let round = 0; round < rounds; round++) {
      const service = notesService(t, env)
      await service.waitForLine('ready')
      const token = await accessToken(service.url, demoOf(env.VEZNE_HOME)['SECRET_KEY'])
      const enough = Promise.withResolvers<void>()
      let answers = 0
      const client = async () => {
        for (;;) {
          const number = ++sent
          const answer = await postEither(service.url, token, number)
          if (answer.status !== 200) throw new Error(`status ${answer.status}`)
          answered.set(number, await answer.text())
          if (++answers === 40) enough.resolve()
        }
      }
      const clients = Array.from({ length: 8 }, () => client().catch((error: unknown) => String(error)))
      await enough.promise
      assert.equal(await service.end('SIGKILL'), 'SIGKILL')
      for (const reason of await Promise.all(clients)) assert.match(reason, /fetch failed|terminated/)
    }
    assert.ok(answered.size >= 40 * rounds)
    const last = notesService(t, env)
    await last.waitForLine('ready')
    const token = await accessToken(last.url, demoOf(env.VEZNE_HOME)['SECRET_KEY'])
    for (const [number, text] of answered) {
      const again = await postEither(last.url, token, number)
      assert.deepEqual([again.headers.get('idempotency-replayed'), await again.text()], ['true', text])
      const made = await readEither(last.url, token, number, text)
      if (number % 2 === 0) assert.equal(made.title, `note ${number}`)
      else assert.equal(made.amount, number)
    }
    await last.end('SIGKILL')
  })
})
