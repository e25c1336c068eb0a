import { hkdfSync } from 'node:crypto'

/** A key for one purpose, with the id that its products carry. */
export interface PurposeKey {
  id: string
  key: Buffer
}

/**
 * The installation's secrets: the current one seals and signs, the previous one still opens and verifies.
 * Every purpose has its own derived keys, so that a product of one purpose is not valid for another.
 */
export class Keyring {
  readonly #secrets: readonly string[]
  /** Keys of the purposes in use. Deriving a key costs more than sealing with it. */
  readonly #derived = new Map<string, readonly [PurposeKey, ...PurposeKey[]]>()

  constructor(current: string, previous: string | undefined) {
    this.#secrets = previous === undefined ? [current] : [current, previous]
  }

  /** The keys of one purpose, the current one first. */
  keysFor(purpose: string): readonly [PurposeKey, ...PurposeKey[]] {
    // Some purposes name a row. Their keys must not collect.
    if (this.#derived.size >= mostDerived) this.#derived.clear()
    return this.#derived.getOrInsertComputed(purpose, () => this.#derive(purpose))
  }

  #derive(purpose: string): [PurposeKey, ...PurposeKey[]] {
    const [current = '', ...previous] = this.#secrets
    return [deriveKey(current, purpose), ...previous.map((secret) => deriveKey(secret, purpose))]
  }
}

const mostDerived = 100

function deriveKey(secret: string, purpose: string): PurposeKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `vezne ${purpose}`, 32))
  const id = Buffer.from(hkdfSync('sha256', secret, '', `vezne ${purpose} id`, 6)).toString('hex')
  return { id, key }
}
