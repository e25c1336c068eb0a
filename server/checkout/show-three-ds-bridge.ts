import type { PageRoute, PageRouteRequest } from '../../kit/http/page-route.ts'
import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { Merchant } from '../merchants/index.ts'
import { recentMerchant } from '../merchants/index.ts'
import { decodePageToken } from '../payments/for-checkout.ts'
import type { Services } from '../services.ts'
import { pageBasePathOf } from './files/assets.ts'
import { threeDsBridgePolicy } from './guard/content-security-policy.ts'
import { notFoundPageResponse } from './not-found.ts'
import { findVisitedPageContext, languageFromQuery } from './state/visitor.ts'
import { pageTexts } from './texts/texts.ts'
import { htmlDocument } from './view/document.ts'

/**
 * The bridge: the frame for the bank's challenge. `full` uses the whole window. `own` holds a frame for the
 * bank's page, if a merchant frames our page. Guarantee: it never holds a card, so it may lead to any bank's
 * page. It holds no payment data, so no payment needs to be read: the page passes the language, and the
 * script requests the next step.
 */
export const showThreeDsBridgeRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/bank',
  handle: async (services, request) => {
    const page = request.params['token'] ?? ''
    const merchant = await merchantFor(services, request)
    if (!merchant) return notFoundPageResponse(services, request)
    const language = languageFromQuery(request) ?? request.language ?? merchant.language
    const address = `${pageBasePathOf(services.config)}/p/${page}`
    const isOwn = request.query.get('own') === '1'
    return {
      kind: 'page',
      policy: threeDsBridgePolicy(services.config, merchant),
      html: htmlDocument(services.config, {
        language,
        title: pageTexts.bankStep[language],
        script: 'bridge.js',
        styles: 'file',
        colour: merchant.colour,
        data: {
          page: address,
          full: String(request.query.get('full') === '1'),
          own: String(isOwn),
          title: pageTexts.bankPage[language],
          waiting: pageTexts.waitingForBank[language],
          // Browsers send this header with a page request, not with a script's request.
          accept: request.headers.accept ?? '',
        },
        body: html`<div id="bridge" class="bridge" hidden><p id="state" role="status">${pageTexts.connecting[language]}</p>
<div id="place"></div>
<div id="ways"><span>${pageTexts.notSeen[language]}</span>
${isOwn ? startAgainLink(address, language) : fallbackLinks(address, language)}</div></div>`,
      }),
    }
  },
}

function fallbackLinks(address: string, language: Language): Html {
  return html`<a href="${address}/bank?full=1&lang=${language}" target="_top">${pageTexts.fullWindow[language]}</a>
<button id="reload" type="button">${pageTexts.reload[language]}</button>`
}

/** The card went only to the bank's page, so it must be typed again elsewhere. */
function startAgainLink(address: string, language: Language): Html {
  return html`<a href="${address}" target="_top">${pageTexts.anewInFullWindow[language]}</a>`
}

/**
 * Merchant of the bridge. Guarantee: a merchant's origins and colour are shown only at the address of one of
 * its payments. Merchant ids are sequential, so an address could be invented.
 */
async function merchantFor(services: Services, request: PageRouteRequest): Promise<Merchant | undefined> {
  const token = decodePageToken(request.params['token'] ?? '')
  const merchant = token && (await recentMerchant(services, token.merchantId))
  const needsKnownPayment = merchant && (merchant.origins.length > 0 || merchant.colour !== null)
  return needsKnownPayment ? (await findVisitedPageContext(services, request))?.merchant : merchant
}
