import { LimitedConcurrencyQueue } from '../../../kit/runtime/limited-concurrency-queue.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import { announceDueNow, announceDueSoon } from '../../instances/index.ts'
import { recentMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { attemptDelivery, openRecipient, saveAttempt } from './attempt-delivery.ts'
import type { Claim } from './lane.ts'
import { claimDurationMs, failuresInARow, Lane } from './lane.ts'
import type { ClaimedDelivery } from './store.ts'
import {
  claimDueDeliveries,
  deliveryTargetOfWebhook,
  releaseClaims,
  webhookIdsWithDueDeliveries,
} from './store.ts'

/** Limits of concurrent attempts: for a webhook, for a failing webhook, for a merchant, and for all. */
export const attemptConcurrencyLimits = { usual: 20, failing: 2, ofMerchant: 100, all: 500 } as const

type LaneWidths = Readonly<Record<keyof typeof attemptConcurrencyLimits, number>>

/** Deliveries that one query claims at most, as a multiple of a webhook's usual limit. */
const maxClaimedTimes = 5

/** Attempts of a webhook whose result is not saved, as a multiple of its usual limit. A kill repeats no more. */
const maxUnsavedTimes = 4

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
      await Promise.all([...this.#lanes.values()].flatMap(({ tasks, filling }) => [filling, ...tasks]))
  }

  #laneOf(ownedId: OwnedId): Lane {
    return this.#lanes.getOrInsertComputed(ownedId.id, () => new Lane(ownedId, this.#services.clock))
  }

  #roomIn({ ownedId, underWay, failures, tasks }: Lane): number {
    const { usual, failing, ofMerchant, all } = this.#widths
    const width = Math.min(
      failures >= failuresInARow ? failing : usual,
      maxUnsavedTimes * usual - tasks.size + underWay,
    )
    const shared = Math.min(
      ofMerchant - (this.#ofMerchant.get(ownedId.merchantId) ?? 0),
      all - this.#underWay,
    )
    return Math.min(width - underWay, Math.max(shared, underWay === 0 ? 1 : 0))
  }

  /** Adds to the attempts under way; a negative number subtracts. */
  #count({ merchantId }: OwnedId, more: number): void {
    this.#underWay += more
    const ofMerchant = (this.#ofMerchant.get(merchantId) ?? 0) + more
    if (ofMerchant > 0) this.#ofMerchant.set(merchantId, ofMerchant)
    else this.#ofMerchant.delete(merchantId)
  }

  async #fill(lane: Lane): Promise<void> {
    if (lane.filling || lane.hasReady || this.#roomIn(lane) < 1) {
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
    try {
      const { sql, clock } = this.#services
      const now = clock.now()
      const target = await deliveryTargetOfWebhook(sql, lane.ownedId, now)
      const merchant = await recentMerchant(this.#services, lane.ownedId.merchantId)
      if (!target || !merchant) return
      const recipient = openRecipient(this.#services, target, merchant)
      const until = new Date(now.getTime() + claimDurationMs)
      const limit = lane.claimSize(room, maxClaimedTimes * this.#widths.usual)
      const atMs = clock.monotonicMs()
      const ready = await claimDueDeliveries(sql, target, { now, until, limit })
      lane.hasMore = ready.length === limit
      lane.claim = { recipient, until, atMs, count: ready.length, ready }
    } finally {
      this.#count(lane.ownedId, -room)
    }
    this.#beginReady(lane, room)
  }

  /** Begins attempts of claimed deliveries as far as there is room, and those that room was reserved for. */
  #beginReady(lane: Lane, reserved = 0): void {
    if (this.#signal.aborted) this.#release(lane)
    const { claim } = lane
    for (let begun = 0; claim && lane.hasReady && (begun < reserved || this.#roomIn(lane) >= 1); begun++) {
      const [next] = claim.ready.splice(0, 1)
      if (next) this.#begin(lane, claim, next)
    }
  }

  #begin(lane: Lane, claim: Claim, next: ClaimedDelivery): void {
    lane.underWay += 1
    this.#count(lane.ownedId, 1)
    this.#track(lane, this.#attempt(lane, claim, next))
  }

  #track(lane: Lane, work: Promise<void>): void {
    const task = this.#services.tasks.add(work)
    lane.tasks.add(task)
    void task.then(() => {
      lane.tasks.delete(task)
      this.#goOn(lane)
    })
  }

  /** Makes the claimed deliveries due again whose attempt has not begun. */
  #release(lane: Lane): void {
    const { claim } = lane
    const unused = lane.takeReady()
    if (!claim || unused.length === 0) return
    lane.isAskedAgain = true
    const { clock, log } = this.#services
    const releasing = releaseClaims(
      this.#services.sql,
      lane.ownedId.merchantId,
      unused,
      claim.until,
      clock.now(),
    )
    const released = releasing
      .then(() => announceDueNow(this.#services))
      // The deliveries are due again when their claim ends.
      .catch((err: unknown) =>
        log.error(
          { err, webhook: lane.ownedId.id },
          'attempting a delivery or saving its result failed; will retry',
        ),
      )
    this.#track(lane, released)
  }

  /** Begins what is claimed. Claims more once half of the lane is free, so one query claims many deliveries. */
  #goOn(lane: Lane): void {
    if (lane.isClaimOld) this.#release(lane)
    this.#beginReady(lane)
    const isFilledAgain = lane.hasMore || lane.isAskedAgain
    const isHalfFree = !lane.hasReady && lane.underWay <= this.#widths.usual / 2
    if (isFilledAgain && isHalfFree) void this.#fill(lane)
    // The failure count is kept while anything is under way for the webhook.
    else if (lane.isIdle && !isFilledAgain) this.#lanes.delete(lane.ownedId.id)
    lane.saveIfEnough()
  }

  async #attempt(lane: Lane, { recipient, until }: Claim, claimed: ClaimedDelivery): Promise<void> {
    const { sql, clock, log } = this.#services
    let isOver = false
    const end = () => {
      if (isOver) return
      isOver = true
      lane.underWay -= 1
      this.#count(lane.ownedId, -1)
      this.#goOn(lane)
    }
    try {
      const attempt = await attemptDelivery(this.#services, recipient, claimed, this.#signal)
      if (attempt?.verdict.state === 'delivered') {
        lane.failures = 0
        // The next request need not wait until this result is saved.
        end()
        await lane.sharedSaving()
      } else if (attempt) {
        lane.failures += 1
        const { isGone, pausedUntil } = attempt.verdict
        if (isGone || pausedUntil || lane.failures >= failuresInARow) this.#release(lane)
      }
      if (attempt) await saveAttempt(this.#services, recipient, attempt)
      else {
        await releaseClaims(sql, claimed.merchantId, [claimed], until, clock.now())
        announceDueNow(this.#services)
      }
    } catch (err) {
      // The delivery is due again when its claim ends.
      log.error(
        { err, delivery: claimed.id },
        'attempting a delivery or saving its result failed; will retry',
      )
    }
    end()
  }
}
