import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DatabaseUnavailable, RowLocked, sql } from '../kit/sql.ts'
import { emptyDatabase, endConnections, silentLog } from '../testing/database.ts'
import { openDatabase } from './pool.ts'

const { sql: database, url } = await emptyDatabase()
await database.run(sql`create table accounts (id integer primary key, balance bigint not null)`)

describe('a transaction', () => {
  it('happens whole or not at all, and joins the one around it', async () => {
    await assert.rejects(
      database.transaction(async (outer) => {
        await outer.run(sql`insert into accounts values (1, 10)`)
        await outer.transaction((inner) => inner.run(sql`insert into accounts values (2, 10)`))
        throw new Error('no')
      }),
    )
    assert.deepEqual(await database.many(sql`select * from accounts`), [])
  })

  it('is tried again when the database asks for it: two that lock crosswise both happen', async () => {
    await database.run(sql`insert into accounts values (10, 0), (11, 0)`)
    const bothHold = Promise.withResolvers<void>()
    let holding = 0
    const crosswise = (one: number, other: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`update accounts set balance = balance + 1 where id = ${one}`)
        if (++holding === 2) bothHold.resolve()
        await bothHold.promise
        await transaction.run(sql`update accounts set balance = balance + 1 where id = ${other}`)
      })
    await Promise.all([crosswise(10, 11), crosswise(11, 10)])
    assert.deepEqual(await database.many(sql`select balance from accounts where id in (10, 11)`), [
      { balance: 2 },
      { balance: 2 },
    ])
  })

  it('whose connection is cut is unavailable, and the next one works', async () => {
    const cut = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into accounts values (20, 0)`)
      await endConnections(url)
      await transaction.run(sql`insert into accounts values (21, 0)`)
    })
    await assert.rejects(cut, DatabaseUnavailable)
    assert.deepEqual(await database.many(sql`select id from accounts where id in (20, 21)`), [])
  })

  it('that waits too long for a row says so', async () => {
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

it('a database that is not there is unavailable, whatever the operating system calls it', async () => {
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' }, 2, silentLog)
  await assert.rejects(nowhere.sql.many(sql`select 1`), DatabaseUnavailable)
  await assert.rejects(
    nowhere.sql.transaction((transaction) => transaction.many(sql`select 1`)),
    DatabaseUnavailable,
  )
  await nowhere.close()
})

it('integers come as numbers, exactly, and one that would not be exact is a bug', async () => {
  assert.deepEqual(await database.one(sql`select 99999999999999::bigint as n`), { n: 99_999_999_999_999 })
  await assert.rejects(database.one(sql`select 9007199254740993::bigint as n`), /too large/)
})

it('a wrong statement is a bug, not an unavailable database', async () => {
  await assert.rejects(
    database.many(sql`select * from nowhere`),
    (error) => !(error instanceof DatabaseUnavailable),
  )
})
