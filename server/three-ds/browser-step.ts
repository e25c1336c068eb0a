import { sealReturnToken } from '../payments/for-three-ds.ts'
import type { Payment } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import type { FrameSize } from './protocol/creq.ts'
import { challengeFormFields, challengeWindowCode } from './protocol/creq.ts'
import { methodFormFields } from './protocol/method.ts'
import { isSupportedVersion } from './protocol/versions.ts'

/** Next step of the payer's browser. */
export type BrowserStep =
  /** Run the issuer's 3DS Method in a hidden frame, for at most `timeoutMs`. */
  | { step: 'method'; url: string; fields: { threeDSMethodData: string }; timeoutMs: number }
  /** Report the browser data, so that the AReq can be sent. */
  | { step: 'authenticate' }
  /** Show the issuer's challenge. */
  | { step: 'challenge'; url: string; fields: { creq: string } }
  /** Wait: another party has not answered yet. */
  | { step: 'wait' }
  /** Nothing to do: the authentication has ended or never began. */
  | { step: 'over' }

/** Payment and authentication, read in one query. */
export interface PaymentWithAuthentication {
  payment: Pick<Payment, 'state'>
  /** Authentication of the last attempt. */
  authentication: Authentication | undefined
}

type Needs = Pick<Services, 'config' | 'keyring' | 'random'>

/**
 * Next step of a payment page. Reading it changes nothing, so a reopened page continues where it was. The
 * ACS is told the size of the room that the challenge fills; without a room it is the whole window.
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

/** Step of a payment without a running authentication: its bank call may still be running. */
function waitOrOverStep({ state }: Pick<Payment, 'state'>): BrowserStep {
  return { step: state === 'authorizing' || state === 'reversing' ? 'wait' : 'over' }
}

/** Progress of authentication by our own 3DS Server. */
export type OwnThreeDsProgress =
  /** The payment does not wait for our 3DS Server. */
  | 'none'
  /** The authentication is running, or has just succeeded. */
  | 'proving'
  /** The authentication failed, and the attempt is about to end. */
  | 'refused'

export function ownThreeDsProgressOf({
  payment,
  authentication,
}: PaymentWithAuthentication): OwnThreeDsProgress {
  if (payment.state !== 'authenticating' || authentication?.mode !== 'three_ds_server') return 'none'
  return authentication.state === 'refused' ? 'refused' : 'proving'
}

function methodStep(
  services: Needs,
  { attemptId, methodUrl, methodCompletedAt, serverTransId }: Authentication,
  page: string,
): BrowserStep {
  if (!methodUrl || methodCompletedAt || !serverTransId) return { step: 'authenticate' }
  const fields = methodFormFields(serverTransId, returnUrl(services, 'method', { attemptId, page }))
  return { step: 'method', url: methodUrl, fields, timeoutMs: services.config.methodSeconds * 1000 }
}

/** Address at which the payer's bank continues an attempt. */
export function returnUrl(
  services: Needs,
  purpose: 'method' | 'challenge' | 'results',
  returnToken: { attemptId: number; page: string },
): string {
  return `${services.config.pageUrl}/3ds/${purpose}/${sealReturnToken(services, purpose, returnToken)}`
}

/** After the browser's return from the challenge there is nothing left to show. */
function challengeStep(authentication: Authentication, room: FrameSize | undefined): BrowserStep {
  const { acsUrl, serverTransId, acsTransId, protocol, returnedAt } = authentication
  if (returnedAt) return { step: 'wait' }
  if (!acsUrl || !serverTransId || !acsTransId || !isSupportedVersion(protocol))
    throw new Error('the challenge has no address, transaction id or protocol version')
  const windowCode = challengeWindowCode(room)
  const fields = challengeFormFields({ version: protocol, serverTransId, acsTransId, windowCode })
  return { step: 'challenge', url: acsUrl, fields }
}
