import type { PageRoute } from '../../kit/http/page-route.ts'
import { attemptById } from '../payments/for-checkout.ts'
import { openPos } from '../pos/index.ts'
import type { Services } from '../services.ts'
import { cardPostingFramePolicy } from './guard/content-security-policy.ts'
import { notFoundPageResponse } from './not-found.ts'
import { findVisitedPageContext } from './state/visitor.ts'
import { pageTexts } from './texts/texts.ts'
import { htmlDocument } from './view/document.ts'

/**
 * Empty frame in which the page's script posts the card to the bank of one attempt. Guarantee: its content
 * can go only to that bank; it is served without a card and runs no script.
 */
export const showCardPostingFrameRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/carrier/:attempt',
  handle: async (services, request) => {
    const visitor = await findVisitedPageContext(services, request)
    const none = () => notFoundPageResponse(services, visitor ?? request)
    const attemptParam = request.params['attempt'] ?? ''
    if (!visitor || !/^[1-9]\d{13}$/.test(attemptParam)) return none()
    const { merchant, payment, language } = visitor
    const attempt = await attemptById(services, { merchantId: merchant.id, attemptId: Number(attemptParam) })
    if (attempt?.paymentId !== payment.id) return none()
    const bank = await openPos(services, merchant, attempt.posId)
    if (typeof bank === 'string' || bank.authentication.by !== 'bank_page') return none()
    const title = pageTexts.bankStep[language]
    return {
      kind: 'page',
      policy: cardPostingFramePolicy(bank.authentication.formHost, merchant),
      html: htmlDocument(services.config, { language, title, styles: 'none', body: '' }),
    }
  },
}
