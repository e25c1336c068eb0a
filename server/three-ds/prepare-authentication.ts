import type { SecretPan } from '../../kit/money/card.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import type { OwnThreeDsAuthentication } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { ExtraWrite } from '../payments/for-three-ds.ts'
import type { Attempt } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { ownNoVerdictStatuses } from './authentication.ts'
import type { CardEnrolment } from './card-enrolment.ts'
import { cardEnrolmentOf } from './card-enrolment.ts'
import { countOutcome } from './count-outcome.ts'
import { noVerdictResult, withResult } from './decide.ts'
import { finishInBackground } from './finish-authentication.ts'
import { cardSchemeOfPan } from './protocol/eci.ts'
import { insertAuthenticationPart } from './store.ts'

/** Authentication to be written together with its attempt. */
export interface PreparedAuthenticationWrite extends ExtraWrite {
  authentication: Authentication
}

/**
 * Begins the authentication of an attempt. Guarantee: an attempt is authenticated once. If the card is not
 * enrolled or the directory server does not answer, the attempt ends, unless its POS accepts that status.
 */
export async function prepareAuthentication(
  services: Services,
  merchant: Merchant,
  {
    attempt,
    pan,
    authentication: own,
  }: { attempt: Attempt; pan: SecretPan; authentication: OwnThreeDsAuthentication },
): Promise<PreparedAuthenticationWrite> {
  const enrolment = await cardEnrolmentOf(services, merchant, own.directoryUrl, pan)
  const started = newAuthentication(services, attempt, pan, enrolment)
  const { clock } = services
  const authentication =
    enrolment.outcome === 'enrolled'
      ? started
      : withResult(started, noVerdictResult(internalStatusOf(enrolment)), own.acceptedStatuses, clock.now())
  return {
    authentication,
    part: insertAuthenticationPart(authentication),
    afterWrite: () => {
      if (authentication.state === 'begun') return
      countOutcome(services, 'three_ds_server', authentication.status ?? '')
      void finishInBackground(services, authentication)
    },
  }
}

function internalStatusOf({
  outcome,
}: CardEnrolment): (typeof ownNoVerdictStatuses)[keyof typeof ownNoVerdictStatuses] {
  return outcome === 'not_enrolled' ? ownNoVerdictStatuses.notEnrolled : ownNoVerdictStatuses.error
}

function newAuthentication(
  { clock, random }: Pick<Services, 'clock' | 'random'>,
  attempt: Attempt,
  pan: SecretPan,
  enrolment: CardEnrolment,
): Authentication {
  const isEnrolled = enrolment.outcome === 'enrolled'
  return {
    merchantId: attempt.merchantId,
    attemptId: attempt.id,
    paymentId: attempt.paymentId,
    mode: 'three_ds_server',
    state: 'begun',
    version: 1,
    amountMinor: attempt.chargedMinor,
    currency: attempt.currency,
    serverTransId: newUuid(random),
    acsTransId: null,
    dsTransId: null,
    protocol: isEnrolled ? enrolment.version : null,
    scheme: cardSchemeOfPan(pan) ?? null,
    methodUrl: isEnrolled ? enrolment.methodUrl : null,
    methodCompletedAt: null,
    acsUrl: null,
    status: null,
    reason: null,
    cancel: null,
    eci: null,
    holderText: null,
    proof: null,
    beganAt: clock.now(),
    askedAt: null,
    challengedAt: null,
    returnedAt: null,
    endedAt: null,
    dueAt: null,
  }
}
