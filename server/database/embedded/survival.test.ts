import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../../kit/clock.ts'
import {
  areaOf,
  hold,
  isServing,
  makeHome,
  makeUsedHome,
  query,
  remains,
  serverPid,
  start,
} from '../../testing/embedded-home.ts'

test('the server of a killed service is taken over with what was committed', async (t) => {
  const home = await makeUsedHome(t)
  const holder = hold(t, home, ['service'])
  const { connection } = await holder.next()
  assert.ok(connection)
  await query(connection, 'create table kept as select 42 as answer')
  const pid = serverPid(home)
  await holder.end('SIGKILL')
  const next = await start(home)
  assert.equal(serverPid(home), pid)
  assert.deepEqual(next.connection, connection)
  assert.deepEqual(await query(next.connection, 'select * from kept'), [{ answer: 42 }])
  await next.release()
  assert.deepEqual([isServing(home, pid), remains(home)], [false, []])
})

test('a killed server is noticed, and the next start recovers what was committed', async (t) => {
  const home = await makeUsedHome(t)
  const first = await start(home)
  await query(first.connection, 'create table kept as select 42 as answer')
  process.kill(serverPid(home), 'SIGKILL')
  assert.match(await first.ended, /^PostgreSQL ended: .*postgres\.log/)
  const second = await start(home)
  assert.deepEqual(await query(second.connection, 'select * from kept'), [{ answer: 42 }])
  // The one who lost the server has lost the right to stop it.
  await first.release()
  assert.deepEqual(await query(second.connection, 'select * from kept'), [{ answer: 42 }])
  await second.release()
  assert.deepEqual(remains(home), [])
})

test('a server that is just shutting down is waited for and started again', async (t) => {
  const home = await makeUsedHome(t)
  const first = await start(home, 'visitor')
  const pid = serverPid(home)
  process.kill(pid, 'SIGINT')
  const second = await start(home)
  assert.notEqual(serverPid(home), pid)
  await first.release()
  assert.deepEqual(await query(second.connection, 'select 1 as alive'), [{ alive: 1 }])
  await second.release()
})

test('the release of a killed server clears its files away', async (t) => {
  const home = await makeUsedHome(t)
  const service = await start(home)
  process.kill(serverPid(home), 'SIGKILL')
  await service.ended
  await service.release()
  assert.deepEqual([serverPid(home), remains(home)], [0, []])
})

test('a server that restarts itself after a crash inside is still stopped by the one who used it', async (t) => {
  const home = await makeUsedHome(t)
  const service = await start(home)
  const pid = serverPid(home)
  const [session] = await query(
    service.connection,
    `select pid from pg_stat_activity where application_name = 'vezne lock'`,
  )
  process.kill(Number(session?.['pid']), 'SIGKILL')
  await service.ended
  assert.equal(isServing(home, pid), true)
  await service.release()
  assert.deepEqual([isServing(home, pid), remains(home)], [false, []])
})

test('a note of a dead server does not confuse when its number belongs to another program', async (t) => {
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
  const service = await start(home)
  assert.notEqual(serverPid(home), stranger.pid)
  await service.release()
  assert.equal(stranger.exitCode ?? stranger.signalCode, null)
})

test('a server that died before it wrote its note does not keep the next from starting', async (t) => {
  const home = await makeUsedHome(t)
  writeFileSync(join(home, 'postgres/data/postmaster.pid'), '')
  await (await start(home)).release()
  assert.deepEqual([serverPid(home), remains(home)], [0, []])
})

test('a home copied while in use gets a server of its own', async (t) => {
  const [home, copy] = [await makeUsedHome(t), makeHome(t)]
  const original = await start(home)
  await query(original.connection, 'checkpoint')
  execFileSync('cp', ['-a', `${home}/.`, copy])
  const copied = await start(copy)
  assert.notEqual(copied.connection.host, original.connection.host)
  await copied.release()
  assert.deepEqual(await query(original.connection, 'select 1 as alive'), [{ alive: 1 }])
  await original.release()
})

test('a start killed while it makes its data is made up for by the next, and its traces go', async (t) => {
  const home = makeHome(t)
  const holder = hold(t, home, ['service'])
  const unfinished = () =>
    areaOf(home).flatMap((area) => readdirSync(area).filter((name) => name.startsWith('new-')))
  while (unfinished().length === 0) await systemClock.sleep(5)
  const [traces] = unfinished()
  await holder.end('SIGKILL')
  const service = await start(home)
  assert.deepEqual(await query(service.connection, 'select 1 as alive'), [{ alive: 1 }])
  await service.release()
  // Its initdb may have outlived it; once that has ended, a start finds and removes all of it.
  while (remains(home).length > 0) await (await start(home)).release()
  assert.ok(traces)
})

test('data of another PostgreSQL is left alone', async (t) => {
  const home = await makeUsedHome(t)
  writeFileSync(join(home, 'postgres/data/PG_VERSION'), '12\n')
  await assert.rejects(start(home), /made by PostgreSQL 12, and this is PostgreSQL 18/)
})

test('a server that cannot start says why', async (t) => {
  const home = await makeUsedHome(t)
  const settings = join(home, 'postgres/data/postgresql.conf')
  writeFileSync(settings, `${readFileSync(settings, 'utf8')}\nmax_connections = many\n`)
  await assert.rejects(start(home), /did not start[\s\S]*postgres\.log[\s\S]*max_connections/)
  assert.deepEqual(remains(home), [])
})
