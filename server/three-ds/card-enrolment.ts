import type { SecretPan } from '../../kit/money/card.ts'
import type { Metrics } from '../../kit/runtime/metrics.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { CardRangeTable } from './protocol/card-ranges.ts'
import { applyCardRanges, findCardRangeSupport } from './protocol/card-ranges.ts'
import { parseMessage } from './protocol/parse-message.ts'
import { buildPReq } from './protocol/preq.ts'
import type { PRes } from './protocol/pres.ts'
import { readIncomingMessage } from './protocol/read-incoming-message.ts'
import type { ProtocolVersion } from './protocol/versions.ts'
import { pickVersion, supportedVersions } from './protocol/versions.ts'
import { sendToDirectoryServer } from './send-to-directory-server.ts'

/** What a directory server says of a card. */
export type CardEnrolment =
  | { outcome: 'enrolled'; version: ProtocolVersion; methodUrl: string | null }
  | { outcome: 'not_enrolled' }
  /** It did not answer, or nothing that can be understood. */
  | { outcome: 'not_known' }

/** As whom directory servers know us. Nobody has certified us: no real one knows this number. */
export const threeDsServerIdentity = { referenceNumber: 'VEZNE-NOT-CERTIFIED' }

interface CachedRanges {
  table: CardRangeTable
  serialNumber: string | null
  /** When it was last asked, in vain or not. */
  requestedAtMs: number
}

/** What is known of each directory server in this process; asked again after a day. */
const known = new WeakMap<Metrics, Map<string, CachedRanges>>()
const asking = new WeakMap<Metrics, Map<string, Promise<CachedRanges | undefined>>>()

const dayMs = 24 * 60 * 60 * 1000
/** A directory server that did not answer is asked again after this, while what it said before still holds. */
const againMs = 60 * 1000

type Needs = Pick<Services, 'http' | 'config' | 'clock' | 'random' | 'log' | 'metrics'>

/** Whether a card takes part in 3-D Secure, and how its issuer is spoken to. */
export async function cardEnrolmentOf(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  directoryUrl: string,
  pan: SecretPan,
): Promise<CardEnrolment> {
  const ranges = await cachedCardRanges(services, merchant, directoryUrl)
  if (!ranges) return { outcome: 'not_known' }
  const range = findCardRangeSupport(ranges.table, pan)
  const version = range && pickVersion({ ours: supportedVersions, ds: range.ds, acs: range.acs })
  return range && version
    ? { outcome: 'enrolled', version, methodUrl: range.methodUrl }
    : { outcome: 'not_enrolled' }
}

/** What is known. It is asked for where it is not, and behind the answer where it is old; of many at once one asks. */
function cachedCardRanges(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  url: string,
): Promise<CachedRanges | undefined> {
  const { metrics, clock } = services
  const tables = known.get(metrics) ?? new Map<string, CachedRanges>()
  known.set(metrics, tables)
  const pending = asking.get(metrics) ?? new Map<string, Promise<CachedRanges | undefined>>()
  asking.set(metrics, pending)
  const before = tables.get(url)
  if (before && clock.now().getTime() - before.requestedAtMs < dayMs) return Promise.resolve(before)
  const under = pending.get(url)
  if (under) return before ? Promise.resolve(before) : under
  const request = fetchCardRanges(services, merchant, url, before)
    .then((after) => {
      if (after) tables.set(url, after)
      return after
    })
    .finally(() => pending.delete(url))
  pending.set(url, request)
  // What was known yesterday serves until there is news.
  return before ? Promise.resolve(before) : request
}

async function fetchCardRanges(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  url: string,
  before: CachedRanges | undefined,
): Promise<CachedRanges | undefined> {
  const requestedAtMs = services.clock.now().getTime()
  const changes = await pres(services, merchant, url, before?.serialNumber ?? null)
  const environment = merchant.live ? 'live' : 'test'
  const applied = changes && applyCardRanges(before?.table, changes, environment)
  if (applied && 'table' in applied)
    return { table: applied.table, serialNumber: changes?.serialNumber ?? null, requestedAtMs }
  // Changes that do not fit what we have, or an answer that cannot be read: all of it, once, from the beginning.
  const whole = before ? await pres(services, merchant, url, null) : undefined
  const rebuilt = whole && applyCardRanges(undefined, whole, environment)
  if (rebuilt && 'table' in rebuilt)
    return { table: rebuilt.table, serialNumber: whole?.serialNumber ?? null, requestedAtMs }
  services.log.warn({ directory: url }, 'reading the card ranges of a directory server failed; will retry')
  return before && { ...before, requestedAtMs: requestedAtMs - dayMs + againMs }
}

async function pres(
  services: Needs,
  merchant: Pick<Merchant, 'live'>,
  url: string,
  serialNumber: string | null,
): Promise<PRes | undefined> {
  const version = supportedVersions[0]
  const serverTransId = newUuid(services.random)
  const message = buildPReq({ version, serverTransId, server: threeDsServerIdentity, serialNumber })
  const response = await sendToDirectoryServer(services, url, message)
  const parsed = 'text' in response ? parseMessage(response.text) : undefined
  if (!parsed || 'error' in parsed) return undefined
  const environment = merchant.live ? 'live' : 'test'
  const checked = readIncomingMessage('PRes', parsed.value, { version, environment, serverTransId })
  return 'message' in checked ? checked.message : undefined
}
