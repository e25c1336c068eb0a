import type { Random } from '../../../kit/security/random.ts'

/** Waits between the ten attempts. The first attempt is immediate. */
export const retryWaitsS = [
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  20 * 3600,
  24 * 3600,
] as const

/** Share by which a wait varies, so that attempts that failed together are not repeated together. */
const jitter = 0.2

const longestQuietMs = 24 * 3600 * 1000

/** Longest time between two attempts, whatever `Retry-After` is. */
export const longestRetryWaitS = Math.max(
  ...retryWaitsS.map((waitS) => waitS * (1 + jitter)),
  longestQuietMs / 1000,
)

/** Time of the next attempt, not before `Retry-After`; null after the last attempt. */
export function nextAttemptAt(
  attemptCount: number,
  now: Date,
  random: Random,
  retryAfterMs = 0,
): Date | null {
  const waitS = retryWaitsS[attemptCount - 1]
  if (waitS === undefined) return null
  const share = random.bytes(4).readUInt32BE() / 0xffff_ffff
  const waitMs = Math.round(waitS * 1000 * (1 - jitter + 2 * jitter * share))
  return new Date(now.getTime() + Math.max(waitMs, retryAfterMs))
}

/** Wait that `Retry-After` asks for, in seconds or until a date; at most a day. Zero if unreadable. */
export function parseRetryAfterHeaderMs(header: string | null, now: Date): number {
  if (header === null) return 0
  const text = header.trim()
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : dateIn(text) - now.getTime()
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), longestQuietMs)
}

/** Parses an HTTP date. Other formats are not guessed. */
function dateIn(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
}
