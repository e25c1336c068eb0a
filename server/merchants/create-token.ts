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
  { tr: 'On dakika geçerli erişim belirteci.', en: 'Access token, valid for ten minutes.' },
  {
    access_token: shownTextSchema(
      {
        tr: 'Diğer çağrılarda `Bearer` olarak gönderilecek belirteç.',
        en: 'Bearer token for the other calls.',
      },
      'eyJhbGciOiJIUzI1NiIs…',
    ),
    supports_3d: shownBooleanSchema(
      {
        tr: 'Üye iş yeri 3D Secure ödeme alıyorsa true.',
        en: 'True if the merchant accepts 3-D Secure payments.',
      },
      true,
    ),
    supports_2d: shownBooleanSchema(
      {
        tr: 'Üye iş yeri 3D Secure olmadan ödeme alıyorsa true.',
        en: 'True if the merchant accepts payments without 3-D Secure.',
      },
      false,
    ),
    supports_white_label: shownBooleanSchema(
      {
        tr: 'Ödeme sayfası yalnızca üye iş yerinin markasını gösteriyorsa true.',
        en: 'True if the payment page shows only the merchant’s brand.',
      },
      false,
    ),
    supports_installment: shownBooleanSchema(
      { tr: 'Ödeyen taksit seçebiliyorsa true.', en: 'True if payers can choose installments.' },
      true,
    ),
    expires_at: shownTimeSchema({
      tr: 'Belirtecin süresinin dolacağı tarih ve saat: oluşturulduktan on dakika sonra.',
      en: 'Time at which the token expires: ten minutes after its creation.',
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
    tr: 'Gizli veya açık anahtar karşılığında on dakika geçerli bir erişim belirteci döndürür. Anahtarı `Authorization: Bearer <KEY>` başlığıyla, gövdesiz gönderin. Açık anahtarla alınan belirteçle yalnızca 3DS ödeme başlatılabilir.',
    en: 'Exchanges a secret or public key for an access token that is valid for ten minutes. Send the key as `Authorization: Bearer <KEY>`, without a body. A token from a public key can only start 3DS payments.',
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
