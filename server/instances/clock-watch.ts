import { repeat } from '../../kit/runtime/clock.ts'
import type { VerifiedClock } from '../../kit/runtime/verified-clock.ts'
import { measurementsToConfirm } from '../../kit/runtime/verified-clock.ts'
import type { OpenServices } from '../services.ts'
import { measureClock } from './measure-clock.ts'
import { PeerInstances } from './peers.ts'
import { deleteInstance, deleteInstancesBefore, exchangeHeartbeats } from './store.ts'

const everyMs = 1_000
/** Measurements per heartbeat of an instance; one while its clock differs from the database's. */
const measurementsPerBeat = 5
/** Limit of measurements at the start, including slow ones. */
const maxAtStart = 10
const forgottenAfterMs = 24 * 60 * 60 * 1000

const clockStates = [
  'right',
  'database_wrong',
  'unconfirmed',
  'doubted',
  'wrong',
  'leapt',
  'unmeasured',
] as const

export type ClockState = (typeof clockStates)[number]

/**
 * Measures the clock of this instance against the database's. Guarantee: beyond the tolerance the clock is
 * wrong after two consecutive measurements, and right again after two. If other instances run and all differ
 * from the database as this one does, the database's clock is wrong: that is logged, and work continues.
 */
export class ClockWatch {
  readonly #services: Pick<OpenServices, 'own' | 'ids' | 'log'>
  readonly #clock: VerifiedClock
  readonly #toleranceMs: number
  readonly #peers = new PeerInstances()
  #id: number | undefined
  #measurements = 0
  #beats = 0
  #offsetMs = 0
  #isDatabaseWrong = false
  /** True after rows of killed instances have been deleted. */
  #hasForgotten = false
  #logged: ClockState | undefined
  /** True if a right clock is news: the log has said before that it was not, or that it is not known. */
  #isDoubtLogged = false

  constructor(
    services: Pick<OpenServices, 'own' | 'ids' | 'log' | 'config' | 'metrics'>,
    clock: VerifiedClock,
  ) {
    const { config, metrics } = services
    this.#services = services
    this.#clock = clock
    this.#toleranceMs = config.clockToleranceSeconds * 1000
    metrics.gauge(
      'vezne_clock_offset_seconds',
      'Clock of this instance minus the clock of the database.',
      () => this.#offsetMs / 1000,
    )
    metrics.labelledGauge(
      'vezne_clock_state',
      'State of the clock of this instance: 1 of one state.',
      'state',
      () => Object.fromEntries(clockStates.map((state) => [state, state === this.state ? 1 : 0])),
    )
  }

  get state(): ClockState {
    return this.#clock.fault ?? (this.#isDatabaseWrong ? 'database_wrong' : 'right')
  }

  async measure(): Promise<void> {
    const offsetMs = await measureClock(this.#services.own, {
      now: () => this.#clock.wall(),
      monotonicMs: () => this.#clock.monotonicMs(),
    })
    if (offsetMs === undefined) return this.#clock.note(undefined)
    const differs = Math.abs(offsetMs) > this.#toleranceMs
    if (differs || this.#measurements % measurementsPerBeat === 0) await this.#beat()
    this.#measurements += 1
    this.#isDatabaseWrong =
      differs && !this.#clock.hasLeapt && this.#peers.allAgree(this.#clock, this.#toleranceMs)
    this.#clock.note(!differs || this.#isDatabaseWrong)
    this.#logVerdict(offsetMs)
    this.#offsetMs = offsetMs
  }

  /** Measures until the clock is found right or wrong, at most ten times; slow measurements do not count. */
  async begin(): Promise<void> {
    const enough = this.#measurements + measurementsToConfirm
    for (let count = 0; count < maxAtStart && this.#measurements < enough; count++) await this.measure()
    if (this.#clock.fault) this.#isDoubtLogged = true
    if (this.#measurements >= enough) return
    this.#services.log.warn(
      {},
      'the clock could not be measured: the database answers too slowly; no work begins until it is measured',
    )
  }

  async watch(signal: AbortSignal): Promise<void> {
    const { own, log } = this.#services
    await repeat(this.#clock, everyMs, signal, () =>
      this.measure().catch((err) => log.warn({ err }, 'measuring the clock failed; will retry')),
    )
    if (this.#id !== undefined) await deleteInstance(own, this.#id).catch(() => undefined)
  }

  async #beat(): Promise<void> {
    const { own, ids } = this.#services
    this.#id ??= await ids.next()
    this.#beats += 1
    const clockAt = this.#clock.wall()
    this.#peers.see(
      await exchangeHeartbeats(own, { id: this.#id, beats: this.#beats, clockAt }),
      this.#clock.monotonicMs(),
    )
    if (this.#hasForgotten || this.#clock.fault) return
    await deleteInstancesBefore(own, new Date(clockAt.getTime() - forgottenAfterMs))
    this.#hasForgotten = true
  }

  /** Logs a changed verdict. States that the next measurement decides are not logged. */
  #logVerdict(offsetMs: number): void {
    const { log } = this.#services
    const isFar = [this.#offsetMs, offsetMs].every((each) => Math.abs(each) > this.#toleranceMs)
    const verdict = this.state === 'unconfirmed' && isFar ? 'wrong' : this.state
    if (verdict !== 'right' && verdict !== 'wrong' && verdict !== 'database_wrong') return
    if (verdict === this.#logged) return
    this.#logged = verdict
    const offset = { offset_seconds: Math.round(offsetMs / 1000) }
    if (verdict === 'right' && this.#isDoubtLogged) log.info(offset, 'the clock is right; work may begin')
    this.#isDoubtLogged = verdict !== 'right'
    if (verdict === 'wrong')
      log.error(offset, 'the clock of this instance is wrong; no work begins until it is right')
    if (verdict === 'database_wrong')
      log.error(
        offset,
        'the clock of the database is wrong: all instances agree on another time; work goes on',
      )
  }
}
