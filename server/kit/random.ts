import { randomBytes } from 'node:crypto'

/** The one source of randomness. Tests may hand in a seeded one; the service's own is the system's. */
export interface Random {
  bytes(count: number): Buffer
}

export const systemRandom: Random = { bytes: (count) => randomBytes(count) }
