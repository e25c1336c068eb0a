import { ask } from './ask.ts'
import { lostMs, pauseMs } from './rules/pace.ts'
import type { PageState } from './rules/page-state.ts'
import { isOver } from './rules/page-state.ts'

/** Two reasons to look that come at once are one. */
const onceWithinMs = 300

let onPageState: (now: PageState) => void = () => undefined
let mayLook: () => boolean = () => true
/** How often it was asked how things stand: an answer to anything but the last question is out of date. */
let questions = 0
let timesAsked = 0
let lastCourse = ''
let answeredAtMs = Number.NEGATIVE_INFINITY
let isDone = false
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Keeps asking how the payment stands, as often as that may change, and when the payer looks here again. What is under
 * way here says more, so `may` can hold it back.
 */
export function watchPageState(call: (now: PageState) => void, may: () => boolean): void {
  onPageState = call
  mayLook = may
  window.addEventListener('focus', look)
  window.addEventListener('online', look)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') look()
  })
}

/** Asks now. */
export async function refresh(): Promise<void> {
  questions += 1
  const question = questions
  const now = await ask<PageState>('status')
  if (question !== questions) return
  if (now?.view) onPageState(now)
  else lookIn(lostMs)
}

/** Something newer than any answer that may still come is known: it is looked again in due time. */
export function lookAfter(now: PageState): void {
  questions += 1
  answeredAtMs = performance.now()
  isDone = isOver(now)
  const course = `${now.view} ${now.isEnding} ${now.isUnderWay}`
  timesAsked = course === lastCourse ? timesAsked + 1 : 0
  lastCourse = course
  const ms = pauseMs(now, timesAsked, document.visibilityState === 'hidden')
  if (ms === undefined) clearTimeout(timer)
  else lookIn(ms)
}

/** Answers that are on their way are out of date. */
export function outdate(): void {
  questions += 1
}

function look(): void {
  if (isDone || performance.now() - answeredAtMs < onceWithinMs) return
  if (mayLook()) void refresh()
  else lookIn(lostMs)
}

function lookIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(look, ms)
}
