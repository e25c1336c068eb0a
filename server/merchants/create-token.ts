import type { Static } from 'typebox'
import { Type } from 'typebox'
import { envelope, route } from '../kit/route.ts'
import { isoTime } from '../kit/zoned-time.ts'
import type { Services } from '../services.ts'
import type { Scope } from './key.ts'
import type { Merchant } from './merchant.ts'
import { Tokens } from './token.ts'

const AccessToken = Type.Object({
  access_token: Type.String({ description: 'The bearer token for the other calls.' }),
  supports_3d: Type.Boolean({ description: 'Whether the merchant takes 3-D Secure payments.' }),
  supports_2d: Type.Boolean({ description: 'Whether the merchant takes payments without 3-D Secure.' }),
  supports_white_label: Type.Boolean({ description: 'Whether the payment page shows the merchant alone.' }),
  supports_installment: Type.Boolean({ description: 'Whether payers may choose installments.' }),
  expires_at: Type.String({ description: 'When the token ends: ten minutes after it was made.' }),
})

/** Exchanges a long-lived key for a token of ten minutes. Writes nothing, so it may be called as often as one likes. */
export const createTokenRoute = route({
  method: 'POST',
  url: '/v1/token/get-token',
  summary: 'Create access token',
  description:
    'Exchanges a secret or public key, sent as `Authorization: Bearer <KEY>` with no body, for an access token of ten minutes. A token made from a public key can start 3DS payments and nothing else.',
  credential: 'key',
  fromBrowsers: true,
  idempotent: false,
  answer: envelope(AccessToken, { tr: 'Erişim belirteci oluşturuldu.', en: 'The access token was created.' }),
  handle: (services: Services, merchant: Merchant, { key }) => createToken(services, merchant, key),
})

export function createToken(
  { clock, keyring }: Pick<Services, 'clock' | 'keyring'>,
  merchant: Merchant,
  key: { id: number; scope: Scope },
): Static<typeof AccessToken> {
  const { text, expiresAt } = Tokens.of(keyring).issue(merchant.id, key.id, key.scope, clock.now())
  return {
    access_token: text,
    supports_3d: merchant.supports3d,
    supports_2d: merchant.supports2d,
    supports_white_label: merchant.whiteLabel,
    supports_installment: merchant.supportsInstallment,
    expires_at: isoTime(expiresAt, merchant.timeZone),
  }
}
