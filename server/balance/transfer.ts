import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownChoiceSchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'

/** Reasons for which a balance changes. */
export const transferReasons = ['payment', 'refund'] as const

/** A change of the balance of a merchant. */
export interface BalanceTransfer {
  id: number
  paymentId: number
  refundId: number | null
  reason: (typeof transferReasons)[number]
  currency: string
  /** Change of the balance; negative for a decrease. */
  changeMinor: number
  /** Commission that the bank kept of a payment or returned with a refund; never negative. */
  commissionMinor: number
  availableAt: Date | null
  createdAt: Date
}

/** A balance transfer as its merchant sees it. */
export const ShownBalanceTransfer = resourceSchema(
  'BalanceTransfer',
  { tr: 'Bakiyenizdeki bir hareket.', en: 'Something that moved your balance.' },
  {
    id: shownIntegerSchema({ tr: 'Hareket numarası.', en: 'Its id.' }, 10000000000456),
    transaction_id: shownIntegerSchema(
      { tr: 'İlgili işlemin numarası.', en: 'The transaction that it is for.' },
      10000000000123,
    ),
    refund_id: nullableSchema(
      shownIntegerSchema(
        { tr: 'İadelerde iadenin numarası; ödemelerde null.', en: 'Of a refund its id, of a payment null.' },
        10000000000345,
      ),
    ),
    reason: shownChoiceSchema(
      { tr: 'Nedeni: `payment` ödeme, `refund` iade.', en: 'Why: `payment` or `refund`.' },
      transferReasons,
      'refund',
    ),
    currency_code: shownTextSchema({ tr: 'ISO 4217 para birimi.', en: 'The ISO 4217 currency.' }, 'TRY'),
    gross: shownIntegerSchema(
      {
        tr: 'Karttan çekilen tutar; iadede karta geri verilen tutar, eksi olarak. En küçük para birimi cinsindendir (kuruş, sent).',
        en: 'What the card was charged; of a refund what it got back, below zero. In the minor unit.',
      },
      -5000,
    ),
    commission: shownIntegerSchema(
      {
        tr: 'Bankanın bundan kestiği komisyon; iadede bankanın geri verdiği komisyon, eksi olarak.',
        en: 'What of it the bank kept; of a refund what it gave back, below zero.',
      },
      -90,
    ),
    amount: shownIntegerSchema(
      {
        tr: 'Bakiyenizdeki değişim: `gross` eksi `commission`.',
        en: 'What your balance changed by: `gross` less `commission`.',
      },
      -4910,
    ),
    available_at: shownTimeSchema(
      {
        tr: 'Kullanılabilir bakiyeye geçtiği tarih ve saat.',
        en: 'From when on it counts as available.',
      },
      '2026-11-16T00:00:00+03:00',
    ),
    created_at: shownTimeSchema({ tr: 'Bakiyeye işlendiği tarih ve saat.', en: 'When your balance moved.' }),
    formatted_amount: shownTextSchema(
      {
        tr: '`amount` tutarının noktayla ayrılmış ondalık yazımı.',
        en: '`amount` as decimal text with a dot.',
      },
      '-49.10',
    ),
  },
)

export function shownBalanceTransfer(
  transfer: BalanceTransfer,
  { timeZone }: Pick<Merchant, 'timeZone'>,
): Static<typeof ShownBalanceTransfer> {
  const { changeMinor, availableAt, createdAt } = transfer
  const commissionMinor = changeMinor < 0 ? -transfer.commissionMinor : transfer.commissionMinor
  const available = availableAt && availableAt > createdAt ? availableAt : createdAt
  return {
    id: transfer.id,
    transaction_id: transfer.paymentId,
    refund_id: transfer.refundId,
    reason: transfer.reason,
    currency_code: transfer.currency,
    gross: changeMinor + commissionMinor,
    commission: commissionMinor,
    amount: changeMinor,
    available_at: isoTime(available, timeZone),
    created_at: isoTime(createdAt, timeZone),
    formatted_amount: signedDecimalText(changeMinor, '.'),
  }
}
