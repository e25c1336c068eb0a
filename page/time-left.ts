import { element } from './element.ts'
import { interpolate, texts } from './page-data.ts'
import { clockText } from './rules/clock-text.ts'

const minuteMs = 60_000
const tickMs = 1_000
/** Remaining time from which the countdown is shown. */
const shownFromMs = 5 * minuteMs
/** Remaining minutes at which a screen reader announces the time. */
const announcedAtMinutes = [5, 1]

const shown = element('time-left', HTMLElement)
const announcement = element('time-said', HTMLElement)
let endsAtMs: number | undefined
let lastAnnounced = Number.POSITIVE_INFINITY
let timer: ReturnType<typeof setTimeout> | undefined
let onEnd: () => void = () => undefined

/** Calls when the time of the page is over. */
export function onTimeUp(call: () => void): void {
  onEnd = call
}

/**
 * Counts down the remaining time that the service sent, because the browser's clock may be wrong. After a
 * sleep of the machine the countdown is late until the next request. Undefined stops it.
 */
export function setTimeLeft(ms: number | undefined): void {
  endsAtMs = ms === undefined ? undefined : performance.now() + ms
  tick()
}

function tick(): void {
  clearTimeout(timer)
  const leftMs = endsAtMs === undefined ? undefined : endsAtMs - performance.now()
  shown.hidden = leftMs === undefined || leftMs > shownFromMs
  if (leftMs === undefined || leftMs <= 0) {
    const isUp = leftMs !== undefined
    endsAtMs = undefined
    shown.hidden = true
    announcement.textContent = ''
    if (isUp) onEnd()
    return
  }
  if (leftMs > shownFromMs) {
    timer = setTimeout(tick, leftMs - shownFromMs)
    return
  }
  shown.textContent = interpolate(texts.expiresSoon, { time: clockText(leftMs) })
  announceMinutes(Math.ceil(leftMs / minuteMs))
  timer = setTimeout(tick, leftMs % tickMs || tickMs)
}

function announceMinutes(minutes: number): void {
  const due = announcedAtMinutes.findLast((each) => minutes <= each)
  if (due === undefined || due >= lastAnnounced) return
  lastAnnounced = due
  announcement.textContent = interpolate(texts.expiresSaid, { minutes })
}
