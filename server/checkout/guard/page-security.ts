import { isIPv4 } from 'node:net'
import type { Config } from '../../config.ts'
import type { Services } from '../../services.ts'

/** True if the page's traffic is protected: by https, or because it does not leave this machine. */
export function isCardEntrySecure({ pageUrl }: Pick<Config, 'pageUrl'>): boolean {
  const { protocol, hostname } = new URL(pageUrl)
  if (protocol === 'https:' || hostname === '[::1]') return true
  return /(^|\.)localhost$/.test(hostname) || (isIPv4(hostname) && hostname.startsWith('127.'))
}

const warnedEveryMs = 60_000
const lastWarning = () => ({ atMs: Number.NEGATIVE_INFINITY })

/**
 * True if a typed card may be accepted. Guarantee: a live merchant's card is never accepted over an
 * unprotected network.
 */
export function isCardEntryAllowed(
  { config, clock, log, processState }: Pick<Services, 'config' | 'clock' | 'log' | 'processState'>,
  { live }: { live: boolean },
): boolean {
  if (!live || isCardEntrySecure(config)) return true
  const nowMs = clock.monotonicMs()
  const last = processState.of(lastWarning)
  if (nowMs - last.atMs >= warnedEveryMs) {
    last.atMs = nowMs
    log.warn({}, 'a card of a live merchant was not taken: PAGE_URL is plain http')
  }
  return false
}
