import type { VerifiedClock } from '../../kit/runtime/verified-clock.ts'
import type { Heartbeat } from './store.ts'

/** Time without a heartbeat after which an instance has ended or cannot reach the database. */
const aliveForMs = 20_000

/** Greatest age of a heartbeat when an instance that reads every second sees it. */
const seenAfterMs = 2_000

interface Sighting {
  beats: number
  clockAt: Date
  /** Own monotonic time of its last heartbeat; undefined until a second one proves that it runs. */
  seenAtMs: number | undefined
}

/** Other running instances, and their clocks as their heartbeats show them. */
export class PeerInstances {
  #sightings = new Map<number, Sighting>()

  /** Records the rows of the other instances. Only a row that changes shows a running instance. */
  see(beats: readonly Heartbeat[], monotonicMs: number): void {
    const seen = beats.map(({ id, beats: count, clockAt }): [number, Sighting] => {
      const known = this.#sightings.get(id)
      if (known?.beats === count) return [id, known]
      return [id, { beats: count, clockAt, seenAtMs: known && monotonicMs }]
    })
    this.#sightings = new Map(seen)
  }

  /** True if other instances run and all their clocks agree with this one. */
  allAgree(clock: Pick<VerifiedClock, 'wall' | 'monotonicMs'>, toleranceMs: number): boolean {
    const [nowMs, monotonicMs] = [clock.wall().getTime(), clock.monotonicMs()]
    const clocks = [...this.#sightings.values()].flatMap(({ clockAt, seenAtMs }) =>
      seenAtMs !== undefined && monotonicMs - seenAtMs <= aliveForMs
        ? [clockAt.getTime() + monotonicMs - seenAtMs]
        : [],
    )
    return (
      clocks.length > 0 && clocks.every((clockMs) => Math.abs(clockMs - nowMs) <= toleranceMs + seenAfterMs)
    )
  }
}
