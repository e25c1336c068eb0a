import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownChoiceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import { signedDecimalText } from '../../kit/money/money.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import { isoTime } from '../../kit/text/zoned-time.ts'
import { ledgerTransfers } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'

/** Reasons for which a balance changes. */
export const transferReasons = ['payment', 'refund'] as const

export const balanceTransferColumns = ledgerTransfers.pick(
  'id',
  'paymentId',
  'refundId',
  'reason',
  'currency',
  'createdAt',
  'availableAt',
)

/** A change of the balance of a merchant. */
export interface BalanceTransfer extends RowOf<typeof balanceTransferColumns> {
  reason: (typeof transferReasons)[number]
  /** Change of the balance; negative for a decrease. */
  changeMinor: number
  /** Commission that the bank kept of a payment or returned with a refund; never negative. */
  commissionMinor: number
}

/** The amount in another field of the response, as decimal text. */
export function shownDecimalSchema(field: string, example: string) {
  const about = {
    tr: `\`${field}\` tutarının noktayla ayrılmış ondalık yazımı.`,
    en: `\`${field}\` as decimal text with a dot.`,
  }
  return shownTextSchema(about, example)
}

export const ShownBalanceTransfer = resourceSchema(
  'BalanceTransfer',
  {
    tr: 'Bakiyenizi değiştiren bir ödeme veya iade.',
    en: 'Change of your balance by a payment or a refund.',
  },
  {
    id: shownIntegerSchema({ tr: 'Hareket numarası.', en: 'ID of the transfer.' }, 10000000000456),
    transaction_id: shownIntegerSchema(
      { tr: 'İlgili işlemin numarası.', en: 'ID of the transaction.' },
      10000000000123,
    ),
    refund_id: nullableSchema(
      shownIntegerSchema(
        { tr: 'İadede iadenin numarası; ödemede null.', en: 'ID of the refund; null for a payment.' },
        10000000000345,
      ),
    ),
    reason: shownChoiceSchema(
      {
        tr: 'Hareketin nedeni: `payment` ödeme, `refund` iade.',
        en: 'Reason of the transfer: `payment` or `refund`.',
      },
      transferReasons,
      'refund',
    ),
    currency_code: shownCurrencySchema,
    gross: shownIntegerSchema(
      {
        tr: 'Karttan çekilen tutar; iadede karta iade edilen tutar, eksi olarak. En küçük para birimi cinsindendir (kuruş, sent).',
        en: 'Amount charged to the card; for a refund, the amount returned to the card, negative. In the minor unit.',
      },
      -5000,
    ),
    commission: shownIntegerSchema(
      {
        tr: 'Bankanın kestiği komisyon; iadede bankanın geri verdiği komisyon, eksi olarak.',
        en: 'Commission kept by the bank; for a refund, the commission returned by the bank, negative.',
      },
      -90,
    ),
    amount: shownIntegerSchema(
      {
        tr: 'Bakiyenizdeki değişim: `gross` eksi `commission`.',
        en: 'Change of your balance: `gross` minus `commission`.',
      },
      -4910,
    ),
    available_at: shownTimeSchema(
      {
        tr: 'Tutarın kullanılabilir olduğu tarih ve saat.',
        en: 'Time from which the amount is available.',
      },
      '2026-11-16T00:00:00+03:00',
    ),
    created_at: shownTimeSchema({
      tr: 'Bakiyenizin değiştiği tarih ve saat.',
      en: 'Time at which your balance changed.',
    }),
    formatted_amount: shownDecimalSchema('amount', '-49.10'),
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
