import type { Clock } from '../../../kit/runtime/clock.ts'
import type { OwnedId } from '../../database/owned-id.ts'
import type { DeliveryRecipient } from './attempt-delivery.ts'
import type { ClaimedDelivery } from './store.ts'

/** Consecutive failures after which a webhook counts as failing. */
export const failuresInARow = 5

/**
 * Length of a claim. It is longer than an attempt, so no other instance attempts the delivery meanwhile.
 * After a kill the delivery is due again at the end of the claim.
 */
export const claimDurationMs = 20_000

/**
 * Longest time between a claim and an attempt. An attempt takes at most fifteen seconds, so it ends before its
 * claim. A change of the webhook is seen after this time at the latest.
 */
const longestReadyMs = 1_000

/** A claim is at most as large as the number of attempts that the webhook completed in this time lately. */
const claimedAheadMs = 500

/** Longest wait of a result for other results of its webhook. */
const longestUnsavedMs = 50

/** Deliveries that were claimed by one query, for a webhook as it was then. */
export interface Claim {
  recipient: DeliveryRecipient
  until: Date
  atMs: number
  /** Number of deliveries, without those that were released. */
  count: number
  /** Claimed deliveries whose attempt has not begun, the longest due first. */
  ready: ClaimedDelivery[]
}

/** Results that are saved together. */
interface Saving extends PromiseWithResolvers<void> {
  count: number
}

/** The work for one webhook. */
export class Lane {
  readonly ownedId: OwnedId
  /** Requests under way. */
  underWay = 0
  /** Attempts whose result is not saved, and other writes. */
  readonly tasks = new Set<Promise<void>>()
  claim: Claim | undefined
  filling: Promise<void> | undefined
  /** True if more deliveries may be due than were claimed. */
  hasMore = false
  /** True if deliveries became due since the last claim began. */
  isAskedAgain = false
  /** Failures in a row, kept while anything is under way. */
  failures = 0
  #saving: Saving | undefined
  readonly #clock: Clock

  constructor(ownedId: OwnedId, clock: Clock) {
    this.ownedId = ownedId
    this.#clock = clock
  }

  get hasReady(): boolean {
    return this.claim !== undefined && this.claim.ready.length > 0
  }

  get isIdle(): boolean {
    return this.tasks.size === 0 && !this.filling
  }

  /** True if deliveries are ready for so long that they must be claimed again. */
  get isClaimOld(): boolean {
    return (
      this.claim !== undefined &&
      this.hasReady &&
      this.#clock.monotonicMs() - this.claim.atMs > longestReadyMs
    )
  }

  /**
   * Number of deliveries to claim now, at least `room`. A webhook that responds quickly gets more at a time, so
   * that each query claims many; a slow or failing one gets no more than can be attempted immediately.
   */
  claimSize(room: number, most: number): number {
    if (!this.claim || this.failures > 0) return room
    const tookMs = Math.max(1, this.#clock.monotonicMs() - this.claim.atMs)
    return Math.max(room, Math.min(most, Math.floor((this.claim.count * claimedAheadMs) / tookMs)))
  }

  /** Takes the claimed deliveries whose attempt has not begun out of the claim. */
  takeReady(): ClaimedDelivery[] {
    if (!this.claim) return []
    this.claim.count -= this.claim.ready.length
    return this.claim.ready.splice(0)
  }

  /**
   * Waits until a result is saved together with others of the webhook: until as many results wait as requests
   * are under way, at most a twentieth of a second.
   */
  sharedSaving(): Promise<void> {
    this.#saving ??= { count: 0, ...Promise.withResolvers<void>() }
    const saving = this.#saving
    saving.count += 1
    this.saveIfEnough()
    if (saving.count === 1 && this.#saving === saving)
      void this.#clock.sleep(longestUnsavedMs).then(() => this.#endSaving(saving))
    return saving.promise
  }

  saveIfEnough(): void {
    if (this.#saving && this.#saving.count >= this.underWay) this.#endSaving(this.#saving)
  }

  #endSaving(saving: Saving): void {
    if (this.#saving === saving) this.#saving = undefined
    saving.resolve()
  }
}
