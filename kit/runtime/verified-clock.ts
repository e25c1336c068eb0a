import type { Clock, ClockFaultKind } from './clock.ts'

/** Measurements in a row that have to say the same before the clock is found right, or wrong. */
export const measurementsToConfirm = 2

/** Measurements come every second. Without any for so long, the process stood still or cannot measure. */
const longestUnmeasuredMs = 10_000

/**
 * The machine's clock, as far as it can be trusted. `ClockWatch` measures it and hands in what it found. Guarantee: once it was
 * found right, `now` steps by more than the tolerance only when two measurements in a row confirm the new time. While it is
 * found wrong, or has leapt against the monotonic clock, time goes on from the last moment at which it was right, and `fault`
 * says that no work may begin.
 */
export class VerifiedClock implements Clock {
  readonly #machine: Clock
  readonly #toleranceMs: number
  /** The last moment at which the machine's clock was right, by both of its clocks. */
  #rightAt: { wallMs: number; monotonicMs: number } | undefined
  #isConfirmedRight = false
  #last: { isRight: boolean; hasLeapt: boolean; atMs: number } | undefined
  #inARow = 0
  #measuredAtMs = Number.NEGATIVE_INFINITY

  constructor(machine: Clock, toleranceMs: number) {
    this.#machine = machine
    this.#toleranceMs = toleranceMs
  }

  now(): Date {
    const wall = this.wall()
    const steadyMs = this.#steadyMs()
    const isWallRight = this.#isConfirmedRight && !this.#isLeap(wall, steadyMs)
    return steadyMs === undefined || isWallRight ? wall : new Date(steadyMs)
  }

  /** Time by the machine's clock, right or wrong. */
  wall(): Date {
    return this.#machine.now()
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#machine.sleep(ms, signal)
  }

  get fault(): ClockFaultKind | undefined {
    if (!this.#rightAt) return 'unconfirmed'
    if (!this.#isConfirmedRight) return 'wrong'
    if (this.hasLeapt) return 'leapt'
    const isDoubted = !this.#last?.isRight
    const measuredAtMs = isDoubted ? (this.#last?.atMs ?? 0) : this.#measuredAtMs
    if (this.monotonicMs() - measuredAtMs > longestUnmeasuredMs) return 'unmeasured'
    return isDoubted ? 'doubted' : undefined
  }

  /** Whether the machine's clock has gone elsewhere than the monotonic one since it was right. */
  get hasLeapt(): boolean {
    return this.#isLeap(this.wall(), this.#steadyMs())
  }

  /** Takes in whether the machine's clock was right when it was measured; undefined if that could not be told. */
  note(isRight: boolean | undefined): void {
    this.#measuredAtMs = this.monotonicMs()
    if (isRight === undefined) return
    const { hasLeapt } = this
    const isAsBefore = this.#last?.isRight === isRight && this.#last.hasLeapt === hasLeapt
    this.#inARow = isAsBefore ? this.#inARow + 1 : 1
    this.#last = { isRight, hasLeapt, atMs: this.monotonicMs() }
    const isSure = this.#inARow >= measurementsToConfirm
    if (isSure) this.#isConfirmedRight = isRight
    if (isRight && (isSure || (this.#isConfirmedRight && !hasLeapt)))
      this.#rightAt = { wallMs: this.wall().getTime(), monotonicMs: this.monotonicMs() }
  }

  #steadyMs(): number | undefined {
    return this.#rightAt && this.#rightAt.wallMs + this.monotonicMs() - this.#rightAt.monotonicMs
  }

  #isLeap(wall: Date, steadyMs: number | undefined): boolean {
    return steadyMs !== undefined && Math.abs(wall.getTime() - steadyMs) > this.#toleranceMs
  }
}
