import { databaseProxy } from './proxy.ts'

/** Proxy to a database on a local socket that counts round trips. */
export interface CountingProxy {
  url: string
  /** Round trips so far on all connections. */
  count(): number
  close(): Promise<void>
}

export async function countingProxy(databaseUrl: string): Promise<CountingProxy> {
  let count = 0
  const proxy = await databaseProxy(databaseUrl, () => {
    const messages = new Messages()
    return {
      ask: (bytes, database) => {
        count += messages.waitsIn(bytes)
        database.write(bytes)
      },
      answer: (bytes, client) => client.write(bytes),
    }
  })
  return { ...proxy, count: () => count }
}

/** The messages Query and Sync: after each of them the client waits for the answer. */
const waits = [...'QS'].map((type) => type.charCodeAt(0))
const headLength = 5

/** Messages of one connection. Each has a type and a length, except the first, which has no type. */
class Messages {
  #rest = Buffer.alloc(0)
  #isStarted = false

  /** Number of messages completed by these bytes after which the client waits. */
  waitsIn(bytes: Buffer): number {
    let left = Buffer.concat([this.#rest, bytes])
    let count = 0
    while (left.length >= headLength) {
      const lengthAt = this.#isStarted ? 1 : 0
      const length = lengthAt + left.readInt32BE(lengthAt)
      if (left.length < length) break
      if (this.#isStarted && waits.includes(left[0] ?? 0)) count += 1
      this.#isStarted = true
      left = left.subarray(length)
    }
    this.#rest = left
    return count
  }
}
