import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../../kit/runtime/clock.ts'
import {
  dataFolders,
  isServing,
  leftoverFiles,
  makeHome,
  makeUsedHome,
  queryEmbedded,
  serverPid,
  startEmbeddedHolder,
  startEmbeddedIn,
} from '../../../testing/harness/embedded-home.ts'

test('the server of a killed service is taken over with all committed data', async (t) => {
  const home = await makeUsedHome(t)
  const holder = startEmbeddedHolder(t, home, ['service'])
  const { connection } = await holder.next()
  assert.ok(connection)
  await queryEmbedded(connection, 'create table kept as select 42 as answer')
  const pid = serverPid(home)
  await holder.end('SIGKILL')
  const next = await startEmbeddedIn(home)
  assert.equal(serverPid(home), pid)
  assert.deepEqual(next.connection, connection)
  assert.deepEqual(await queryEmbedded(next.connection, 'select * from kept'), [{ answer: 42 }])
  await next.release()
  assert.deepEqual([isServing(home, pid), leftoverFiles(home)], [false, []])
})

test('a killed server is noticed, and the next start recovers all committed data', async (t) => {
  const home = await makeUsedHome(t)
  const first = await startEmbeddedIn(home)
  await queryEmbedded(first.connection, 'create table kept as select 42 as answer')
  process.kill(serverPid(home), 'SIGKILL')
  assert.match(await first.databaseEnded, /^PostgreSQL ended: .*postgres\.log/)
  const second = await startEmbeddedIn(home)
  assert.deepEqual(await queryEmbedded(second.connection, 'select * from kept'), [{ answer: 42 }])
  // A process that lost the server has lost the right to stop it.
  await first.release()
  assert.deepEqual(await queryEmbedded(second.connection, 'select * from kept'), [{ answer: 42 }])
  await second.release()
  assert.deepEqual(leftoverFiles(home), [])
})

test('a server that is shutting down is waited for and started again', async (t) => {
  const home = await makeUsedHome(t)
  const first = await startEmbeddedIn(home, 'visitor')
  const pid = serverPid(home)
  process.kill(pid, 'SIGINT')
  const second = await startEmbeddedIn(home)
  assert.notEqual(serverPid(home), pid)
  await first.release()
  assert.deepEqual(await queryEmbedded(second.connection, 'select 1 as alive'), [{ alive: 1 }])
  await second.release()
})

test('releasing a killed server removes its files', async (t) => {
  const home = await makeUsedHome(t)
  const service = await startEmbeddedIn(home)
  process.kill(serverPid(home), 'SIGKILL')
  await service.databaseEnded
  await service.release()
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})

test('a server that restarts itself after a crash is still stopped by its user', async (t) => {
  const home = await makeUsedHome(t)
  const service = await startEmbeddedIn(home)
  const pid = serverPid(home)
  const [session] = await queryEmbedded(
    service.connection,
    `select pid from pg_stat_activity where application_name = 'vezne lock'`,
  )
  process.kill(Number(session?.['pid']), 'SIGKILL')
  await service.databaseEnded
  assert.equal(isServing(home, pid), true)
  await service.release()
  assert.deepEqual([isServing(home, pid), leftoverFiles(home)], [false, []])
})

test('a dead server’s PID file is ignored if its PID belongs to another program', async (t) => {
  const home = await makeUsedHome(t)
  const data = join(home, 'postgres/data')
  const { uid, gid } = statSync(data)
  const stranger = spawn('/bin/sleep', ['600'], { uid, gid, stdio: 'ignore' })
  t.after(() => stranger.kill())
  const note = [
    stranger.pid,
    data,
    1_700_000_000,
    5432,
    join(home, 'postgres/socket-1-dead'),
    '',
    '  1 2',
    'ready   ',
    '',
  ]
  writeFileSync(join(data, 'postmaster.pid'), note.join('\n'))
  const service = await startEmbeddedIn(home)
  assert.notEqual(serverPid(home), stranger.pid)
  await service.release()
  assert.equal(stranger.exitCode ?? stranger.signalCode, null)
})

test('a server that died before it wrote its PID file does not block the next one', async (t) => {
  const home = await makeUsedHome(t)
  writeFileSync(join(home, 'postgres/data/postmaster.pid'), '')
  await (await startEmbeddedIn(home)).release()
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})

test('a home copied while in use gets its own server', async (t) => {
  const [home, copy] = [await makeUsedHome(t), makeHome(t)]
  const original = await startEmbeddedIn(home)
  await queryEmbedded(original.connection, 'checkpoint')
  execFileSync('cp', ['-a', `${home}/.`, copy])
  const copied = await startEmbeddedIn(copy)
  assert.notEqual(copied.connection.host, original.connection.host)
  await copied.release()
  assert.deepEqual(await queryEmbedded(original.connection, 'select 1 as alive'), [{ alive: 1 }])
  await original.release()
})

test('the next start completes a start killed while creating its data, and removes the leftovers', async (t) => {
  const home = makeHome(t)
  const holder = startEmbeddedHolder(t, home, ['service'])
  const unfinished = () =>
    dataFolders(home).flatMap((area) => readdirSync(area).filter((name) => name.startsWith('new-')))
  while (unfinished().length === 0) await systemClock.sleep(5)
  const [traces] = unfinished()
  await holder.end('SIGKILL')
  const service = await startEmbeddedIn(home)
  assert.deepEqual(await queryEmbedded(service.connection, 'select 1 as alive'), [{ alive: 1 }])
  await service.release()
  // Its initdb may have outlived it; once that has ended, a start removes all leftovers.
  while (leftoverFiles(home).length > 0) await (await startEmbeddedIn(home)).release()
  assert.ok(traces)
})

test('data of another PostgreSQL version is left unchanged', async (t) => {
  const home = await makeUsedHome(t)
  writeFileSync(join(home, 'postgres/data/PG_VERSION'), '12\n')
  await assert.rejects(startEmbeddedIn(home), /created by PostgreSQL 12, but this is PostgreSQL 18/)
})

test('a server that cannot start reports why', async (t) => {
  const home = await makeUsedHome(t)
  const settings = join(home, 'postgres/data/postgresql.conf')
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\nmax_connections = many\n`)
  await assert.rejects(startEmbeddedIn(home), /did not start[\s\S]*postgres\.log[\s\S]*max_connections/)
  assert.deepEqual(leftoverFiles(home), [])
})
