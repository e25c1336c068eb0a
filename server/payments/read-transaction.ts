import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, objectSchema } from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import { transactionById } from './records/payment.sql.ts'
import { ShownTransaction, shownTransaction } from './records/transaction.ts'

export const readTransactionRoute = route({
  method: 'GET',
  url: '/v1/transaction/:transaction_id',
  summary: { tr: 'İşlem sonucunu getir', en: 'Read transaction result' },
  description: {
    tr: 'Bir işlemin şu andaki durumunu döndürür. Ödeme sonucunu yalnızca bu sorguyla öğrenin: ödeyen, dönüş adresine ödeme yapmadan da gelebilir.',
    en: 'Returns the current status of a transaction. Use only this request to learn the result: a payer can reach the return address without paying.',
  },
  credential: 'secret',
  params: objectSchema({
    transaction_id: idField({
      tr: 'Ödeme başlatıldığında dönen işlem numarası.',
      en: 'Transaction ID returned when the payment was started.',
    }),
  }),
  answer: bareResponseDefinition(ShownTransaction),
  handle: async ({ sql }: Services, merchant: Merchant, { params }) => {
    const transaction = await transactionById(sql, merchant.id, params.transaction_id)
    if (!transaction) throw new Refused(noSuchResource)
    return shownTransaction(transaction, merchant)
  },
})
