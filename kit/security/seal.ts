import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { PurposeKey } from './keyring.ts'
import type { Random } from './random.ts'

/** An encrypted value, and the id of the key that opens it. */
export interface SealedValue {
  bytes: Buffer
  keyId: string
}

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16

/**
 * Seals values for the database, with a key that is not stored in it. Guarantee: an opened value is the one
 * that was sealed, for the same purpose and owner. A value that is altered or moved to another row does not
 * open.
 */
export class Sealer {
  readonly #purpose: string
  readonly #current: PurposeKey
  readonly #keys: ReadonlyMap<string, Buffer>

  /** The first key seals; all of them open. */
  constructor(keys: readonly [PurposeKey, ...PurposeKey[]], purpose: string) {
    this.#purpose = purpose
    this.#current = keys[0]
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]))
  }

  get keyId(): string {
    return this.#current.id
  }

  /** True if a value sealed with this key can be opened. */
  has(keyId: string): boolean {
    return this.#keys.has(keyId)
  }

  seal(text: string, owner: string, random: Random): SealedValue {
    const nonce = random.bytes(nonceLength)
    const cipher = createCipheriv(algorithm, this.#current.key, nonce).setAAD(this.#boundTo(owner))
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return { bytes: Buffer.concat([nonce, cipher.getAuthTag(), body]), keyId: this.#current.id }
  }

  open({ bytes, keyId }: SealedValue, owner: string): string {
    const key = this.#keys.get(keyId)
    if (!key)
      throw new Error(
        'the value was sealed under a secret that is neither VEZNE_SECRET nor VEZNE_SECRET_PREVIOUS',
      )
    const nonce = bytes.subarray(0, nonceLength)
    const tag = bytes.subarray(nonceLength, nonceLength + tagLength)
    try {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
        .setAAD(this.#boundTo(owner))
        .setAuthTag(tag)
      const body = decipher.update(bytes.subarray(nonceLength + tagLength))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    } catch (cause) {
      throw new Error('the value is not what was sealed for this owner', { cause })
    }
  }

  #boundTo(owner: string): Buffer {
    return Buffer.from(`vezne ${this.#purpose}\n${owner}`)
  }
}
