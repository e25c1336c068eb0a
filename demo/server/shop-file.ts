import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The shop's webhook, as it must be known again after a restart: its secret is shown once. */
export interface KnownWebhook {
  id: number
  secret: string
}

/** The file in which the shop keeps it, readable by its owner alone. */
export class ShopFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** What is kept; undefined when it is lost or cannot be read, which is mended by a new secret. */
  read(): KnownWebhook | undefined {
    try {
      const { webhook_id: id, webhook_secret: secret } = JSON.parse(readFileSync(this.#path, 'utf8'))
      return Number.isSafeInteger(id) && typeof secret === 'string' ? { id, secret } : undefined
    } catch {
      return undefined
    }
  }

  /** Whole or not at all. */
  write({ id, secret }: KnownWebhook): void {
    const draft = `${this.#path}.new`
    const text = `${JSON.stringify({ webhook_id: id, webhook_secret: secret }, null, 2)}\n`
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    renameSync(draft, this.#path)
  }
}
