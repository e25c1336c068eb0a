import type { Static } from 'typebox'
import {
  nullableSchema,
  resourceSchema,
  shownBooleanSchema,
  shownChoiceSchema,
  shownCurrencySchema,
  shownIntegerSchema,
  shownListSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../../kit/api/resource.ts'
import { decimalText } from '../../../kit/money/money.ts'
import type { RowOf } from '../../../kit/runtime/table.ts'
import { isoTime } from '../../../kit/text/zoned-time.ts'
import type { Merchant } from '../../merchants/index.ts'
import { payments } from './payment.ts'
import type { PaymentState, ShownPaymentStatus, ShownTransactionStatus } from './states.ts'
import { shownPaymentStatusCodes, shownStatusesByState, shownTransactionStatusCodes } from './states.ts'

/** Ways to authenticate the cardholder. There is one so far. */
const paymentMethods = { is_3d: 1 } as const

const paymentStatusTexts = Object.keys(shownPaymentStatusCodes) as ShownPaymentStatus[]
const transactionStatusTexts = Object.keys(shownTransactionStatusCodes) as ShownTransactionStatus[]

const asWord = { tr: 'Durumun metin karşılığı.', en: 'Status as text.' }
const asMethod = { tr: 'Yöntemin metin karşılığı.', en: 'Method as text.' }

const TransactionMetadata = resourceSchema(
  'TransactionMetadataItem',
  {
    tr: 'Ödeme başlatılırken gönderilen bir anahtar-değer çifti.',
    en: 'Key-value pair sent when the payment was started.',
  },
  {
    key: shownTextSchema({ tr: 'Anahtar.', en: 'Key of the pair.' }, 'order'),
    value: shownTextSchema(
      { tr: 'Değer; her zaman metindir.', en: 'Value of the pair, always text.' },
      'A-1001',
    ),
  },
)

/** A payment as its merchant sees it, in responses and events. */
export const ShownTransaction = resourceSchema(
  'TransactionResult',
  { tr: 'Ödeme işleminin sonucu.', en: 'Result of a transaction.' },
  {
    transaction_id: shownIntegerSchema(
      { tr: 'İşlem numarası.', en: 'ID of the transaction.' },
      10000000000123,
    ),
    amount: shownIntegerSchema(
      { tr: 'Tutar, en küçük para birimi cinsinden (kuruş, sent).', en: 'Amount in the minor unit.' },
      18990,
    ),
    currency_code: shownCurrencySchema,
    installment_count: shownIntegerSchema(
      { tr: 'Taksit sayısı; tek çekimde 1.', en: 'Number of installments; 1 for a single payment.' },
      1,
    ),
    payment_status: shownIntegerSchema(
      {
        tr: 'Ödemenin durumu: 0 beklemede, 1 başarılı, 2 başarısız, 3 ön provizyon alındı, 4 iade edildi, 5 kısmen iade edildi.',
        en: 'Status of the payment: 0 waiting, 1 success, 2 failed, 3 pre-authorized, 4 refunded, 5 partially refunded.',
      },
      1,
    ),
    payment_status_text: shownChoiceSchema(asWord, paymentStatusTexts, 'success'),
    transaction_status: shownIntegerSchema(
      {
        tr: 'İşlemin durumu: 1 beklemede, 2 tamamlandı, 3 başarısız, 4 süresi doldu.',
        en: 'Status of the transaction: 1 pending, 2 completed, 3 failed, 4 expired.',
      },
      2,
    ),
    transaction_status_text: shownChoiceSchema(asWord, transactionStatusTexts, 'completed'),
    transaction_message: nullableSchema(
      shownTextSchema(
        {
          tr: 'Bankanın veya 3D Secure doğrulamasının son mesajı, bankanın dilinde; geçerli bir yanıt yoksa null.',
          en: 'Last message of the bank or of 3-D Secure, in the bank’s language; null if there is no current response.',
        },
        'Onaylandı',
      ),
    ),
    transaction_code: nullableSchema(
      shownTextSchema(
        {
          tr: 'Bankanın veya 3D Secure doğrulamasının son kodu; geçerli bir yanıt yoksa null.',
          en: 'Last code of the bank or of 3-D Secure; null if there is no current response.',
        },
        '00',
      ),
    ),
    payment_method: shownIntegerSchema(
      { tr: 'Ödeme yöntemi: 1, 3D Secure.', en: 'Payment method: 1 for 3-D Secure.' },
      1,
    ),
    payment_method_text: shownChoiceSchema(asMethod, ['is_3d']),
    pre_auth: shownBooleanSchema(
      {
        tr: 'Ödeme ön provizyon olarak başlatıldıysa true.',
        en: 'True if the payment was started as a pre-authorization.',
      },
      false,
    ),
    created_at: shownTimeSchema({
      tr: 'Ödemenin başlatıldığı tarih ve saat.',
      en: 'Time at which the payment was started.',
    }),
    start_at: shownTimeSchema(
      {
        tr: 'Ödeme sayfasının ilk görüntülendiği tarih ve saat; henüz görüntülenmediyse ödemenin başlatıldığı tarih ve saat.',
        en: 'Time of the first view of the payment page; before that, the time at which the payment was started.',
      },
      '2026-11-15T09:30:20+03:00',
    ),
    end_at: nullableSchema(
      shownTimeSchema(
        {
          tr: 'İşlemin sonuçlandığı tarih ve saat; sonuçlanmadıysa null.',
          en: 'Time of the outcome; null before the outcome.',
        },
        '2026-11-15T09:31:45+03:00',
      ),
    ),
    metadata: shownListSchema(
      {
        tr: 'Ödeme başlatılırken gönderilen anahtar-değer çiftleri; yoksa boş liste.',
        en: 'Key-value pairs sent when the payment was started; an empty list if there are none.',
      },
      TransactionMetadata,
    ),
    formatted_amount: shownTextSchema(
      { tr: 'Tutarın noktayla ayrılmış ondalık yazımı.', en: 'Amount as decimal text with a dot.' },
      '189.90',
    ),
  },
)

/** Payment fields that merchants see. */
export const shownPayments = payments.pick(
  'id',
  'amountMinor',
  'currency',
  'installmentCount',
  'state',
  'message',
  'code',
  'preAuth',
  'createdAt',
  'viewedAt',
  'endedAt',
  'metadata',
)

export type TransactionPaymentFields = RowOf<typeof shownPayments>

/** Status of a payment, as its merchant sees it. */
export function shownStatusFields(state: PaymentState) {
  const { payment, transaction } = shownStatusesByState[state]
  return {
    payment_status: shownPaymentStatusCodes[payment],
    payment_status_text: payment,
    transaction_status: shownTransactionStatusCodes[transaction],
    transaction_status_text: transaction,
  }
}

export function shownTransaction(
  payment: TransactionPaymentFields,
  { timeZone }: Pick<Merchant, 'timeZone'>,
): Static<typeof ShownTransaction> {
  return {
    transaction_id: payment.id,
    amount: payment.amountMinor,
    currency_code: payment.currency,
    installment_count: payment.installmentCount,
    ...shownStatusFields(payment.state),
    transaction_message: payment.message,
    transaction_code: payment.code,
    payment_method: paymentMethods.is_3d,
    payment_method_text: 'is_3d',
    pre_auth: payment.preAuth,
    created_at: isoTime(payment.createdAt, timeZone),
    start_at: isoTime(payment.viewedAt ?? payment.createdAt, timeZone),
    end_at: payment.endedAt && isoTime(payment.endedAt, timeZone),
    metadata: payment.metadata,
    formatted_amount: decimalText(payment.amountMinor, '.'),
  }
}
