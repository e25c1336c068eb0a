import { LimitedConcurrencyQueue } from '../../../kit/runtime/limited-concurrency-queue.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { announceDueNow, announceDueSoon } from '../../instances/index.ts'
import { recentMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { DeliveryRecipient } from './attempt-delivery.ts'
import { attemptDelivery, openRecipient } from './attempt-delivery.ts'
import type { ClaimedDelivery } from './store.ts'
import {
  claimDueDeliveries,
  deliveryTargetOfWebhook,
  releaseClaim,
  webhookIdsWithDueDeliveries,
} from './store.ts'

/** Limits of concurrent attempts: for a webhook, for a failing webhook, for a merchant, and for all. */
export const attemptConcurrencyLimits = { usual: 20, failing: 2, ofMerchant: 100, all: 500 } as const

type LaneWidths = Readonly<Record<keyof typeof attemptConcurrencyLimits, number>>

/** Consecutive failures after which a webhook counts as failing. */
const failuresInARow = 5

/**
 * Length of a claim. It is longer than an attempt, so no other instance attempts the delivery meanwhile.
 * After a kill the delivery is due again at the end of the claim.
 */
export const claimDurationMs = 20_000

/** Attempts under way for one webhook. */
interface Lane {
  ownedId: OwnedId
  underWay: Set<Promise<void>>
  filling: Promise<void> | undefined
  /** True if more deliveries may be due than there was room for. */
  hasMore: boolean
  /** True if deliveries became due since the last claim began. */
  isAskedAgain: boolean
  failures: number
}

/**
 * Attempts due deliveries, with one lane for every webhook. Guarantee: the attempts under way stay within the
 * limits of a webhook, of a merchant and of all; but each webhook may always have one. A silent or slow
 * webhook therefore delays no other.
 */
export class Lanes {
  readonly #services: Services
  readonly #signal: AbortSignal
  readonly #widths: LaneWidths
  readonly #lanes = new Map<number, Lane>()
  /** Attempts under way and reserved room, by merchant. */
  readonly #ofMerchant = new Map<number, number>()
  #underWay = 0
  /** Limits concurrent claims, so that requests find a database connection however many webhooks there are. */
  readonly #claims = new LimitedConcurrencyQueue(4)

  constructor(services: Services, signal: AbortSignal, widths: LaneWidths = attemptConcurrencyLimits) {
    this.#services = services
    this.#signal = signal
    this.#widths = widths
  }

  /** Starts due deliveries; the lanes continue until nothing is due. Returns the number of webhooks. */
  async processDue(): Promise<number> {
    const { sql, clock } = this.#services
    const waiting = await webhookIdsWithDueDeliveries(sql, clock.now())
    await this.fill(waiting)
    return waiting.length
  }

  /** Starts the due deliveries of these webhooks. */
  async fill(webhooks: readonly OwnedId[]): Promise<void> {
    await Promise.all(webhooks.map((ownedId) => this.#fill(this.#laneOf(ownedId))))
  }

  /** Waits for all attempts under way. */
  async settle(): Promise<void> {
    while (this.#lanes.size > 0)
      await Promise.all([...this.#lanes.values()].flatMap(({ underWay, filling }) => [filling, ...underWay]))
  }

  #laneOf(ownedId: OwnedId): Lane {
    const known = this.#lanes.get(ownedId.id)
    if (known) return known
    const lane: Lane = {
      ownedId,
      underWay: new Set(),
      filling: undefined,
      hasMore: false,
      isAskedAgain: false,
      failures: 0,
    }
    this.#lanes.set(ownedId.id, lane)
    return lane
  }

  #roomIn({ ownedId, underWay, failures }: Lane): number {
    const { usual, failing, ofMerchant, all } = this.#widths
    const width = failures >= failuresInARow ? failing : usual
    const shared = Math.min(
      ofMerchant - (this.#ofMerchant.get(ownedId.merchantId) ?? 0),
      all - this.#underWay,
    )
    return Math.min(width - underWay.size, Math.max(shared, underWay.size === 0 ? 1 : 0))
  }

  /** Adds to the attempts under way; a negative number subtracts. */
  #count({ merchantId }: OwnedId, more: number): void {
    this.#underWay += more
    const ofMerchant = (this.#ofMerchant.get(merchantId) ?? 0) + more
    if (ofMerchant > 0) this.#ofMerchant.set(merchantId, ofMerchant)
    else this.#ofMerchant.delete(merchantId)
  }

  async #fill(lane: Lane): Promise<void> {
    if (lane.filling || this.#roomIn(lane) < 1) {
      lane.isAskedAgain = true
      return
    }
    const filling = this.#claims
      .run(() => this.#take(lane))
      .catch((err: unknown) => {
        this.#services.log.error(
          { err, webhook: lane.ownedId.id },
          'claiming the due deliveries of a webhook failed; will retry',
        )
        lane.hasMore = false
        lane.isAskedAgain = false
        announceDueSoon(this.#services)
      })
    lane.filling = this.#services.tasks.add(filling)
    await lane.filling
    lane.filling = undefined
    this.#goOn(lane)
  }

  /** Claims due deliveries. The room is reserved before the query, so no other lane can use it meanwhile. */
  async #take(lane: Lane): Promise<void> {
    const room = this.#roomIn(lane)
    // Other lanes have used the room. An attempt of this webhook is under way; its end fills the lane again.
    if (room < 1) return
    lane.hasMore = false
    lane.isAskedAgain = false
    if (this.#signal.aborted) return
    this.#count(lane.ownedId, room)
    let taken = 0
    try {
      const { sql, clock, tasks } = this.#services
      const now = clock.now()
      const target = await deliveryTargetOfWebhook(sql, lane.ownedId, now)
      const merchant = await recentMerchant(this.#services, lane.ownedId.merchantId)
      if (!target || !merchant) return
      const recipient = openRecipient(this.#services, target, merchant)
      const until = new Date(now.getTime() + claimDurationMs)
      const claimed = await claimDueDeliveries(sql, target, { now, until, limit: room })
      taken = claimed.length
      lane.hasMore = taken === room
      for (const each of claimed) {
        const attempting = tasks.add(this.#attempt(lane, recipient, each, until))
        lane.underWay.add(attempting)
        void attempting.then(() => {
          lane.underWay.delete(attempting)
          this.#count(lane.ownedId, -1)
          this.#goOn(lane)
        })
      }
    } finally {
      this.#count(lane.ownedId, taken - room)
    }
  }

  /** Fills the lane again once half of it is free, so one query claims many deliveries. */
  #goOn(lane: Lane): void {
    const isFilledAgain = lane.hasMore || lane.isAskedAgain
    if (isFilledAgain && lane.underWay.size <= this.#widths.usual / 2) void this.#fill(lane)
    // The failure count is kept while anything is under way for the webhook.
    else if (lane.underWay.size === 0 && !lane.filling && !isFilledAgain) this.#lanes.delete(lane.ownedId.id)
  }

  async #attempt(
    lane: Lane,
    recipient: DeliveryRecipient,
    claimed: ClaimedDelivery,
    until: Date,
  ): Promise<void> {
    const { sql, clock, log } = this.#services
    try {
      const state = await attemptDelivery(this.#services, recipient, claimed, this.#signal)
      if (state === 'delivered') lane.failures = 0
      else if (state) lane.failures += 1
      else {
        await releaseClaim(sql, claimed, until, clock.now())
        announceDueNow(this.#services)
      }
    } catch (err) {
      // The delivery is due again when its claim ends.
      log.error(
        { err, delivery: claimed.id },
        'attempting a delivery or saving its result failed; will retry',
      )
    }
  }
}
