import type { Clock, ClockFaultKind } from './clock.ts'

/** Equal measurements in a row that confirm the clock as right or as wrong. */
export const measurementsToConfirm = 2

/**
 * Longest time without a measurement. Measurements come every second; without them the process was suspended
 * or cannot measure.
 */
const longestUnmeasuredMs = 10_000

/**
 * The machine's clock, as far as it can be trusted. `ClockWatch` measures it and reports the result.
 * Guarantee: once it was confirmed right, `now` steps by more than the tolerance only if two measurements in
 * a row confirm the new time. While the machine's clock is wrong or has leapt, time continues from the last
 * right moment by the monotonic clock, and `fault` blocks new work.
 */
export class VerifiedClock implements Clock {
  readonly #machine: Clock
  readonly #toleranceMs: number
  /** The last moment at which the machine's clock was right, by its wall clock and its monotonic clock. */
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

  wall(): Date {
    return this.#machine.now()
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#machine.sleep(ms, signal)
  }

  startTimer(ms: number, work: () => void): () => void {
    return this.#machine.startTimer(ms, work)
  }

  get isUnconfirmed(): boolean {
    return this.#rightAt === undefined
  }

  get fault(): ClockFaultKind | undefined {
    if (this.isUnconfirmed) return 'unconfirmed'
    if (!this.#isConfirmedRight) return 'wrong'
    if (this.hasLeapt) return 'leapt'
    const isDoubted = !this.#last?.isRight
    const measuredAtMs = isDoubted ? (this.#last?.atMs ?? 0) : this.#measuredAtMs
    if (this.monotonicMs() - measuredAtMs > longestUnmeasuredMs) return 'unmeasured'
    return isDoubted ? 'doubted' : undefined
  }

  /** True if the machine's clock moved against the monotonic clock since it was right. */
  get hasLeapt(): boolean {
    return this.#isLeap(this.wall(), this.#steadyMs())
  }

  /**
   * Records a measurement: true if the machine's clock was right, undefined if the measurement was
   * inconclusive.
   */
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
