import type { PageRoute } from '../../kit/http/page-route.ts'
import type { Services } from '../services.ts'
import { savedFilePolicy } from './guard/content-security-policy.ts'
import { notFoundPageResponse } from './not-found.ts'
import { pageStateForVisitor } from './state/page-state.ts'
import { findVisitedPageContext } from './state/visitor.ts'
import { receiptFile, receiptStyle } from './view/receipt-file.ts'

/** The receipt as one HTML file to keep. Guarantee: it needs nothing from the network, and runs no script. */
export const showReceiptRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/receipt',
  handle: async (services, request) => {
    const visitor = await findVisitedPageContext(services, request)
    const pageState = visitor && pageStateForVisitor(services, visitor)
    if (!pageState || pageState.receipt.length === 0) return notFoundPageResponse(services, request)
    const name = visitor.language === 'tr' ? 'odeme' : 'payment'
    return {
      kind: 'page',
      policy: savedFilePolicy(receiptStyle.source),
      html: receiptFile(visitor, pageState),
      savedAs: `${name}-${visitor.payment.id}.html`,
    }
  },
}
