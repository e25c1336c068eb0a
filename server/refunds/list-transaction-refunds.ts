import type { ListPage } from '../../kit/api/route.ts'
import { listPageResponseDefinition, route } from '../../kit/api/route.ts'
import { idField, objectSchema, queryFiltersSchema } from '../../kit/input/fields.ts'
import { noSuchResource, Refused } from '../../kit/input/refusals.ts'
import type { ListCursor } from '../database/search.ts'
import { encodeCursor, maxExactCount, searchFilterFields } from '../database/search.ts'
import type { Merchant } from '../merchants/index.ts'
import { paymentById } from '../payments/for-refunds.ts'
import type { Services } from '../services.ts'
import type { Refund } from './refund.ts'
import { ShownRefund, shownRefund } from './refund.ts'
import { countRefundsOfPayment, refundsOfPayment } from './store.ts'

const { after, per_page } = searchFilterFields

export const listTransactionRefundsRoute = route({
  method: 'GET',
  url: '/v1/transaction/:transaction_id/refunds',
  summary: { tr: 'İşlemin iadelerini listele', en: 'List refunds of a transaction' },
  description: {
    tr: 'Bir işlemin iade taleplerini en yeniden en eskiye doğru döndürür. İade talebi yoksa liste boştur.',
    en: 'Returns the refunds of a transaction, newest first. The list is empty if there are none.',
  },
  credential: 'secret',
  params: objectSchema({
    transaction_id: idField({ tr: 'İşlem numarası.', en: 'ID of the transaction.' }),
  }),
  query: queryFiltersSchema({ after, per_page }),
  answer: listPageResponseDefinition(ShownRefund, {
    tr: 'İşlemin iadeleri.',
    en: 'Refunds of the transaction.',
  }),
  handle: async (services: Services, merchant: Merchant, { params, query }) => {
    const selection = {
      transactionId: params.transaction_id,
      after: query.after,
      perPage: query.per_page ?? 20,
    }
    const { items, ...rest } = await listTransactionRefunds(services, merchant, selection)
    return { items: items.map((refund) => shownRefund(refund, merchant)), ...rest }
  },
})

export async function listTransactionRefunds(
  { sql }: Pick<Services, 'sql'>,
  merchant: Merchant,
  selection: { transactionId: number; after: ListCursor | undefined; perPage: number },
): Promise<ListPage<Refund>> {
  const ownedId = { merchantId: merchant.id, id: selection.transactionId }
  if (!(await paymentById(sql, ownedId.merchantId, ownedId.id))) throw new Refused(noSuchResource)
  const { perPage } = selection
  const refunds = await refundsOfPayment(sql, ownedId, { behind: selection.after, limit: perPage + 1 })
  const count = await countRefundsOfPayment(sql, ownedId, maxExactCount + 1)
  const items = refunds.slice(0, perPage)
  const last = items.at(-1)
  return {
    items,
    total: count > maxExactCount ? `${maxExactCount}+` : String(count),
    next:
      refunds.length > perPage && last
        ? encodeCursor({ createdAt: last.requestedAt, id: last.id })
        : undefined,
  }
}
