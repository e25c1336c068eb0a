import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { findCards } from './card-search.ts'
import { testDatabase } from './database.ts'
import { testCvc } from './payer.ts'
import { startProcess } from './process.ts'
import { longIt } from './tier.ts'

const number = '5400360000000003'
const spaced = '5400 3600 0000 0003'
const { sql: database } = await testDatabase()
await database.run(sql`create schema other`)
await database.run(sql`create table other.notes (text text, bytes bytea)`)

describe('a search for cards', () => {
  it('finds a number in any table of any schema: alone, in a text, grouped or as bytes', async () => {
    assert.deepEqual(await findCards(database, []), [])
    for (const text of [number, `{"card":"${number}"}`, spaced, spaced.replaceAll(' ', '-'), testCvc]) {
      await database.run(sql`insert into other.notes values (${text}, null)`)
      assert.deepEqual(await findCards(database, []), ['other.notes'], text)
      await database.run(sql`delete from other.notes`)
    }
    await database.run(sql`insert into other.notes values (null, ${Buffer.from(`card ${number}`)})`)
    assert.deepEqual(await findCards(database, []), ['other.notes'], 'bytes')
    await database.run(sql`delete from other.notes`)
  })

  it('finds a number in the log, and returns the line', async () => {
    const lines = ['nothing', `paid with ${number}`, `"cvc":"${testCvc}"`]
    assert.deepEqual(await findCards(database, lines), [`the log: ${lines[1]}`, `the log: ${lines[2]}`])
  })

  it('ignores masks, longer numbers and ids', async () => {
    const uuid = `0f8fad5b-${testCvc}-4165-a086-7391a0e25c1f`
    const lines = ['540036******0003', `1${testCvc}`, `0.${testCvc}`, uuid]
    assert.deepEqual(await findCards(database, lines), [])
  })
})

/** A test file with a shared till and one that a test opens. The tests of both leave a card behind. */
const leavesCards = `
import { it } from 'node:test'
import { sql } from './kit/runtime/sql.ts'
import { testTill } from './testing/till/till.ts'
const shared = await testTill()
it('passes, and leaves a card in a row', async () => {
  await shared.services.sql.run(sql\`update merchants set name = \${'${number}'}\`)
})
it('passes, and leaves a card in the log', async () => {
  const { lines } = await testTill()
  lines.push('${number}')
})
`

longIt('a till whose tests leave a card behind fails the run, although each test passes', async (t) => {
  const words = [process.execPath, '--input-type=module', '--eval', leavesCards]
  const child = startProcess(t, words, { NODE_TEST_CONTEXT: undefined })
  assert.equal(await child.ended, 1, child.output())
  assert.match(child.output(), /cards were found: public\.merchants$/m)
  assert.match(child.output(), new RegExp(`cards were found: the log: ${number}$`, 'm'))
  assert.match(child.output(), /pass 2\b/)
})
