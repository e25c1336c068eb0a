import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import {
  dataFolders,
  isServing,
  leftoverFiles,
  makeHome,
  makeUsedHome,
  serverPid,
} from '../../testing/harness/embedded-home.ts'
import { externalPostgres, pauseRecovery } from '../../testing/harness/external-postgres.ts'
import { freePorts, startProcess } from '../../testing/harness/process.ts'

const node = process.execPath
const secret = 'a secret for tests, long enough for it'
const waits = 'waiting for the database'

const dataOf = (home: string) => ({ data: realpathSync(join(dataFolders(home)[0] ?? home, 'data')) })

/** A PostgreSQL that was killed with SIGKILL, and the settings to reach it. */
async function killedServer(t: TestContext) {
  const home = await makeUsedHome(t)
  const server = await externalPostgres(t, home)
  server.launch()
  await server.answers('00000')
  const none = join(makeHome(t), 'none')
  const settings = { DATABASE_URL: server.url, VEZNE_SECRET: secret, VEZNE_HOME: none }
  const run = async (name: string, env: Record<string, string> = {}) =>
    startProcess(t, [node, 'server/main.ts', ...name.split(' ')], {
      ...(await freePorts()),
      ...settings,
      ...env,
    })
  assert.equal(await (await run('migrate')).ended, 0)
  await server.kill()
  return { server, run, letGo: pauseRecovery(dataOf(home)) }
}

describe('while an external PostgreSQL recovers from a kill -9,', () => {
  it('every program and command waits, reports it, and continues when the database is up', async (t) => {
    const { server, run, letGo } = await killedServer(t)
    const names = ['start', 'serve', 'work', 'sandbox', 'migrate', 'merchant list']
    const all = await Promise.all(names.map(async (name) => ({ name, program: await run(name) })))
    for (const { program } of all) await program.waitForLine(waits)
    server.launch()
    await server.answers('57P03')
    const late = await run('key list 10000000000001')
    assert.match(
      await late.waitForLine(waits),
      /the database system is (starting up|not accepting connections)/,
    )
    for (const { name, program } of all) assert.equal(program.child.exitCode, null, name)
    letGo()
    const output: Record<string, string> = {
      migrate: 'The database has schema level',
      sandbox: 'the sandbox is ready',
      'merchant list': 'There is no merchant yet',
    }
    for (const { name, program } of all) await program.waitForLine(output[name] ?? '"msg":"ready"')
    assert.equal(await late.ended, 2, late.output())
    for (const { name, program } of all) {
      const isShort = ['migrate', 'merchant list'].includes(name)
      assert.equal(await (isShort ? program.ended : program.end('SIGINT')), 0, name)
    }
  })

  it('a signal ends the wait immediately: programs exit with 0, commands by the signal', async (t) => {
    const { server, run } = await killedServer(t)
    server.launch()
    await server.answers('57P03')
    for (const [name, signal, outcome] of [
      ['start', 'SIGTERM', 0],
      ['work', 'SIGINT', 0],
      ['sandbox', 'SIGTERM', 0],
      ['merchant list', 'SIGINT', 'SIGINT'],
    ] as const) {
      const program = await run(name)
      await program.waitForLine(waits)
      const signalledAtMs = systemClock.monotonicMs()
      assert.equal(await program.end(signal), outcome, `${name}\n${program.output()}`)
      assert.ok(systemClock.monotonicMs() - signalledAtMs < 10_000, `${name} took its time`)
    }
  })

  it('a program at its limit reports the reason and the time it waited, and exits with 1', async (t) => {
    const { server, run } = await killedServer(t)
    const sentence = (words: string) =>
      new RegExp(`^The database cannot be reached: ${words}\\. Check DATABASE_URL\\.$`, 'm')
    server.launch()
    await server.answers('57P03')
    for (const name of ['start', 'sandbox', 'merchant list']) {
      const brief = await run(name, { DATABASE_WAIT_SECONDS: '1' })
      assert.equal(await brief.ended, 1)
      assert.match(
        brief.output(),
        sentence('the database system is .*, even after 1 s \\(DATABASE_WAIT_SECONDS\\)'),
      )
      const none = await run(name, { DATABASE_WAIT_SECONDS: '0' })
      assert.equal(await none.ended, 1)
      assert.match(none.output(), sentence('the database system is [^,]*'))
      assert.ok(!none.output().includes(waits))
    }
  })
})

describe('while the embedded PostgreSQL recovers,', () => {
  it('a start waits and reports it; a signal ends it with 0 and stops the server; the next start completes', async (t) => {
    const home = await makeUsedHome(t)
    const letGo = pauseRecovery(dataOf(home))
    const start = async () =>
      startProcess(t, [node, 'server/main.ts', 'start'], { ...(await freePorts()), VEZNE_HOME: home })
    const first = await start()
    assert.match(await first.waitForLine(waits), /PostgreSQL starts, or recovers/)
    const pid = serverPid(home)
    assert.ok(isServing(home, pid))
    assert.equal(await first.end('SIGTERM'), 0, first.output())
    assert.deepEqual([isServing(home, pid), leftoverFiles(home)], [false, []])
    const second = await start()
    await second.waitForLine(waits)
    letGo()
    await second.waitForLine('"msg":"ready"')
    assert.equal(await second.end('SIGINT'), 0)
    assert.deepEqual([isServing(home, serverPid(home)), leftoverFiles(home)], [false, []])
  })

  it('a program at its limit reports it and leaves the server to recover', async (t) => {
    const home = await makeUsedHome(t)
    const letGo = pauseRecovery(dataOf(home))
    const env = { VEZNE_HOME: home, DATABASE_WAIT_SECONDS: '0' }
    const list = () => startProcess(t, [node, 'server/main.ts', 'merchant', 'list'], env)
    const brief = list()
    assert.equal(await brief.ended, 1)
    assert.match(
      brief.output(),
      /^PostgreSQL was not ready in time\. It continues in the background: start again later/m,
    )
    assert.ok(isServing(home, serverPid(home)))
    letGo()
    const next = list()
    assert.equal(await next.ended, 0, next.output())
  })
})
