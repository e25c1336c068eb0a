import type { SecretPan } from '../../kit/money/card.ts'
import { abortableHttpClient } from '../../kit/outbound/http-client.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { CardRangeTable } from './protocol/card-ranges.ts'
import { applyCardRanges, findEnrolment } from './protocol/card-ranges.ts'
import { parseMessage } from './protocol/parse-message.ts'
import { buildPReq } from './protocol/preq.ts'
import type { PRes } from './protocol/pres.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import type { ProtocolVersion } from './protocol/versions.ts'
import { supportedVersions } from './protocol/versions.ts'
import { sendToDirectoryServer } from './send-to-directory-server.ts'

/** Directory server's information about a card. */
export type CardEnrolment =
  | { outcome: 'enrolled'; version: ProtocolVersion; methodUrl: string | null }
  | { outcome: 'not_enrolled' }
  /** The directory server did not answer, or its answer was invalid. */
  | { outcome: 'not_known' }

interface CachedRanges {
  table: CardRangeTable
  serialNumber: string | null
  /** Time of the last request, successful or not. */
  requestedAtMs: number
}

/** Card ranges of each directory server, cached for a day, and the requests for them under way. */
const cardRangesByUrl = () => ({
  tables: new Map<string, CachedRanges>(),
  pending: new Map<string, Promise<CachedRanges | undefined>>(),
})

const dayMs = 24 * 60 * 60 * 1000
/** Pause before a failed refresh is repeated. The earlier table stays in use meanwhile. */
const againMs = 60 * 1000

type Needs = Pick<Services, 'http' | 'config' | 'clock' | 'random' | 'log' | 'processState' | 'tasks'>

/** Returns whether a card is enrolled in 3-D Secure, with the version and 3DS Method of its issuer. */
export async function cardEnrolmentOf(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  directoryUrl: string,
  pan: SecretPan,
): Promise<CardEnrolment> {
  const ranges = await cachedCardRanges(services, merchant, directoryUrl)
  if (!ranges) return { outcome: 'not_known' }
  const enrolment = findEnrolment(ranges.table, pan)
  return enrolment ? { outcome: 'enrolled', ...enrolment } : { outcome: 'not_enrolled' }
}

/**
 * Cached card ranges. A missing table is requested first; an outdated one is returned and refreshed in the
 * background. Simultaneous callers share one request.
 */
function cachedCardRanges(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  url: string,
): Promise<CachedRanges | undefined> {
  const { processState, clock, tasks, log } = services
  const { tables, pending } = processState.of(cardRangesByUrl)
  const before = tables.get(url)
  if (before && clock.now().getTime() - before.requestedAtMs < dayMs) return Promise.resolve(before)
  const under = pending.get(url)
  if (under) return before ? Promise.resolve(before) : under
  // The outdated table stays in use until the refresh succeeds. The end of the process ends the refresh.
  const needs = before ? { ...services, http: abortableHttpClient(services.http, tasks.signal) } : services
  const request = fetchCardRanges(needs, merchant, url, before)
    .then((after) => {
      if (after) tables.set(url, after)
      return after
    })
    .finally(() => pending.delete(url))
  pending.set(url, request)
  if (!before) return request
  const refreshed = request.catch((err: unknown) => {
    log.error({ err, directory: url }, 'refreshing the card ranges of a directory server failed; will retry')
    tables.set(url, retriedSoon(services, before))
  })
  void tasks.add(refreshed)
  return Promise.resolve(before)
}

/** The known table, whose refresh is repeated after a pause. */
function retriedSoon({ clock }: Pick<Services, 'clock'>, before: CachedRanges): CachedRanges {
  return { ...before, requestedAtMs: clock.now().getTime() - dayMs + againMs }
}

async function fetchCardRanges(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  url: string,
  before: CachedRanges | undefined,
): Promise<CachedRanges | undefined> {
  const requestedAtMs = services.clock.now().getTime()
  // If the changes do not fit, or the answer is invalid, the whole table is requested, once.
  for (const known of before ? [before, undefined] : [undefined]) {
    const pres = await requestCardRanges(services, merchant, url, known?.serialNumber ?? null)
    const applied = pres && applyCardRanges(known?.table, pres, merchant.live)
    if (applied && 'table' in applied)
      return { table: applied.table, serialNumber: pres.serialNumber, requestedAtMs }
  }
  services.log.warn({ directory: url }, 'reading the card ranges of a directory server failed; will retry')
  return before && retriedSoon(services, before)
}

async function requestCardRanges(
  services: Needs,
  { live: isLive }: Pick<Merchant, 'live'>,
  url: string,
  serialNumber: string | null,
): Promise<PRes | undefined> {
  const [version] = supportedVersions
  const serverTransId = newUuid(services.random)
  const preq = buildPReq(version, serverTransId, serialNumber)
  const response = await sendToDirectoryServer(services, url, preq)
  const parsed = 'text' in response ? parseMessage(response.text) : undefined
  if (!parsed || 'error' in parsed) return undefined
  const checked = readIncomingMessage('PRes', parsed.value, { version, isLive, serverTransId })
  return 'message' in checked ? checked.message : undefined
}
