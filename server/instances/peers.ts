import type { Heartbeat } from './store.ts'

/** An instance that shows no sign of life for so long has ended, or cannot reach the database. */
const aliveForMs = 20_000

/** A beat is this old at most when it is seen by an instance that looks every second. */
const seenAfterMs = 2_000

interface Sighting {
  beats: number
  clockAt: Date
  /** Own monotonic time at which its last beat was seen; undefined before a second beat proves that it runs. */
  seenAtMs: number | undefined
}

/** Other instances that run, and their clocks as their beats show them. */
export class PeerInstances {
  #sightings = new Map<number, Sighting>()

  /** Takes in the rows of the other instances. A row proves nothing; a row that changes shows an instance that runs. */
  see(beats: readonly Heartbeat[], monotonicMs: number): void {
    const seen = beats.map(({ id, beats: count, clockAt }): [number, Sighting] => {
      const known = this.#sightings.get(id)
      if (known?.beats === count) return [id, known]
      return [id, { beats: count, clockAt, seenAtMs: known && monotonicMs }]
    })
    this.#sightings = new Map(seen)
  }

  /** Whether other instances run, and the clocks of all of them agree with this time. */
  allAgree(now: Date, monotonicMs: number, toleranceMs: number): boolean {
    const clocks = [...this.#sightings.values()].flatMap(({ clockAt, seenAtMs }) =>
      seenAtMs !== undefined && monotonicMs - seenAtMs <= aliveForMs
        ? [clockAt.getTime() + monotonicMs - seenAtMs]
        : [],
    )
    return (
      clocks.length > 0 &&
      clocks.every((clockMs) => Math.abs(clockMs - now.getTime()) <= toleranceMs + seenAfterMs)
    )
  }
}
