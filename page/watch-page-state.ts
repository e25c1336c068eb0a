import { fetchJson } from './fetch-json.ts'
import type { PageState } from './rules/page-state.ts'
import { isOver } from './rules/page-state.ts'
import { pollDelayMs, retryDelayMs } from './rules/polling-pace.ts'

/** Two reasons to look that come at once are one. */
const onceWithinMs = 300

let onPageState: (now: PageState) => void = () => undefined
let mayPoll: () => boolean = () => true
/** How often it was asked how things stand: an answer to anything but the last question is out of date. */
let questions = 0
let polls = 0
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
  mayPoll = may
  window.addEventListener('focus', poll)
  window.addEventListener('online', poll)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') poll()
  })
}

/** Asks now. */
export async function refreshPageState(): Promise<void> {
  questions += 1
  const question = questions
  const now = await fetchJson<PageState>('status')
  if (question !== questions) return
  if (now?.view) onPageState(now)
  else pollIn(retryDelayMs)
}

/** Something newer than any answer that may still come is known: it is looked again in due time. */
export function scheduleNextPoll(now: PageState): void {
  questions += 1
  answeredAtMs = performance.now()
  isDone = isOver(now)
  const course = `${now.view} ${now.isEnding} ${now.isUnderWay}`
  polls = course === lastCourse ? polls + 1 : 0
  lastCourse = course
  const ms = pollDelayMs(now, polls, document.visibilityState === 'hidden')
  if (ms === undefined) clearTimeout(timer)
  else pollIn(ms)
}

/** Answers that are on their way are out of date. */
export function discardPendingAnswers(): void {
  questions += 1
}

function poll(): void {
  if (isDone || performance.now() - answeredAtMs < onceWithinMs) return
  if (mayPoll()) void refreshPageState()
  else pollIn(retryDelayMs)
}

function pollIn(ms: number): void {
  clearTimeout(timer)
  timer = setTimeout(poll, ms)
}
