import { databaseProxy } from './proxy.ts'

/** A way to a database on a socket of this machine that counts how often something is asked there and waited for. */
export interface CountingProxy {
  url: string
  /** The round trips so far, on all connections together. */
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

/** A plain query, and the end of a prepared one: after each of these whoever asked waits for the answer. */
const waits = [...'QS'].map((type) => type.charCodeAt(0))
const headLength = 5

/** The messages of one connection: a type and a length each, but for the first, which has no type. */
class Messages {
  #rest = Buffer.alloc(0)
  #isStarted = false

  /** How often somebody waits for an answer to what these bytes complete. */
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
