import { sealReturnToken } from '../payments/for-three-ds.ts'
import type { Payment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { challengeFormFields, windowSizeCodeFor, windowSizes } from './protocol/creq.ts'
import { methodFormFields } from './protocol/method.ts'
import { isSupportedVersion } from './protocol/versions.ts'

/** What the payer's browser has to do next. */
export type BrowserStep =
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

/** How a payment stands whose payer is to be proven, as it was read at one moment. */
export interface PaymentWithAuthentication {
  payment: Pick<Payment, 'state'>
  /** Of its last attempt. */
  authentication: Authentication | undefined
}

type Needs = Pick<Services, 'config' | 'keyring' | 'random'>

/**
 * What comes next at a payment's page. Looking changes nothing, so that a page that is opened again goes on where it was.
 * The bank's page gets as much of the room as it knows how to fill; without any it has the whole window.
 */
export function nextBrowserStep(
  services: Needs,
  current: PaymentWithAuthentication,
  page: string,
  room?: FrameSize,
): BrowserStep {
  const { payment, authentication } = current
  if (!authentication || ownThreeDsProgressOf(current) !== 'proving') return waitOrOverStep(payment)
  if (authentication.state === 'begun') return methodStep(services, authentication, page)
  return authentication.state === 'challenging' ? challengeStep(authentication, room) : { step: 'wait' }
}

/** Where no payer is to be proven, the bank may still be asked for the money. */
export function waitOrOverStep({ state }: Pick<Payment, 'state'>): BrowserStep {
  return { step: state === 'authorizing' || state === 'reversing' ? 'wait' : 'over' }
}

/** How far our own 3-D Secure is with the payer of a payment. */
export type OwnThreeDsProgress =
  /** The payment does not wait for it. */
  | 'none'
  /** It is about to prove the payer, or has just done so. */
  | 'proving'
  /** It has not proven the payer, and the attempt is about to end. */
  | 'refused'

export function ownThreeDsProgressOf({
  payment,
  authentication,
}: PaymentWithAuthentication): OwnThreeDsProgress {
  if (payment.state !== 'authenticating' || authentication?.mode !== 'us') return 'none'
  return authentication.state === 'refused' ? 'refused' : 'proving'
}

function methodStep(
  services: Needs,
  { attemptId, methodUrl, methodCompletedAt, serverTransId }: Authentication,
  page: string,
): BrowserStep {
  if (!methodUrl || methodCompletedAt || !serverTransId) return { step: 'authenticate' }
  const { pageUrl, methodSeconds } = services.config
  const notificationUrl = `${pageUrl}/3ds/method/${sealReturnToken(services, 'method', { attemptId, page })}`
  const fields = methodFormFields({ serverTransId, notificationUrl })
  return { step: 'method', url: methodUrl, fields, timeoutMs: methodSeconds * 1000 }
}

/** Once the browser has come back from the bank there is nothing to show there any more. */
function challengeStep(authentication: Authentication, room: FrameSize | undefined): BrowserStep {
  const { acsUrl, serverTransId, acsTransId, protocol, returnedAt } = authentication
  if (returnedAt) return { step: 'wait' }
  if (!acsUrl || !serverTransId || !acsTransId || !isSupportedVersion(protocol))
    throw new Error('the challenge has no address, transaction id or protocol version')
  const windowSize = room ? windowSizeCodeFor(room) : '05'
  const { creq } = challengeFormFields({
    version: protocol,
    serverTransId,
    acsTransId,
    windowSize,
  })
  return { step: 'challenge', url: acsUrl, fields: { creq }, size: windowSizes[windowSize] ?? null }
}
