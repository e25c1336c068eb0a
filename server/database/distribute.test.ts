import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { emptyDatabase, silentLog, testDatabase } from '../../testing/harness/database.ts'
import { onCitusOnly, onOneServerOnly, testServerUrls } from '../../testing/harness/environment.ts'
import { ask, connectNodes, urlOfDatabase } from '../../testing/harness/servers.ts'
import { longIt } from '../../testing/harness/tier.ts'
import { NotDistributable } from './citus.ts'
import { distribute } from './distribute.ts'
import type { Migration } from './migrate.ts'
import { migrate, programSchemaLevel, readMigrations } from './migrate.ts'
import { openDatabase } from './pool.ts'
import { tableKinds } from './table-kinds.ts'

const usual = { shards: 4, role: undefined }

describe('distributing a database', () => {
  it('is refused with a sentence if it has no Citus, and changes nothing', async () => {
    const { sql: database } = await emptyDatabase()
    await migrate(database, silentLog)
    await assert.rejects(distribute(database, usual), (error: Error) => {
      assert.ok(error instanceof NotDistributable)
      assert.match(error.message, /^This database has no Citus, .*create extension citus/)
      return true
    })
    await database.one(sql`select count(*) from payments`)
  })

  it(
    'is refused on a worker, without workers, and before the schema is migrated',
    onCitusOnly(),
    async () => {
      const { sql: database, urls } = await emptyCitus()
      await assert.rejects(distribute(database, usual), /Run this first: vezne migrate/)
      await ask(urls[0] ?? '', [
        "select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) from pg_dist_node",
      ])
      await assert.rejects(distribute(database, usual), /Citus has no node that may hold shards/)
      const worker = openDatabase({ url: urls[1] ?? '' }, 1, silentLog)
      await assert.rejects(distribute(worker.sql, usual), /DATABASE_URL names a worker/)
      await worker.close()
    },
  )

  it('keeps every row, and every table as its migration says', onCitusOnly(), async () => {
    const { sql: database, urls } = await emptyCitus()
    await migrate(database, silentLog)
    await database.run(sql`insert into idempotency_keys (merchant_id, key, fingerprint, answer, stored_at)
      select m, 'k', '\\x00', '', '2026-01-01' from generate_series(1, 20) m`)
    const done = await distribute(database, usual)
    assert.deepEqual([done.workers, done.shards], [testServerUrls().length - 1, 4])
    const { count } = await database.one<{ count: number }>(sql`select count(*) from idempotency_keys`)
    assert.equal(count, 20)
    const kinds = await database.many<{ name: string; kind: string }>(
      sql`select c.relname as name, case p.partmethod when 'h' then 'distributed' else 'reference' end as kind
        from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`,
    )
    const stated = tableKinds(readMigrations()).filter(([, kind]) => kind !== 'local')
    assert.deepEqual(
      Object.fromEntries(kinds.map(({ name, kind }) => [name, kind])),
      Object.fromEntries(stated),
    )
    const [worker] = await ask<{ lock_timeout: string }>(urls[1] ?? '', ['show lock_timeout'])
    assert.equal(worker?.lock_timeout, '5s')
  })

  it('can be run again, and then changes nothing', onCitusOnly(), async () => {
    const { sql: database } = await testDatabase()
    assert.deepEqual((await distribute(database, usual)).changed, [])
  })

  it('is refused if a table is kept in another way', onCitusOnly(), async () => {
    const { sql: database } = await emptyCitus()
    await migrate(database, silentLog)
    await database.run(sql`select create_reference_table('customers')`)
    await assert.rejects(
      distribute(database, usual),
      /The table customers is kept as reference, but this version needs it as distributed\. Nothing was changed/,
    )
    const changed = await database.many(
      sql`select from pg_dist_partition where logicalrelid <> 'customers'::regclass`,
    )
    assert.equal(changed.length, 0)
  })

  longIt(
    'gives up if a table is in use, and changes nothing',
    async () => {
      const { sql: database } = await emptyCitus()
      await migrate(database, silentLog)
      await database.transaction(async (holder) => {
        await holder.run(sql`lock table payments in access share mode`)
        await holder.run(sql`lock table refunds in row exclusive mode`)
        await assert.rejects(distribute(database, usual), /A table is in use.*Nothing was changed/)
      })
      assert.equal((await database.many(sql`select from pg_dist_partition`)).length, 0)
    },
    onCitusOnly(),
  )
})

describe('a migration of a distributed database', () => {
  const level = programSchemaLevel() + 1
  const text = `-- oldest program: ${level}
alter table payments add column tried integer;
alter table payments add constraint payments_tried_check check (tried > 0);

-- on Citus: distributed
create table notes (
  merchant_id bigint not null,
  id bigint not null,
  payment_id bigint not null,
  primary key (merchant_id, id),
  foreign key (merchant_id, payment_id) references payments (merchant_id, id)
);

-- on Citus: local
create table counters (name text primary key);
`
  const step: Migration = { level, name: 'next.sql', oldestProgram: level, text }

  it('changes distributed tables, and distributes the tables that it creates', onCitusOnly(), async () => {
    const { sql: database } = await testDatabase()
    const { level: reached } = await migrate(database, silentLog, [...readMigrations(), step])
    assert.equal(reached, level)
    const found = await database.many<{ name: string }>(
      sql`select logicalrelid::text as name from pg_dist_partition where logicalrelid::text in ('notes', 'counters')`,
    )
    assert.deepEqual(found, [{ name: 'notes' }])
  })

  it('is the same step on one server', onOneServerOnly(), async () => {
    const { sql: database } = await testDatabase()
    const { level: reached } = await migrate(database, silentLog, [...readMigrations(), step])
    assert.equal(reached, level)
  })
})

/** A Citus with an empty database. */
async function emptyCitus() {
  const { sql: database, url } = await emptyDatabase()
  const name = url.slice(url.lastIndexOf('/') + 1)
  const urls = testServerUrls().map((each) => urlOfDatabase(each, name))
  const [coordinator = '', ...workers] = urls
  await connectNodes(coordinator, workers)
  return { sql: database, urls }
}
