import { databaseProxy } from './proxy.ts'

/** Proxy to a database on a local socket that counts what goes over its wire. */
export interface CountingProxy {
  url: string
  /** Round trips so far on all connections. */
  roundTrips(): number
  /** All counts so far, as a copy. */
  counts(): StatementCounts
  close(): Promise<void>
}

/** Statements of all connections. A statement that is executed twice counts twice. */
export interface StatementCounts {
  roundTrips: number
  statements: number
  /** Statements that insert, update or delete. They are among `statements`. */
  writes: number
  /** Bytes of the parameters of these. */
  writtenBytes: number
}

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  const counts: StatementCounts = { roundTrips: 0, statements: 0, writes: 0, writtenBytes: 0 }
  const proxy = await databaseProxy(databaseUrl, () => {
    const messages = new Messages(counts)
    return {
      ask: (bytes, database) => {
        messages.read(bytes)
        database.write(bytes)
      },
      answer: (bytes, client) => client.write(bytes),
    }
  })
  return { ...proxy, roundTrips: () => counts.roundTrips, counts: () => ({ ...counts }) }
}

const headLength = 5
const writing = /\b(insert\s+into|update|delete\s+from|merge\s+into)\b/i
/** A clause of a reading statement that locks rows. */
const locking = /\bfor\s+(no\s+key\s+)?update\b/gi

/** Messages of a client on one connection. Each has a type and a length, except the first, which has no type. */
export class Messages {
  readonly #counts: StatementCounts
  #rest = Buffer.alloc(0)
  #isStarted = false
  /** Kind of each prepared statement by its name; that without a name is the last unnamed one. */
  readonly #prepared = new Map<string, boolean>()
  /** The bound statement, and the bytes of its parameters. */
  #bound = { isWrite: false, bytes: 0 }

  /** Adds to the counts of the caller. */
  constructor(counts: StatementCounts) {
    this.#counts = counts
  }

  /** Counts the messages that these bytes complete. */
  read(bytes: Buffer): void {
    let left = Buffer.concat([this.#rest, bytes])
    while (left.length >= headLength) {
      const lengthAt = this.#isStarted ? 1 : 0
      const length = lengthAt + left.readInt32BE(lengthAt)
      if (left.length < length) break
      if (this.#isStarted) this.#count(String.fromCharCode(left[0] ?? 0), left.subarray(headLength, length))
      this.#isStarted = true
      left = left.subarray(length)
    }
    this.#rest = left
  }

  #count(type: string, body: Buffer): void {
    // After a Query and after a Sync the client waits for the answer.
    if (type === 'Q' || type === 'S') this.#counts.roundTrips += 1
    if (type === 'Q') this.#countStatement({ isWrite: isWriteIn(textAt(body, 0)), bytes: body.length })
    if (type === 'E') this.#countStatement(this.#bound)
    if (type === 'P') {
      const name = textAt(body, 0)
      this.#prepared.set(name, isWriteIn(textAt(body, Buffer.byteLength(name) + 1)))
    }
    if (type === 'B') {
      const name = textAt(body, body.indexOf(0) + 1)
      this.#bound = { isWrite: this.#prepared.get(name) ?? false, bytes: body.length }
    }
  }

  #countStatement({ isWrite, bytes }: { isWrite: boolean; bytes: number }): void {
    this.#counts.statements += 1
    if (!isWrite) return
    this.#counts.writes += 1
    this.#counts.writtenBytes += bytes
  }
}

function isWriteIn(text: string): boolean {
  return writing.test(text.replaceAll(locking, ''))
}

/** Text that ends with a zero byte. */
function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start))
}
