import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import {
  isServing,
  leftoverFiles,
  makeHome,
  makeUsedHome,
  queryEmbedded,
  serverPid,
  startEmbeddedHolder,
  startEmbeddedIn,
} from '../../../testing/harness/embedded-home.ts'
import { HomeInUse } from './index.ts'

test('a new home gets a database, and releasing it leaves only data', async (t) => {
  const home = makeHome(t)
  const first = await startEmbeddedIn(home)
  const [settings] = await queryEmbedded(
    first.connection,
    `select current_user as role, current_setting('server_encoding') as encoding, datlocprovider as provider,
            datlocale as locale, current_setting('timezone') as timezone, current_setting('listen_addresses') as network,
            current_setting('fsync') || current_setting('full_page_writes') || current_setting('synchronous_commit') as durable
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual(settings, {
    ...{ role: 'vezne', encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8', timezone: 'UTC' },
    ...{ network: '', durable: 'ononon' },
  })
  await queryEmbedded(first.connection, 'create table kept as select 42 as answer')
  const pid = serverPid(home)
  await Promise.all([first.release(), first.release()])
  assert.equal(isServing(home, pid), false)
  assert.equal(serverPid(home), 0)
  assert.deepEqual(leftoverFiles(home), [])

  const second = await startEmbeddedIn(home)
  assert.deepEqual(await queryEmbedded(second.connection, 'select * from kept'), [{ answer: 42 }])
  await second.release()
})

test('a second service on a home is refused and the first goes on', async (t) => {
  const home = await makeUsedHome(t)
  const first = await startEmbeddedIn(home)
  await assert.rejects(
    startEmbeddedIn(home),
    (error) => error instanceof HomeInUse && error.message.includes(home),
  )
  assert.deepEqual(await queryEmbedded(first.connection, 'select 1 as alive'), [{ alive: 1 }])
  await first.release()
  assert.deepEqual(leftoverFiles(home), [])
})

test('a visitor beside a service leaves the server running', async (t) => {
  const home = await makeUsedHome(t)
  const service = await startEmbeddedIn(home)
  const visitor = await startEmbeddedIn(home, 'visitor')
  assert.deepEqual(visitor.connection, service.connection)
  await visitor.release()
  assert.deepEqual(await queryEmbedded(service.connection, 'select 1 as alive'), [{ alive: 1 }])

  const another = await startEmbeddedIn(home, 'visitor')
  await service.release()
  assert.match(await another.databaseEnded, /^PostgreSQL ended: /)
  await another.release()
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})

test('the last of several visitors stops the server', async (t) => {
  const home = makeHome(t)
  const visitors = await Promise.all([
    startEmbeddedIn(home, 'visitor'),
    startEmbeddedIn(home, 'visitor'),
    startEmbeddedIn(home, 'visitor'),
  ])
  const pid = serverPid(home)
  await visitors[0]?.release()
  await visitors[1]?.release()
  assert.equal(isServing(home, pid), true)
  await visitors[2]?.release()
  assert.equal(isServing(home, pid), false)
  assert.deepEqual(leftoverFiles(home), [])
})

test('simultaneous starts and releases serve every caller and leave nothing behind', async (t) => {
  const home = await makeUsedHome(t)
  const visit = async () => {
    const visitor = await startEmbeddedIn(home, 'visitor')
    assert.deepEqual(await queryEmbedded(visitor.connection, 'select 1 as alive'), [{ alive: 1 }])
    await visitor.release()
  }
  for (let round = 0; round < 5; round++) await Promise.all([visit(), visit(), visit().then(visit)])
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})

test('if two services start on a new home, one succeeds and the other is refused', async (t) => {
  const home = makeHome(t)
  const racers = [startEmbeddedHolder(t, home, ['service']), startEmbeddedHolder(t, home, ['service'])]
  const outputs = await Promise.all(racers.map((racer) => racer.next()))
  assert.deepEqual(outputs.map((line) => line.refused).sort(), ['HomeInUse', undefined])
  const winner = outputs.findIndex((line) => line.connection)
  const { connection } = outputs[winner] ?? {}
  assert.ok(connection)
  assert.deepEqual(await queryEmbedded(connection, 'select 1 as alive'), [{ alive: 1 }])
  await racers[winner]?.end('SIGTERM')
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})

test('the lock neither keeps a process from exiting nor blocks the next one', async (t) => {
  const home = await makeUsedHome(t)
  const holder = startEmbeddedHolder(t, home, ['visitor', 'leave'])
  assert.ok((await holder.next()).connection)
  if (holder.child.exitCode === null) await once(holder.child, 'exit')
  const pid = serverPid(home)
  assert.equal(isServing(home, pid), true)
  const service = await startEmbeddedIn(home)
  assert.equal(serverPid(home), pid)
  await service.release()
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])
})
