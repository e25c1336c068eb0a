import { setTimeout } from 'node:timers/promises'
import type { Frame } from 'playwright-core'

/** A frame that leaves for another page while it is asked may never answer, and is to be asked again. */
const lateMs = 10_000

/** Asks a frame. Answers `gone` when the browser has removed it, undefined when no answer comes. */
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

/** Playwright may miss that a frame is removed while its page changes process, and waits for its answers for ever. */
async function isThere(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  return frame.frameElement().then(
    () => true,
    () => false,
  )
}
