import { createHmac } from 'node:crypto'
import { clientNetworkOf } from '../../kit/http/client-network.ts'
import type { Services } from '../services.ts'
import type { AttemptCount, AttemptLimit } from './store.ts'
import { countWithinLimits, deleteAttemptCountsBefore } from './store.ts'

const stretchMs = 10 * 60 * 1000

/** Counted period: the current stretch and the six before it, which is 60 to 70 minutes. */
const earlierStretches = 6

const deletedAtOnce = 5_000

/**
 * Counts an attempt of a live merchant's payer. Returns a wait if its sender or its card has reached the
 * limit of an hour. Guarantee: within any hour no more attempts pass than the settings allow, across all
 * instances. A refused attempt counts for the sender or the card if that one has room; it never extends a
 * wait.
 */
export async function rateLimitAttempt(
  { sql, clock, config, keyring }: Pick<Services, 'sql' | 'clock' | 'config' | 'keyring'>,
  { address, fingerprint }: { address: string; fingerprint: Buffer },
): Promise<{ retryAfterS: number } | undefined> {
  const [{ key }] = keyring.keysFor('attempt counts')
  const hashed = (what: string) => createHmac('sha256', key).update(what).digest('base64url')
  const limits = [
    { name: hashed(`address ${clientNetworkOf(address)}`), max: config.attemptsPerAddress },
    { name: hashed(`card ${fingerprint.toString('hex')}`), max: config.attemptsPerCard },
  ].filter(({ max }) => max > 0)
  if (limits.length === 0) return undefined
  const nowMs = clock.now().getTime()
  const stretch = Math.floor(nowMs / stretchMs)
  const since = stretch - earlierStretches
  const { counted, earlier } = await countWithinLimits(sql, limits, { stretch, since })
  const full = limits.filter(({ name }) => !counted.includes(name))
  if (full.length === 0) return undefined
  const frees = full.map((limit) => stretchThatFrees(limit, earlier, stretch))
  const freeMs = (Math.max(...frees) + earlierStretches + 1) * stretchMs
  return { retryAfterS: Math.ceil((freeMs - nowMs) / 1000) }
}

/**
 * Stretch whose expiry gives a full name room again. `counts` does not include attempts counted by this
 * query.
 */
function stretchThatFrees({ name, max }: AttemptLimit, counts: readonly AttemptCount[], now: number): number {
  const own = counts.filter((count) => count.name === name).toSorted((a, b) => a.stretch - b.stretch)
  let left = Math.max(
    max,
    own.reduce((sum, { count }) => sum + count, 0),
  )
  for (const { stretch, count } of own) {
    left -= count
    if (left < max) return Math.min(stretch, now)
  }
  return now
}

/** Deletes expired counts. Several instances can run it at the same time. */
export async function deleteOldAttemptCounts({
  sql,
  clock,
}: Pick<Services, 'sql' | 'clock'>): Promise<number> {
  const oldest = Math.floor(clock.now().getTime() / stretchMs) - earlierStretches - 1
  let forgotten = 0
  for (;;) {
    const count = await deleteAttemptCountsBefore(sql, oldest, deletedAtOnce)
    forgotten += count
    if (count < deletedAtOnce) return forgotten
  }
}
