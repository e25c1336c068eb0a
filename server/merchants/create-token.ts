import type { Static } from 'typebox'
import {
  resourceSchema,
  shownBooleanSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { envelopeResponseDefinition, route } from '../../kit/api/route.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Services } from '../services.ts'
import { AccessTokens } from './access-token.ts'
import type { Merchant } from './merchant.ts'
import type { KeyScope } from './merchant-key.ts'

const AccessToken = resourceSchema(
  'AccessToken',
  { tr: 'On dakika geçerli erişim belirteci.', en: 'An access token of ten minutes.' },
  {
    access_token: shownTextSchema(
      {
        tr: 'Diğer çağrılarda `Bearer` olarak gönderilecek belirteç.',
        en: 'The bearer token for the other calls.',
      },
      'eyJhbGciOiJIUzI1NiIs…',
    ),
    supports_3d: shownBooleanSchema(
      {
        tr: 'Üye iş yerinin 3-D Secure ödeme alıp almadığı.',
        en: 'Whether the merchant takes 3-D Secure payments.',
      },
      true,
    ),
    supports_2d: shownBooleanSchema(
      {
        tr: 'Üye iş yerinin 3-D Secure olmadan ödeme alıp almadığı.',
        en: 'Whether the merchant takes payments without 3-D Secure.',
      },
      false,
    ),
    supports_white_label: shownBooleanSchema(
      {
        tr: 'Ödeme sayfasının yalnızca üye iş yerini gösterip göstermediği.',
        en: 'Whether the payment page shows the merchant alone.',
      },
      false,
    ),
    supports_installment: shownBooleanSchema(
      { tr: 'Ödeme yapanların taksit seçip seçemediği.', en: 'Whether payers may choose installments.' },
      true,
    ),
    expires_at: shownTimeSchema({
      tr: 'Belirtecin süresinin dolduğu tarih ve saat: alındıktan on dakika sonra.',
      en: 'When the token ends: ten minutes after it was made.',
    }),
  },
)

/**
 * Exchanges a long-lived key for a token of ten minutes. It writes nothing, so it may be called any number of
 * times.
 */
export const createTokenRoute = route({
  method: 'POST',
  url: '/v1/token/get-token',
  summary: { tr: 'Erişim belirteci al', en: 'Create access token' },
  description: {
    tr: '`Authorization: Bearer <KEY>` ile gövdesiz gönderilen gizli veya açık anahtarı, on dakika geçerli bir erişim belirteciyle değiştirir. Açık anahtarla alınan belirteçle yalnızca 3DS ödeme başlatılabilir.',
    en: 'Exchanges a secret or public key, sent as `Authorization: Bearer <KEY>` with no body, for an access token of ten minutes. A token made from a public key can start 3DS payments and nothing else.',
  },
  credential: 'key',
  fromBrowsers: true,
  idempotent: false,
  answer: envelopeResponseDefinition(AccessToken, {
    tr: 'Erişim belirteci oluşturuldu.',
    en: 'The access token was created.',
  }),
  handle: (services: Services, merchant: Merchant, { key }) => createToken(services, merchant, key),
})

export function createToken(
  { clock, keyring }: Pick<Services, 'clock' | 'keyring'>,
  merchant: Merchant,
  key: { id: number; scope: KeyScope },
): Static<typeof AccessToken> {
  const { text, expiresAt } = AccessTokens.of(keyring).issue(merchant.id, key.id, key.scope, clock.now())
  return {
    access_token: text,
    supports_3d: merchant.supports3d,
    supports_2d: merchant.supports2d,
    supports_white_label: merchant.whiteLabel,
    supports_installment: merchant.supportsInstallment,
    expires_at: isoTime(expiresAt, merchant.timeZone),
  }
}
