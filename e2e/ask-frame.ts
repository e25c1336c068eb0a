import { setTimeout } from 'node:timers/promises'
import type { Frame } from 'playwright-core'

/** Time limit of a question. A frame that navigates while it is asked may never answer. */
const lateMs = 10_000

/** Asks a frame. Returns `gone` if the browser has removed it, undefined if no answer comes in time. */
export async function askFrame<Answer>(
  frame: Frame,
  question: (frame: Frame) => Promise<Answer>,
): Promise<Answer | 'gone' | undefined> {
  if (!(await isThere(frame))) return 'gone'
  const answered = new AbortController()
  const late = setTimeout(lateMs, undefined, { signal: answered.signal }).catch(() => undefined)
  try {
    return await Promise.race([question(frame), late])
  } finally {
    answered.abort()
  }
}

/** Playwright may miss the removal of a frame while its page changes process, and would wait forever. */
async function isThere(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  return frame.frameElement().then(
    () => true,
    () => false,
  )
}
