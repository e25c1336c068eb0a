import type { Static } from 'typebox'
import { resourceSchema, shownIntegerSchema, shownTextSchema } from '../../kit/api/resource.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import type { MerchantBalance } from '../ledger/index.ts'

/** A merchant's balance in one currency. */
export const ShownBalance = resourceSchema(
  'Balance',
  { tr: 'Bir para birimindeki bakiyeniz.', en: 'Balance in one currency.' },
  {
    currency_code: shownTextSchema(
      { tr: 'ISO 4217 para birimi kodu.', en: 'ISO 4217 currency code.' },
      'TRY',
    ),
    available: shownIntegerSchema(
      {
        tr: 'Şu anda kullanılabilir tutar, en küçük para birimi cinsinden (kuruş, sent). İadelerden sonra eksi olabilir.',
        en: 'Amount available now, in the minor unit. It can be negative after refunds.',
      },
      1837200,
    ),
    pending: shownIntegerSchema(
      {
        tr: 'Bekleyen tutar: tahsil edilmiş, ancak henüz kullanılabilir olmamış.',
        en: 'Pending amount: collected, but not available yet.',
      },
      18650,
    ),
    total: shownIntegerSchema(
      { tr: '`available` ve `pending` tutarlarının toplamı.', en: 'Sum of `available` and `pending`.' },
      1855850,
    ),
    formatted_available: shownTextSchema(
      {
        tr: '`available` tutarının noktayla ayrılmış ondalık yazımı.',
        en: '`available` as decimal text with a dot.',
      },
      '18372.00',
    ),
    formatted_pending: shownTextSchema(
      {
        tr: '`pending` tutarının noktayla ayrılmış ondalık yazımı.',
        en: '`pending` as decimal text with a dot.',
      },
      '186.50',
    ),
    formatted_total: shownTextSchema(
      {
        tr: '`total` tutarının noktayla ayrılmış ondalık yazımı.',
        en: '`total` as decimal text with a dot.',
      },
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
