import { createHmac } from 'node:crypto'
import { clientNetworkOf } from '../../kit/http/client-network.ts'
import type { Services } from '../services.ts'
import type { AttemptCount, AttemptLimit } from './store.ts'
import { countWithinLimits, deleteAttemptCountsBefore } from './store.ts'

/** Source of an attempt to pay: from where, and with which card. */
export interface AttemptSource {
  address: string
  fingerprint: Buffer
}

const stretchMs = 10 * 60 * 1000

/** The stretch that has begun and the six before: an hour at least, and ten minutes more at most. */
const earlierStretches = 6

const deletedAtOnce = 5_000

/**
 * Counts an attempt of a live merchant's payer, unless its sender or its card had all that an hour allows; then it answers how
 * long to wait. Guarantee: within any hour no more are let through than the settings say, on all instances together.
 * An attempt that is refused counts for whichever of the two was not full, and lengthens no wait: who waits gets through.
 */
export async function rateLimitAttempt(
  { sql, clock, config, keyring }: Pick<Services, 'sql' | 'clock' | 'config' | 'keyring'>,
  { address, fingerprint }: AttemptSource,
): Promise<{ retryAfterS: number } | undefined> {
  const [{ key }] = keyring.keysFor('attempt counts')
  const hashed = (what: string) => createHmac('sha256', key).update(what).digest('base64url')
  const [first, ...others] = [
    { name: hashed(`address ${clientNetworkOf(address)}`), max: config.attemptsPerAddress },
    { name: hashed(`card ${fingerprint.toString('hex')}`), max: config.attemptsPerCard },
  ].filter(({ max }) => max > 0)
  if (!first) return undefined
  const limits: [AttemptLimit, ...AttemptLimit[]] = [first, ...others]
  const nowMs = clock.now().getTime()
  const stretch = Math.floor(nowMs / stretchMs)
  const { counted, earlier } = await countWithinLimits(sql, limits, {
    stretch,
    since: stretch - earlierStretches,
  })
  const full = limits.filter(({ name }) => !counted.includes(name))
  if (full.length === 0) return undefined
  const frees = full.map((limit) => stretchThatFrees(limit, earlier, stretch))
  const freeMs = (Math.max(...frees) + earlierStretches + 1) * stretchMs
  return { retryAfterS: Math.ceil((freeMs - nowMs) / 1000) }
}

/** The stretch after whose end a full name has room again. What was counted at this very moment is not among the counts. */
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

/** Deletes the counts that nobody asks for any more. Any number of instances may do so at the same time. */
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
