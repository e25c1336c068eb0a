import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { systemClock } from '../kit/runtime/clock.ts'
import { sql } from '../kit/runtime/sql.ts'
import { cavvFor } from '../sandbox/index.ts'
import { TestClock } from '../testing/harness/clock.ts'
import { testDatabase } from '../testing/harness/database.ts'
import { isServing, makeHome, makeUsedHome, serverPid } from '../testing/harness/embedded-home.ts'
import { freePorts, startProcess } from '../testing/harness/process.ts'
import { testRequestor } from '../testing/three-ds/requestor.ts'
import { serviceGoneTooLong } from './sandbox-process.ts'

const start = [process.execPath, 'server/main.ts', 'start']

interface Note {
  pid: number
  nonce: string
}

const noteOf = (home: string): Note => JSON.parse(readFileSync(join(home, 'sandbox.json'), 'utf8'))

async function stage(t: TestContext) {
  const home = await makeUsedHome(t)
  const env = { ...(await freePorts()), VEZNE_HOME: home, LOG_LEVEL: 'info' }
  const url = `http://127.0.0.1:${env.SANDBOX_PORT}`
  const run = async () => {
    const service = startProcess(t, start, env)
    await service.waitForLine('"msg":"ready"')
    return service
  }
  return { home, env, url, run }
}

async function nonceAt(url: string): Promise<string | undefined> {
  const answer = await fetch(`${url}/livez`).catch(() => undefined)
  return answer && ((await answer.json()) as Note).nonce
}

async function ask(url: string, operation: string, body: object): Promise<Record<string, unknown>> {
  const authorization = `Basic ${Buffer.from('7:a password of a terminal').toString('base64')}`
  const answer = await fetch(`${url}/acquirer/${operation}`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as Record<string, unknown>
}

const sale = {
  reference: 'kept',
  amount: 1000,
  currency: 'TRY',
  installments: 1,
  card: { number: '5400360000000003', cvc: '123', expiry_month: 12, expiry_year: 2099 },
  authentication: { eci: '05', cavv: cavvFor({ amount: 1000, currency: 'TRY' }, Buffer.alloc(8)) },
}

/** True if the process runs. A zombie counts as ended. */
function isRunning(pid: number): boolean {
  try {
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(20)
}

/** Leaves a PID file that names an unrelated process. Returns a check that this process still runs. */
async function leaveNoteOfAStranger(t: TestContext, home: string, word: string): Promise<() => boolean> {
  const innocent = spawn('sleep', ['600'])
  t.after(() => innocent.kill('SIGKILL'))
  const talker = createServer((_request, response) => response.end(word)).listen(0, '127.0.0.1')
  t.after(() => talker.close())
  await once(talker, 'listening')
  const address = talker.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const note = { home: realpathSync(home), pid: innocent.pid, port, nonce: 'yours' }
  writeFileSync(join(home, 'sandbox.json'), JSON.stringify(note))
  return () => isRunning(innocent.pid ?? 0)
}

it('the sandbox outlives a killed service; the next start replaces it, keeps its charges, and stops no unrelated process', async (t) => {
  const { home, url, run } = await stage(t)
  const isLeftAlone = await leaveNoteOfAStranger(t, home, '{"nonce":"mine"}')
  const first = await run()
  assert.ok(isLeftAlone())
  const orphan = noteOf(home)
  assert.equal((await ask(url, 'sale', sale))['code'], '00')
  assert.equal(await first.end('SIGKILL'), 'SIGKILL')
  assert.equal((await ask(url, 'status', { reference: 'kept' }))['state'], 'taken')
  assert.equal(await nonceAt(url), orphan.nonce)

  const second = await run()
  const heir = noteOf(home)
  assert.notEqual(heir.nonce, orphan.nonce)
  assert.equal(await nonceAt(url), heir.nonce)
  await until(() => !isRunning(orphan.pid))
  assert.equal((await ask(url, 'status', { reference: 'kept' }))['state'], 'taken')
  assert.equal(await second.end('SIGINT'), 0)
  assert.deepEqual([isRunning(heir.pid), existsSync(join(home, 'sandbox.json'))], [false, false])
  assert.ok(!isServing(home, serverPid(home)))
  assert.ok(isLeftAlone())
})

it('/readyz waits for the sandbox, a sandbox that exits is restarted, and an unrelated process in a PID file is not stopped', async (t) => {
  const { home, env, url } = await stage(t)
  const isLeftAlone = await leaveNoteOfAStranger(t, home, 'null')
  const service = startProcess(t, start, env)
  const readyz = async () => (await fetch(`${service.url}/readyz`).catch(() => undefined))?.status
  while ((await readyz()) !== 200) await systemClock.sleep(2)
  assert.notEqual(await nonceAt(url), undefined)
  const { pid, nonce } = noteOf(home)
  process.kill(pid, 'SIGKILL')
  await service.waitForLine('the sandbox exited by itself; restarting it')
  await until(async () => ![undefined, nonce].includes(await nonceAt(url)))
  assert.equal(await service.end('SIGINT'), 0)
  assert.ok(isLeftAlone())
})

it('a taken port is reported with its setting, and nothing is left running', async (t) => {
  const { home, env } = await stage(t)
  const stranger = createServer().listen(Number(env.SANDBOX_PORT), '127.0.0.1')
  t.after(() => stranger.close())
  await once(stranger, 'listening')
  const service = startProcess(t, start, env)
  assert.equal(await service.ended, 1)
  assert.match(
    service.output(),
    /Port \d+ is in use by another program\. To use another port, set SANDBOX_PORT\./,
  )
  assert.ok(!isServing(home, serverPid(home)))
})

it('a second sandbox on a port reports the first and creates nothing', async (t) => {
  const ports = await freePorts()
  const talker = createServer((_request, response) => response.end('{"status":"alive","nonce":"first"}'))
  talker.listen(Number(ports.SANDBOX_PORT), '127.0.0.1')
  t.after(() => talker.close())
  await once(talker, 'listening')
  const env = { ...ports, VEZNE_HOME: join(makeHome(t), 'none') }
  const second = startProcess(t, [process.execPath, 'server/main.ts', 'sandbox'], env)
  assert.equal(await second.ended, 1)
  assert.match(second.output(), /A sandbox already runs on port \d+, perhaps the sandbox of vezne start\./)
  assert.ok(!existsSync(env.VEZNE_HOME))
})

it('with DATABASE_URL the sandbox runs on its own, ends expired challenges, and exits with 0 on SIGTERM', async (t) => {
  const { url: DATABASE_URL, sql: database } = await testDatabase()
  const ports = await freePorts()
  const settings = { DATABASE_URL, VEZNE_SECRET: 'a secret for tests, long enough for it' }
  const env = { ...ports, ...settings, VEZNE_HOME: join(makeHome(t), 'none') }
  const sandbox = startProcess(t, [process.execPath, 'server/main.ts', 'sandbox'], env)
  await sandbox.waitForLine('the sandbox is ready')
  for (const host of ['127.0.0.1', '[::1]']) {
    assert.equal(
      (await ask(`http://${host}:${ports.SANDBOX_PORT}`, 'status', { reference: 'a' }))['result'],
      'not_found',
    )
  }
  const { send, request, results } = await testRequestor({
    address: `http://127.0.0.1:${ports.SANDBOX_PORT}`,
  })
  const { acsTransID } = await send(request('4000000000002503'))
  await database.run(sql`update sandbox.authentications set deadline_at = asked_at`)
  await until(() => results.length > 0)
  const [{ challengeCancel, acsTransID: ended } = {}] = results
  assert.deepEqual([challengeCancel, ended], ['05', acsTransID])
  assert.equal(await sandbox.end('SIGTERM'), 0)
  assert.ok(!existsSync(env.VEZNE_HOME))
})

it('a sandbox whose service does not come back ends after ten minutes', async () => {
  const clock = new TestClock()
  const left = Promise.withResolvers<void>()
  let ended: string | undefined
  const waiting = serviceGoneTooLong(left.promise, clock).then((reason) => {
    ended = reason
  })
  clock.advance(3_600_000)
  left.resolve()
  await left.promise
  await Promise.resolve()
  clock.advance(599_999)
  await Promise.resolve()
  assert.equal(ended, undefined)
  clock.advance(1)
  await waiting
  assert.equal(ended, 'the service did not come back')
})
