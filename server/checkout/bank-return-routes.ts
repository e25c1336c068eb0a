import type { PageRoute, PageRouteRequest, PageRouteResponse } from '../../kit/http/page-route.ts'
import { html } from '../../kit/text/html.ts'
import { defaultLanguage } from '../../kit/text/locale.ts'
import type { ReturnContext } from '../payments/for-checkout.ts'
import { openReturnToken } from '../payments/for-checkout.ts'
import type { Services } from '../services.ts'
import { receiveBankPageReturn, recordChallengeReturn, recordMethodCompletion } from '../three-ds/index.ts'
import { pageBasePathOf } from './files/assets.ts'
import { bankReturnNoticePolicy } from './guard/content-security-policy.ts'
import { notFoundPageResponse } from './not-found.ts'
import { pageTexts } from './texts/texts.ts'
import { htmlDocument } from './view/document.ts'

/**
 * Addresses that banks' pages return the browser to. Requests come from other sites, with any body, any
 * number of times. Only content that a bank's server confirms, or that the bank has signed, counts.
 */
export const threeDsMethodNotificationRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/3ds/method/:return_token',
  fromBanks: true,
  handle: async (services, request) => {
    const returnContext = openedToken(services, request, 'method')
    if (!returnContext) return notFoundPageResponse(services, request)
    await recordMethodCompletion(services, returnContext, request.body)
    // The 3DS Method runs in a hidden frame, which may be any site's: do not lead it anywhere.
    return noticePage(services, request, { purpose: 'method' })
  },
}

export const challengeNotificationRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/3ds/challenge/:return_token',
  fromBanks: true,
  handle: async (services, request) => {
    const returnContext = openedToken(services, request, 'challenge')
    if (!returnContext) return notFoundPageResponse(services, request)
    await recordChallengeReturn(services, returnContext, request.body)
    const frame = request.headers['sec-fetch-dest']
    if (frame === 'document') return { kind: 'redirect', location: pageAddress(services, returnContext) }
    // A browser that does not report its frame may be in none, so the payer gets a link.
    const linkedPage = frame === undefined ? returnContext.page : undefined
    return noticePage(services, request, { purpose: 'challenge' }, linkedPage)
  },
}

/**
 * Return from the bank's page. In the payer's window it redirects to our page, with GET, whatever the
 * outcome. In a frame it returns a notice: in our bridge's frame the notice informs the bridge, in another
 * frame it goes on to the page.
 */
export const bankReturnRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/return/:return_token',
  fromBanks: true,
  handle: async (services, request) => {
    const returnContext = openedToken(services, request, 'return')
    if (!returnContext) return notFoundPageResponse(services, request)
    await receiveBankPageReturn(services, returnContext, request.body)
    const location = pageAddress(services, returnContext)
    if (request.headers['sec-fetch-dest'] !== 'iframe') return { kind: 'redirect', location }
    return noticePage(services, request, { purpose: 'return', next: location })
  },
}

function openedToken(
  services: Services,
  { params }: PageRouteRequest,
  purpose: 'method' | 'challenge' | 'return',
): ReturnContext | undefined {
  return openReturnToken(services, purpose, params['return_token'] ?? '')
}

/** Page whose script notifies our parent frame. It links to the payment page if one is given. */
function noticePage(
  { config }: Services,
  { language = defaultLanguage }: PageRouteRequest,
  data: Readonly<Record<string, string>>,
  linkedPage?: string,
): PageRouteResponse {
  const title = pageTexts.bankStep[language]
  const body =
    linkedPage === undefined
      ? undefined
      : html`<p><a href="${pageBasePathOf(config)}/p/${linkedPage}" target="_top">${pageTexts.backToPage[language]}</a></p>`
  const parts = { language, title, script: 'notice.js', styles: 'none', data, body } as const
  return { kind: 'page', policy: bankReturnNoticePolicy, html: htmlDocument(config, parts) }
}

/** The fragment informs only the page's script that the payer has just returned from the bank. */
function pageAddress({ config }: Services, { page }: ReturnContext): string {
  return `${config.pageUrl}/p/${page}#back`
}
