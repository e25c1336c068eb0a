import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  CommitUnknown,
  DatabaseNotReached,
  DatabaseUnavailable,
  RowLocked,
  raw,
  sql,
  unprepared,
  WorkerUnavailable,
} from '../../kit/runtime/sql.ts'
import {
  emptyDatabase,
  endConnections,
  silentLog,
  untilLockIsAwaited,
} from '../../testing/harness/database.ts'
import { localTcpServer } from '../../testing/harness/local-server.ts'
import { cuttableProxy } from '../../testing/harness/proxy.ts'
import type { Database } from './pool.ts'
import { openDatabase } from './pool.ts'

const { sql: database, url } = await emptyDatabase()
await database.run(sql`create table accounts (id integer primary key, balance bigint not null)`)

describe('a transaction', () => {
  it('is atomic and joins the one around it', async () => {
    await assert.rejects(
      database.transaction(async (outer) => {
        await outer.run(sql`insert into accounts values (1, 10)`)
        await outer.transaction((inner) => inner.run(sql`insert into accounts values (2, 10)`))
        throw new Error('no')
      }),
    )
    assert.deepEqual(await database.many(sql`select * from accounts`), [])
  })

  it('is repeated on a deadlock: two that lock crosswise both succeed', async () => {
    await database.run(sql`insert into accounts values (10, 0), (11, 0)`)
    const bothLocked = Promise.withResolvers<void>()
    let holding = 0
    const crosswise = (one: number, other: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`update accounts set balance = balance + 1 where id = ${one}`)
        if (++holding === 2) bothLocked.resolve()
        await bothLocked.promise
        await transaction.run(sql`update accounts set balance = balance + 1 where id = ${other}`)
      })
    await Promise.all([crosswise(10, 11), crosswise(11, 10)])
    assert.deepEqual(await database.many(sql`select balance from accounts where id in (10, 11)`), [
      { balance: 2 },
      { balance: 2 },
    ])
  })

  it('whose connection is cut fails as unavailable, and the next one works', async () => {
    const cut = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into accounts values (20, 0)`)
      await endConnections(url)
      await transaction.run(sql`insert into accounts values (21, 0)`)
    })
    await assert.rejects(cut, DatabaseUnavailable)
    // Idle connections were cut too. A query that gets one before the pool notices fails.
    const look = () => database.many(sql`select id from accounts where id in (20, 21)`).catch(() => undefined)
    let found = await look()
    for (let tries = 0; found === undefined && tries < 100; tries++) found = await look()
    assert.deepEqual(found, [])
  })

  it('that waits too long for a row fails with RowLocked', async () => {
    await database.run(sql`insert into accounts values (30, 0)`)
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holder = database.transaction(async (transaction) => {
      await transaction.run(sql`update accounts set balance = 1 where id = 30`)
      held.resolve()
      await release.promise
    })
    await held.promise
    const impatient = database.transaction(async (transaction) => {
      await transaction.run(sql`set local lock_timeout = '10ms'`)
      await transaction.run(sql`update accounts set balance = 2 where id = 30`)
    })
    await assert.rejects(impatient, RowLocked)
    release.resolve()
    await holder
  })
})

describe('a misused transaction', () => {
  it('is not committed if one of its queries failed, even if the error was caught', async () => {
    const careless = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into accounts values (40, 0)`)
      await transaction.run(sql`insert into accounts values (40, 0)`).catch(() => undefined)
      return 'all is well'
    })
    await assert.rejects(careless, /its error was ignored/)
    assert.deepEqual(await database.many(sql`select id from accounts where id = 40`), [])
  })

  it('is not committed if an inner transaction failed, even if the error was caught', async () => {
    const careless = database.transaction(async (outer) => {
      const part = outer.transaction(async (inner) => {
        await inner.run(sql`insert into accounts values (41, 0)`)
        throw new Error('no')
      })
      await part.catch(() => undefined)
    })
    await assert.rejects(careless, /a part of the transaction failed/)
    assert.deepEqual(await database.many(sql`select id from accounts where id = 41`), [])
  })

  it('has no effect after its end, even if another transaction uses its connection', async () => {
    const later = Promise.withResolvers<void>()
    let late: Promise<number> | undefined
    await assert.rejects(
      database.transaction(async (transaction) => {
        late = later.promise.then(() => transaction.run(sql`insert into accounts values (42, 0)`))
        throw new Error('fails first')
      }),
      /fails first/,
    )
    later.resolve()
    await assert.rejects(async () => late, /the transaction is over/)
    assert.deepEqual(await database.many(sql`select id from accounts where id = 42`), [])
  })

  it('that conflicts again and again fails as unavailable', async () => {
    let tries = 0
    const unlucky = database.transaction(async (transaction) => {
      tries += 1
      await transaction.run(sql`do $$ begin raise exception 'unlucky' using errcode = '40001'; end $$`)
    })
    await assert.rejects(unlucky, DatabaseUnavailable)
    assert.equal(tries, 5)
  })
})

describe('a query outside a transaction', () => {
  const lone = openDatabase(
    { url: `${url}?options=-c%20default_transaction_isolation%3Drepeatable%5C%20read` },
    2,
    silentLog,
  )
  after(() => lone.close())

  it('is repeated on a serialization failure, so a concurrent change is not lost', async () => {
    await database.run(sql`insert into accounts values (40, 0)`)
    const add = sql`update accounts set balance = balance + 1 where id = 40`
    const adding = await database.transaction(async (transaction) => {
      await transaction.run(add)
      const waiting = lone.sql.run(add)
      await untilLockIsAwaited(database)
      return [waiting]
    })
    assert.deepEqual(await Promise.all(adding), [1])
    assert.deepEqual(await database.one(sql`select balance from accounts where id = 40`), { balance: 2 })
  })

  it('that conflicts again and again fails as unavailable', async () => {
    const unlucky = sql`do $$ begin raise exception 'unlucky' using errcode = '40001'; end $$`
    await assert.rejects(lone.sql.run(unlucky), DatabaseUnavailable)
  })
})

it('an unreachable database fails as not reached, with every system error', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' }, 2, silentLog)
  await assertNotReached(nowhere)
  await nowhere.close()
})

it('a database that does not accept a connection fails as not reached', async () => {
  const silent = await localTcpServer(() => undefined)
  const closed = openDatabase({ url: `postgres://nobody@127.0.0.1:${silent.port}/none` }, 2, silentLog)
  await assertNotReached(closed)
  await closed.close()
})

async function assertNotReached(away: Database): Promise<void> {
  await Promise.all([
    assert.rejects(away.sql.many(sql`select 1`), DatabaseNotReached),
    assert.rejects(
      away.sql.transaction((transaction) => transaction.many(sql`select 1`)),
      DatabaseNotReached,
    ),
  ])
}

it('a commit whose response is lost has an unknown outcome', async () => {
  const proxy = await cuttableProxy(url)
  const far = openDatabase({ url: proxy.url }, 2, silentLog)
  const lost = far.sql.transaction(async (transaction) => {
    await transaction.run(sql`insert into accounts values (50, 0)`)
    proxy.cutBeforeAnswers()
  })
  await assert.rejects(lost, CommitUnknown)
  await far.close()
  await proxy.close()
})

describe('Citus without one of its workers', () => {
  const node = 'postgres@127.0.0.1:5433'
  const refused = `connection to the remote node ${node} failed with the following error: Connection refused
\tIs the server running on that host and accepting TCP/IP connections?`
  const closed = `server closed the connection unexpectedly
\tThis probably means the server terminated abnormally
\tbefore or while processing the request.`
  /** Errors as Citus 13.2 reports them. */
  const errors = [
    ['08006', refused],
    [
      '08006',
      `connection to the remote node ${node} failed with the following error: FATAL:  the database system is starting up`,
    ],
    ['08006', `connection to the remote node ${node} failed with the following error: connection not open`],
    ['08006', 'could not establish any connections to the node 127.0.0.1:5433 after 30000 ms'],
    ['XX000', 'could not commit transaction for shard 102011 on at least one active node'],
    ['XX000', 'failure on connection marked as essential: 127.0.0.1:5433'],
    ['XX000', closed],
  ] as const
  const fails = (state: string, message: string) =>
    unprepared(raw(`do $$ begin raise exception using errcode = '${state}', message = '${message}'; end $$`))

  it('fails as an unavailable worker, with one line', async () => {
    for (const [state, message] of errors)
      await assert.rejects(database.run(fails(state, message)), (error: Error) => {
        assert.ok(error instanceof WorkerUnavailable, message)
        assert.equal(error.message, message.split('\n')[0])
        return true
      })
  })

  it('another fault of the server stays a fault', async () => {
    const fault = fails('XX000', 'cache lookup failed for relation 4711')
    await assert.rejects(database.run(fault), (error) => !(error instanceof DatabaseUnavailable))
  })
})

it('integers are exact numbers, and one that is too large throws', async () => {
  assert.deepEqual(await database.one(sql`select 99999999999999::bigint as n`), { n: 99_999_999_999_999 })
  await assert.rejects(database.one(sql`select 9007199254740993::bigint as n`), /too large/)
})

it('an invalid query is not reported as an unavailable database', async () => {
  await assert.rejects(
    database.many(sql`select * from nowhere`),
    (error) => !(error instanceof DatabaseUnavailable),
  )
})
