import { randomBytes } from 'node:crypto'

/** The only source of randomness. The service uses the system's; tests may pass a seeded one. */
export interface Random {
  bytes(count: number): Buffer
}

/** Bytes fetched per system call: one call costs as much as a thousand bytes. */
const poolBytes = 4096
let pool = Buffer.alloc(0)

/** Guarantee: no byte is returned twice, and used bytes are erased from the pool. */
function take(count: number): Buffer {
  if (count > poolBytes) return randomBytes(count)
  if (pool.length < count) pool = randomBytes(poolBytes)
  const taken = Buffer.from(pool.subarray(0, count))
  pool.fill(0, 0, count)
  pool = pool.subarray(count)
  return taken
}

export const systemRandom: Random = { bytes: take }
