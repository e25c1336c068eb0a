import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The shop's webhook. It must survive a restart, because the secret is shown only once. */
export interface KnownWebhook {
  id: number
  secret: string
}

/** File with the shop's webhook, readable only by its owner. */
export class ShopFile {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  /** The stored webhook; undefined if the file is missing or unreadable. The shop then rotates the secret. */
  read(): KnownWebhook | undefined {
    try {
      const { webhook_id: id, webhook_secret: secret } = JSON.parse(readFileSync(this.#path, 'utf8'))
      return Number.isSafeInteger(id) && typeof secret === 'string' ? { id, secret } : undefined
    } catch {
      return undefined
    }
  }

  /** Writes a new file and renames it, so that a reader sees the old or the new content. */
  write({ id, secret }: KnownWebhook): void {
    const draft = `${this.#path}.new`
    const text = `${JSON.stringify({ webhook_id: id, webhook_secret: secret }, null, 2)}\n`
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    chmodSync(draft, 0o600)
    renameSync(draft, this.#path)
  }
}
