import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import {
  leftoverFiles,
  makeHome,
  queryEmbedded,
  serverPid,
  startEmbeddedHolder,
  startEmbeddedIn,
} from '../../../testing/harness/embedded-home.ts'
import { canEnterFolder, osAccountForRoot } from './os-account.ts'

const asRoot = process.geteuid?.() === 0 ? {} : { skip: 'only root lends PostgreSQL an account' }

test('root uses the first existing account of vezne, postgres and nobody, but never one that is root itself', () => {
  const nobody = 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\n'
  assert.deepEqual(osAccountForRoot(nobody), { name: 'nobody', uid: 65534, gid: 65533 })
  assert.equal(osAccountForRoot(`${nobody}postgres:x:101:104::/:/bin/sh\n`).name, 'postgres')
  assert.equal(osAccountForRoot(`${nobody}vezne:x:0:0::/:/bin/sh\n`).name, 'nobody')
  assert.throws(() => osAccountForRoot('root:x:0:0::/root:/bin/sh\n'), /DATABASE_URL/)
})

test('under root the account can enter the home but not list it, and owns the data', asRoot, async (t) => {
  const home = makeHome(t)
  await (await startEmbeddedIn(home)).release()
  assert.equal(statSync(home).mode & 0o777, 0o711)
  assert.equal(statSync(join(home, 'postgres.log')).mode & 0o777, 0o600)
  const { uid, mode } = statSync(join(home, 'postgres/data'))
  assert.notEqual(uid, 0)
  assert.equal(mode & 0o777, 0o700)
})

test('under root a home in a closed folder keeps its data elsewhere and links to it', asRoot, async (t) => {
  const closed = mkdtempSync(join(tmpdir(), 'vezne-closed-'))
  t.after(() => rmSync(closed, { recursive: true }))
  const home = makeHome(t, closed)
  const holder = startEmbeddedHolder(t, home, ['service'])
  const { connection, message } = await holder.next()
  assert.ok(connection, message ?? '')
  await queryEmbedded(connection, 'create table kept as select 42 as answer')
  await holder.end('SIGTERM')
  assert.equal(lstatSync(join(home, 'postgres')).isSymbolicLink(), true)
  assert.match(readFileSync(join(home, 'postgres/home.txt'), 'utf8'), new RegExp(home))
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])

  const service = await startEmbeddedIn(home)
  assert.deepEqual(await queryEmbedded(service.connection, 'select * from kept'), [{ answer: 42 }])
  await service.release()

  rmSync(realpathSync(join(home, 'postgres')), { recursive: true })
  await assert.rejects(startEmbeddedIn(home), /links to .*, which does not exist/)
})

test('an ordinary user keeps everything in the home', asRoot, async (t) => {
  const nobody = osAccountForRoot('nobody:x:65534:65534')
  if (!(await canEnterFolder(nobody, import.meta.dirname))) return t.skip('nobody cannot read this program')
  const home = makeHome(t)
  chownSync(home, nobody.uid, nobody.gid)
  const holder = startEmbeddedHolder(t, home, ['service'], { uid: nobody.uid, gid: nobody.gid })
  const { connection, message } = await holder.next()
  assert.ok(connection, message ?? '')
  assert.equal(statSync(join(home, 'postgres/data')).uid, nobody.uid)
  assert.equal(statSync(home).mode & 0o777, 0o700)
  await holder.end('SIGTERM')
  assert.deepEqual([serverPid(home), leftoverFiles(home)], [0, []])

  // Root starts later: the owner of the data decides the account.
  const service = await startEmbeddedIn(home)
  assert.equal(statSync(join(home, 'postgres/data/postmaster.pid')).uid, nobody.uid)
  await service.release()
})

test('an ordinary user is told that the data belongs to another user', asRoot, async (t) => {
  const nobody = osAccountForRoot('nobody:x:65534:65534')
  if (!(await canEnterFolder(nobody, import.meta.dirname))) return t.skip('nobody cannot read this program')
  const home = makeHome(t)
  chmodSync(home, 0o755)
  mkdirSync(join(home, 'postgres/data'), { recursive: true })
  const { message } = await startEmbeddedHolder(t, home, ['service'], {
    uid: nobody.uid,
    gid: nobody.gid,
  }).next()
  assert.match(message ?? '', /belongs to user id 0, but Vezne runs as user id 65534/)
})

test('a home whose path is too long for a socket uses the temporary folder until it is released', async (t) => {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'vezne-deep-'))
  t.after(() => rmSync(top, { recursive: true }))
  chmodSync(top, 0o755)
  const deep = join(top, 'a name, with "all" sorts of things'.repeat(4))
  mkdirSync(deep)
  const home = makeHome(t, deep)
  const { connection, release } = await startEmbeddedIn(home)
  assert.notEqual(dirname(connection.host), join(home, 'postgres'))
  assert.equal(statSync(connection.host).mode & 0o777, 0o700)
  assert.deepEqual(await queryEmbedded(connection, 'select 1 as alive'), [{ alive: 1 }])
  process.kill(serverPid(home), 'SIGKILL')
  const again = await startEmbeddedIn(home)
  assert.equal(existsSync(connection.host), false)
  await again.release()
  await release()
  assert.equal(existsSync(again.connection.host), false)
})

test('a home whose name needs quoting works', async (t) => {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'v '))
  t.after(() => rmSync(top, { recursive: true }))
  chmodSync(top, 0o755)
  const strange = join(top, `a, "b" 'c' $d`)
  mkdirSync(strange)
  const service = await startEmbeddedIn(makeHome(t, strange))
  assert.deepEqual(await queryEmbedded(service.connection, 'select 1 as alive'), [{ alive: 1 }])
  await service.release()
})
