import type { Static } from 'typebox'
import { resourceSchema, shownIntegerSchema, shownTextSchema } from '../../kit/api/resource.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import type { MerchantBalance } from '../ledger/index.ts'

/** A merchant's balance in one currency. */
export const ShownBalance = resourceSchema(
  'Balance',
  { tr: 'Bir para birimindeki bakiyeniz.', en: 'What you have in one currency.' },
  {
    currency_code: shownTextSchema({ tr: 'ISO 4217 para birimi.', en: 'The ISO 4217 currency.' }, 'TRY'),
    available: shownIntegerSchema(
      {
        tr: 'Şu anda kullanabileceğiniz tutar, en küçük para birimi cinsinden (kuruş, sent). İadelerden sonra eksi olabilir.',
        en: 'What you can use now, in the minor unit. After refunds it may be below zero.',
      },
      1837200,
    ),
    pending: shownIntegerSchema(
      {
        tr: 'Tahsil edilmiş, ancak kullanılabilir olacağı gün henüz gelmemiş tutar.',
        en: 'What was taken and can be used later.',
      },
      18650,
    ),
    total: shownIntegerSchema({ tr: 'İkisinin toplamı.', en: 'Both together.' }, 1855850),
    formatted_available: shownTextSchema(
      {
        tr: 'Kullanılabilir tutarın noktayla ayrılmış ondalık yazımı.',
        en: '`available` as decimal text with a dot.',
      },
      '18372.00',
    ),
    formatted_pending: shownTextSchema(
      { tr: 'Bekleyen tutarın aynı biçimde yazımı.', en: '`pending` in the same way.' },
      '186.50',
    ),
    formatted_total: shownTextSchema(
      { tr: 'Toplamın aynı biçimde yazımı.', en: '`total` in the same way.' },
      '18558.50',
    ),
  },
)

export function shownBalance({
  currency,
  availableMinor,
  pendingMinor,
}: MerchantBalance): Static<typeof ShownBalance> {
  const totalMinor = availableMinor + pendingMinor
  return {
    currency_code: currency,
    available: availableMinor,
    pending: pendingMinor,
    total: totalMinor,
    formatted_available: signedDecimalText(availableMinor, '.'),
    formatted_pending: signedDecimalText(pendingMinor, '.'),
    formatted_total: signedDecimalText(totalMinor, '.'),
  }
}
