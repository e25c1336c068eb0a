import { randomBytes } from 'node:crypto'

/** The one source of randomness. Tests may hand in a seeded one; the service's own is the system's. */
export interface Random {
  bytes(count: number): Buffer
}

/** The system is asked for many bytes at once: asking costs as much as a thousand of them. */
const poolBytes = 4096
let pool = Buffer.alloc(0)

/** Guarantee: no byte is handed out twice, nor left where it was. */
function take(count: number): Buffer {
  if (count > poolBytes) return randomBytes(count)
  if (pool.length < count) pool = randomBytes(poolBytes)
  const taken = Buffer.from(pool.subarray(0, count))
  pool.fill(0, 0, count)
  pool = pool.subarray(count)
  return taken
}

export const systemRandom: Random = { bytes: take }
