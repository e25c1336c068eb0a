import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { StatementCounts } from './counting-proxy.ts'
import { Messages } from './counting-proxy.ts'

const startup = message('', '\0\x03\0\0user\0vezne\0\0')
const sync = message('S', '')

it('statements, those that write, and round trips are counted on the wire', () => {
  const counts = countsOf([
    startup,
    message('P', 'read\0select 1 from payments where id = $1 for update\0\0\0'),
    message('B', '\0read\0'),
    message('E', '\0\0\0\0\0'),
    sync,
    message('P', 'change\0with a as (insert into events values ($1)) select 1\0\0\0'),
    message('B', '\0change\0four'),
    message('E', '\0\0\0\0\0'),
    sync,
    message('Q', 'commit\0'),
  ])
  assert.deepEqual(counts, {
    roundTrips: 3,
    statements: 3,
    writes: 1,
    writtenBytes: '\0change\0four'.length,
  })
})

it('a prepared statement counts each time that it is executed, and several can share a round trip', () => {
  const once = [message('B', '\0change\0'), message('E', '\0\0\0\0\0')]
  const counts = countsOf([startup, message('P', 'change\0update a set b = 1\0\0\0'), ...once, ...once, sync])
  assert.deepEqual([counts.statements, counts.writes, counts.roundTrips], [2, 2, 1])
})

it('a message that arrives in pieces counts once', () => {
  const bytes = Buffer.concat([startup, message('Q', 'delete from a\0')])
  const counts = countsOf(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))
  assert.deepEqual([counts.statements, counts.writes, counts.roundTrips], [1, 1, 1])
})

function countsOf(pieces: readonly Buffer[]): StatementCounts {
  const counts: StatementCounts = { roundTrips: 0, statements: 0, writes: 0, writtenBytes: 0 }
  const messages = new Messages(counts)
  for (const piece of pieces) messages.read(piece)
  return counts
}

function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}
