import type { HttpClient } from '../../kit/outbound/http-client.ts'
import type { Clock } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import type { Random } from '../../kit/security/random.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { orderIdOf } from './compare-order.ts'
import { EventReader } from './event-reader.ts'
import type { FeedEntry } from './live-feed.ts'
import { LiveFeed } from './live-feed.ts'
import { OrderStore } from './order.ts'
import { registerWebhook, WebhookRefused } from './register-webhook.ts'
import type { KnownWebhook } from './shop-file.ts'
import { ShopFile } from './shop-file.ts'
import { VezneClient } from './vezne-client.ts'

/** A test card and its outcome. */
export interface DemoCard {
  number: string
  label: LocalizedText
  does: LocalizedText
}

/** Options of a shop: its addresses and keys of Vezne, and the usual services. */
export interface DemoShopOptions {
  port: number
  apiUrl: string
  pageUrl: string
  publicKey: string
  secretKey: string
  /** Path of the file that survives a restart. */
  file: string
  cards: readonly DemoCard[]
  http: HttpClient
  clock: Clock
  random: Random
  log: Log
}

const heartbeatMs = 15_000
const lookForListenersMs = 1_000
const lookForEventsMs = 5_000
const patientMs = 60_000

/** The shop's server: its state and its background tasks. */
export class DemoShop {
  readonly options: DemoShopOptions
  readonly clock: Clock
  readonly log: Log
  readonly live: LiveFeed
  readonly vezne: VezneClient
  readonly orders: OrderStore
  readonly knownEvents = new Set<string>()
  /** Undefined until the secret is known. */
  webhook: KnownWebhook | undefined
  readonly #file: ShopFile
  #news = new AbortController()

  constructor(options: DemoShopOptions) {
    this.options = options
    this.clock = options.clock
    this.log = options.log
    this.live = new LiveFeed(options.clock)
    this.vezne = new VezneClient({ ...options, report: (entry, visitor) => this.report(entry, visitor) })
    this.orders = new OrderStore(options.random)
    this.#file = new ShopFile(options.file)
    this.webhook = this.#file.read()
  }

  get origin(): string {
    return new URL(`http://localhost:${this.options.port}`).origin
  }

  /**
   * Runs the background tasks until the signal: webhook registration, event reader and heartbeat of the live
   * feed.
   */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.register(signal), this.#follow(signal), this.#beat(signal)])
  }

  /**
   * Retries until the webhook is registered or refused (`LOOPBACK_WEBHOOKS=never`). The shop starts and sells
   * without it.
   */
  async register(signal: AbortSignal): Promise<void> {
    for (let waitMs = 1_000; !signal.aborted; waitMs = Math.min(waitMs * 2, patientMs)) {
      try {
        this.webhook = await registerWebhook(this.vezne, this.#file, `${this.origin}/webhooks`)
        return
      } catch (err) {
        if (err instanceof WebhookRefused) {
          this.log.info(
            { reason: err.message },
            'the webhook of the demo shop was refused; the shop runs without one',
          )
          return
        }
        if (!signal.aborted)
          this.log.warn({ err }, 'registering the webhook of the demo shop failed; will retry')
      }
      await this.#sleep(waitMs, signal)
    }
  }

  /**
   * Shows an entry in the live feed of one visitor, or of none. Guarantee: an entry with a transaction goes to
   * the visitor who placed its order, and only if it was not made for somebody else.
   */
  report(entry: FeedEntry, visitor?: string): void {
    const holder = entry.kind === 'server' ? entry.answered : (entry.body as { data?: unknown }).data
    const { metadata } = (holder ?? {}) as { metadata?: unknown }
    const owner = Array.isArray(metadata) ? this.orders.byId(orderIdOf({ metadata }) ?? '')?.visitor : visitor
    if (owner !== undefined && owner === (visitor ?? owner)) this.live.publish(owner, entry)
  }

  /** Reads the list of events now instead of at the next interval. */
  readEventsNow(): void {
    this.#news.abort()
    this.#news = new AbortController()
  }

  /**
   * Reads events only while a browser listens to the live feed. The end of the list is looked up once before, so
   * that a payer who leaves at once for the payment page finds the events on return.
   */
  async #follow(signal: AbortSignal): Promise<void> {
    const reader = new EventReader(this.vezne, (entry) => this.report(entry))
    while (!signal.aborted) {
      const hasListeners = this.live.listenerCount > 0
      // The signal is taken before reading, so that an event that arrives meanwhile causes another read.
      const either = AbortSignal.any([signal, this.#news.signal])
      if (hasListeners || !reader.hasBegun) await reader.read().catch((err) => this.#noteUnread(err, signal))
      await this.#sleep(hasListeners ? lookForEventsMs : lookForListenersMs, either)
    }
  }

  #noteUnread(err: unknown, signal: AbortSignal): void {
    if (!signal.aborted)
      this.log.debug({ err }, 'the demo shop could not read the list of events; will retry')
  }

  async #beat(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await this.#sleep(heartbeatMs, signal)) this.live.beat()
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal).catch(() => undefined)
  }
}
