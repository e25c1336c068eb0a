import { fetchJson } from './fetch-json.ts'
import type { PageState } from './rules/page-state.ts'
import { isOver } from './rules/page-state.ts'
import { pollDelayMs, retryDelayMs } from './rules/polling-pace.ts'

/** Several triggers within this time cause one request. */
const onceWithinMs = 300

let onPageState: (now: PageState) => void = () => undefined
let mayPoll: () => boolean = () => true
/** Number of the last request. A response to an earlier request is out of date. */
let questions = 0
let polls = 0
let lastCourse = ''
let answeredAtMs = Number.NEGATIVE_INFINITY
let isDone = false
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Polls the state of the payment as often as it can change, and when the payer returns to the window. `may`
 * pauses polling while a request of the page itself will bring a newer state.
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

/** Requests the state now. */
export async function refreshPageState(): Promise<void> {
  questions += 1
  const question = questions
  const now = await fetchJson<PageState>('status')
  if (question !== questions) return
  if (now?.view) onPageState(now)
  else pollIn(retryDelayMs)
}

/** Takes over a state that is newer than any pending response, and schedules the next poll. */
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

/** Makes pending responses out of date. */
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
