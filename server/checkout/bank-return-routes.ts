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
 * Where banks' pages lead the browser back to. They come from other sites, with whatever body, as often as they like:
 * nothing is taken from them but what their servers confirm, or what carries the bank's own signature.
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
 * The bank's own page was in the payer's window, so the payer goes on to ours, by GET, whatever came of it. In a frame it
 * was most likely in that of our bridge, which is told; where it was in somebody else's, the notice goes on to the page.
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
  // The frame in which a bank looks at the browser may be anybody's, and nobody sees it: it is led nowhere.
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

/** Tells whoever of us is above what was done. */
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

/** A browser that does not say whether it is in a frame may be in none: then the payer finds the way by hand. */
function withLink(
  { config }: Services,
  request: PageRouteRequest,
  { page }: ReturnContext,
  language: Language,
) {
  if (request.headers['sec-fetch-dest'] !== undefined) return undefined
  return html`<p><a href="${pageBasePathOf(config)}/p/${page}" target="_top">${pageTexts.backToPage[language]}</a></p>`
}

/** It says to the page's script, and to nobody else, that the payer has just come from the bank. */
function pageAddress({ config }: Services, { page }: ReturnContext): string {
  return `${config.pageUrl}/p/${page}#back`
}
