import type { Merchant } from '../merchants/index.ts'
import { passageTo } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication, Whose } from './authentication.ts'
import { challengeForm, windowSizeFor, windowSizes } from './protocol/creq.ts'
import { methodForm } from './protocol/method.ts'
import { isVersion } from './protocol/versions.ts'
import { authenticationOfAttempt } from './store.ts'

/** What the payer's browser has to do next. */
export type Step =
  /** To let the bank look at it, in a frame that nobody sees, for so long at most. */
  | { step: 'method'; url: string; fields: { threeDSMethodData: string }; timeoutMs: number }
  /** To say what it is, so that the bank can be asked. */
  | { step: 'authenticate' }
  /** To show the bank's question. */
  | { step: 'challenge'; url: string; fields: { creq: string }; size: FrameSize | null }
  /** Nothing: somebody else is being asked. */
  | { step: 'wait' }
  /** Nothing: it has come to an end, or never began. */
  | { step: 'over' }

/** How large the frame must be that the bank's page was told of, in pixels; what has none fills whatever there is. */
export interface FrameSize {
  width: number
  height: number
}

/** Whose browser it is, and the end of the address of the page that it has open. */
export interface Browser {
  attemptId: number
  page: string
}

type Needs = Pick<Services, 'sql' | 'config' | 'keyring' | 'random'>

/**
 * What comes next for an attempt. Looking changes nothing, so that a page that is opened again goes on where it was. The
 * bank's page gets as much of the room as it knows how to fill; without any it has the whole window.
 */
export async function stepOf(
  services: Needs,
  merchant: Pick<Merchant, 'id'>,
  browser: Browser,
  room?: FrameSize,
): Promise<Step> {
  const whose = { merchantId: merchant.id, attemptId: browser.attemptId }
  const authentication = await authenticationOfAttempt(services.sql, whose)
  if (authentication?.way !== 'us') return { step: 'over' }
  switch (authentication.state) {
    case 'begun':
      return methodStep(services, authentication, browser)
    case 'asking':
      return { step: 'wait' }
    case 'challenging':
      return challengeStep(authentication, room)
    case 'proven':
      return { step: 'wait' }
    case 'refused':
      return { step: 'over' }
  }
}

/** How far our own 3-D Secure is with the payer of an attempt. */
export type Proving =
  /** It has nothing to do with the attempt. */
  | 'none'
  /** It is about to prove the payer, or has just done so. */
  | 'proving'
  /** It has not proven the payer, and the attempt is about to end, or has. */
  | 'refused'

export async function provingOf({ sql }: Pick<Services, 'sql'>, whose: Whose): Promise<Proving> {
  const authentication = await authenticationOfAttempt(sql, whose)
  if (authentication?.way !== 'us') return 'none'
  return authentication.state === 'refused' ? 'refused' : 'proving'
}

function methodStep(
  services: Needs,
  { methodUrl, methodHeardAt, serverId }: Authentication,
  browser: Browser,
): Step {
  if (!methodUrl || methodHeardAt || !serverId) return { step: 'authenticate' }
  const { pageUrl, methodSeconds } = services.config
  const notificationUrl = `${pageUrl}/3ds/method/${passageTo(services, 'method', browser)}`
  const fields = methodForm({ serverTransId: serverId, notificationUrl })
  return { step: 'method', url: methodUrl, fields, timeoutMs: methodSeconds * 1000 }
}

/** Once the browser has come back from the bank there is nothing to show there any more. */
function challengeStep(authentication: Authentication, room: FrameSize | undefined): Step {
  const { acsUrl, serverId, acsId, protocol, returnedAt } = authentication
  if (returnedAt) return { step: 'wait' }
  if (!acsUrl || !serverId || !acsId || !isVersion(protocol)) throw new Error('a challenge has an address')
  const windowSize = room ? windowSizeFor(room) : '05'
  const { creq } = challengeForm({
    version: protocol,
    serverTransId: serverId,
    acsTransId: acsId,
    windowSize,
  })
  return { step: 'challenge', url: acsUrl, fields: { creq }, size: windowSizes[windowSize] ?? null }
}
