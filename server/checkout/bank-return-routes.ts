import type { PageRoute, PageRouteRequest, PageRouteResponse } from '../../kit/http/page-route.ts'
import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
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
  handle: (services, request) => receiveNotification(services, request, 'method', recordMethodCompletion),
}

export const challengeNotificationRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/3ds/challenge/:return_token',
  fromBanks: true,
  handle: (services, request) => receiveNotification(services, request, 'challenge', recordChallengeReturn),
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
    const returnContext = openReturnToken(services, 'return', request.params['return_token'] ?? '')
    if (!returnContext) return notFoundPageResponse(services, request.language ?? defaultLanguage)
    await receiveBankPageReturn(services, returnContext, request.body)
    const location = pageAddress(services, returnContext)
    if (request.headers['sec-fetch-dest'] !== 'iframe') return { kind: 'redirect', location }
    return noticePage(services, request.language ?? defaultLanguage, { purpose: 'return', next: location })
  },
}

type Note = (services: Services, returnContext: ReturnContext, body: Buffer) => Promise<void>

async function receiveNotification(
  services: Services,
  request: PageRouteRequest,
  purpose: 'method' | 'challenge',
  note: Note,
): Promise<PageRouteResponse> {
  const language = request.language ?? defaultLanguage
  const returnContext = openReturnToken(services, purpose, request.params['return_token'] ?? '')
  if (!returnContext) return notFoundPageResponse(services, language)
  await note(services, returnContext, request.body)
  // The 3DS Method runs in a hidden frame, which may be any site's: do not lead it anywhere.
  const isFollowed = purpose === 'challenge'
  const isAlone = request.headers['sec-fetch-dest'] === 'document'
  if (isAlone && isFollowed) return { kind: 'redirect', location: pageAddress(services, returnContext) }
  return noticePage(
    services,
    language,
    { purpose },
    isFollowed ? withLink(services, request, returnContext, language) : undefined,
  )
}

/** Page whose script notifies our parent frame. */
function noticePage(
  { config }: Services,
  language: Language,
  data: Readonly<Record<string, string>>,
  body?: Html,
): PageRouteResponse {
  const title = pageTexts.bankStep[language]
  const parts = { language, title, script: 'notice.js', isPlain: true, data, body } as const
  return { kind: 'page', policy: bankReturnNoticePolicy, html: htmlDocument(config, parts) }
}

/** A browser that does not report its frame may be in none, so the payer gets a link. */
function withLink(
  { config }: Services,
  request: PageRouteRequest,
  { page }: ReturnContext,
  language: Language,
) {
  if (request.headers['sec-fetch-dest'] !== undefined) return undefined
  return html`<p><a href="${pageBasePathOf(config)}/p/${page}" target="_top">${pageTexts.backToPage[language]}</a></p>`
}

/** The fragment informs only the page's script that the payer has just returned from the bank. */
function pageAddress({ config }: Services, { page }: ReturnContext): string {
  return `${config.pageUrl}/p/${page}#back`
}
