import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { systemClock } from '../../../kit/runtime/clock.ts'
import { systemRandom } from '../../../kit/security/random.ts'
import { silentLog } from '../../../testing/harness/database.ts'
import {
  dataFolders,
  isServing,
  makeUsedHome,
  queryEmbedded,
  serverPid,
  startEmbeddedHolder,
  startEmbeddedIn,
} from '../../../testing/harness/embedded-home.ts'
import type { EmbeddedPostgres } from './index.ts'
import { startEmbeddedPostgres } from './index.ts'

const [secretMark, plainMark] = ['a card that nobody may find', 'a row that is kept']

/** Rows in logged and unlogged tables: in another schema, under a quoted name, with a foreign key. */
async function fill(connection: EmbeddedPostgres['connection']): Promise<void> {
  await queryEmbedded(
    connection,
    `create schema "Other";
     create unlogged table cards (id int primary key, bytes text);
     create unlogged table "Other"."More ""cards" (id int references cards, bytes text);
     create table kept (bytes text);
     insert into cards values (1, '${secretMark}');
     insert into "Other"."More ""cards" values (1, '${secretMark}');
     insert into kept values ('${plainMark}')`,
  )
}

const rows = (connection: EmbeddedPostgres['connection']) =>
  queryEmbedded(
    connection,
    `select bytes from cards union all select bytes from "Other"."More ""cards" union all select bytes from kept`,
  )

/** True if a file of the database contains these words; the WAL is not searched. */
function isInFiles(home: string, words: string): boolean {
  return dataFolders(home).some((area) => {
    const base = join(area, 'data/base')
    return readdirSync(base, { recursive: true, withFileTypes: true }).some(
      (entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(words),
    )
  })
}

async function assertEmptied(home: string): Promise<void> {
  assert.ok(!existsSync(join(home, 'postgres/data/postmaster.pid')), 'it has stopped')
  assert.deepEqual([isInFiles(home, secretMark), isInFiles(home, plainMark)], [false, true])
  const next = await startEmbeddedIn(home)
  assert.deepEqual(await rows(next.connection), [{ bytes: plainMark }])
  await next.release()
}

test('a service that stops the server empties the unlogged tables and no others', async (t) => {
  const home = await makeUsedHome(t)
  const service = await startEmbeddedIn(home)
  await fill(service.connection)
  await service.release()
  await assertEmptied(home)
})

test('the last visitor does the same if the service was killed', async (t) => {
  const home = await makeUsedHome(t)
  const service = startEmbeddedHolder(t, home, ['service'])
  const { connection } = await service.next()
  assert.ok(connection)
  const visitors = [await startEmbeddedIn(home, 'visitor'), await startEmbeddedIn(home, 'visitor')]
  await fill(connection)
  await service.end('SIGKILL')
  await visitors[0]?.release()
  assert.equal((await rows(connection)).length, 3, 'while somebody uses it, nothing is taken away')
  await visitors[1]?.release()
  await assertEmptied(home)
})

test('a table in use does not keep the server from stopping, and the failure is logged', async (t) => {
  const home = await makeUsedHome(t)
  const lines: string[] = []
  const log = { ...silentLog, error: (_fields: object, text: string) => lines.push(text) }
  const outside = { clock: systemClock, random: systemRandom, log }
  const service = await startEmbeddedPostgres({ home, role: 'service', ...outside })
  await fill(service.connection)
  const reader = new Client(service.connection)
  reader.on('error', () => undefined)
  await reader.connect()
  await reader.query('begin; select from cards')
  const pid = serverPid(home)
  await service.release()
  assert.equal(isServing(home, pid), false)
  assert.deepEqual(
    lines.map((line) => line.includes('truncating the unlogged tables failed')),
    [true],
  )
})
