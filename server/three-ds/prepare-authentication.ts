import type { SecretPan } from '../../kit/money/card.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import type { OwnThreeDsAuthentication } from '../connectors/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { ExtraWrite } from '../payments/for-three-ds.ts'
import type { Attempt } from '../payments/index.ts'
import type { Services } from '../services.ts'
import type { Authentication } from './authentication.ts'
import { newAuthentication } from './authentication.ts'
import { cardEnrolmentOf } from './card-enrolment.ts'
import { countOutcome } from './count-outcome.ts'
import { withResult } from './decide.ts'
import { finishInBackground } from './finish-authentication.ts'
import { cardSchemeOfPan } from './protocol/eci.ts'
import { insertAuthenticationPart } from './store.ts'

/**
 * Begins the authentication of an attempt, to be written together with it. Guarantee: an attempt is
 * authenticated once. If the card is not enrolled or the directory server does not answer, the attempt ends,
 * unless its POS accepts that status.
 */
export async function prepareAuthentication(
  services: Services,
  merchant: Merchant,
  attempt: Attempt,
  pan: SecretPan,
  own: OwnThreeDsAuthentication,
): Promise<ExtraWrite & { authentication: Authentication }> {
  const enrolment = await cardEnrolmentOf(services, merchant, own.directoryUrl, pan)
  const isEnrolled = enrolment.outcome === 'enrolled'
  const begun = newAuthentication(attempt, {
    mode: 'three_ds_server',
    state: 'begun',
    serverTransId: newUuid(services.random),
    protocol: isEnrolled ? enrolment.version : null,
    scheme: cardSchemeOfPan(pan) ?? null,
    methodUrl: isEnrolled ? enrolment.methodUrl : null,
    beganAt: services.clock.now(),
  })
  const status = enrolment.outcome === 'not_enrolled' ? 'not_enrolled' : 'error'
  const authentication = isEnrolled ? begun : withResult(services, begun, { status }, own.acceptedStatuses)
  return {
    authentication,
    part: insertAuthenticationPart(authentication),
    afterWrite: () => {
      if (isEnrolled) return
      countOutcome(services, 'three_ds_server', status)
      void finishInBackground(services, { authentication, merchant })
    },
  }
}
