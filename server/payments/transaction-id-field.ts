import { idField } from '../../kit/input/fields.ts'
import type { Complaints } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { transactionById } from './records/payment.sql.ts'

/** Id of a transaction in a request body. */
export const transactionIdField = idField({
  tr: 'Ödeme başlatıldığında dönen işlem numarası.',
  en: 'Transaction ID returned when the payment was started.',
})

/** Complaint about an unknown transaction, or one of another merchant. */
export const unknownTransactionComplaint: LocalizedText = {
  tr: 'Bu numarayla bir işlem yok.',
  en: 'There is no transaction with this ID.',
}

/** Complaint about an unknown transaction, for requests that have other errors too. */
export async function unknownTransactionComplaints(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  transactionId: number | undefined,
): Promise<Complaints> {
  const isKnown =
    transactionId === undefined || (await transactionById(sql, merchant.id, transactionId)) !== undefined
  return new Map(isKnown ? [] : [['transaction_id', [unknownTransactionComplaint]]])
}
