import type { PageRoute, PageRouteRequest } from '../../kit/http/page-route.ts'
import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import { defaultLanguage } from '../../kit/text/locale.ts'
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
 * The bridge: the frame in which the bank asks the payer, or with `full` the whole window; with `own` it holds a frame for
 * the bank's own page, for a page that is itself in a frame of its merchant's. Guarantee: it never holds a
 * card, so that it may lead to any bank's page. It holds nothing of a payment either, so that none need be looked for: the
 * page says the language that it is in, and what the browser has to do here is asked for by the script.
 */
export const showThreeDsBridgeRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/bank',
  handle: async (services, request) => {
    const page = request.params['token'] ?? ''
    const merchant = await merchantFor(services, request)
    if (!merchant) return notFoundPageResponse(services, request.language ?? defaultLanguage)
    const language = languageFromQuery(request) ?? request.language ?? merchant.language
    const address = `${pageBasePathOf(services.config)}/p/${page}`
    const isFull = request.query.get('full') === '1'
    const isOwn = request.query.get('own') === '1'
    return {
      kind: 'page',
      policy: threeDsBridgePolicy(services.config, merchant),
      html: htmlDocument(services.config, {
        language,
        title: pageTexts.bankStep[language],
        script: 'bridge.js',
        colour: merchant.colour,
        data: {
          page: address,
          full: String(isFull),
          own: String(isOwn),
          title: pageTexts.bankStep[language],
          waiting: pageTexts.waitingForBank[language],
          // A browser names its encodings when it asks for a page, not when a script asks for data.
          accept: request.headers.accept ?? '',
        },
        body: html`<div id="bridge" class="bridge" hidden><p id="state" role="status">${pageTexts.connecting[language]}</p>
<div id="place" tabindex="0"></div>
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

/** The card went to the bank's own page and is nowhere else: elsewhere it has to be typed again. */
function startAgainLink(address: string, language: Language): Html {
  return html`<a href="${address}" target="_top">${pageTexts.anewInFullWindow[language]}</a>`
}

/**
 * Whose bridge it is. Guarantee: where a merchant's web pages are, and its colour, is told to who has the address of one of
 * its payments, and not to who makes one up: merchants' ids follow one another.
 */
async function merchantFor(services: Services, request: PageRouteRequest): Promise<Merchant | undefined> {
  const token = decodePageToken(request.params['token'] ?? '')
  const merchant = token && (await recentMerchant(services, token.merchantId))
  const needsKnownPayment = merchant && (merchant.origins.length > 0 || merchant.colour !== null)
  return needsKnownPayment ? (await findVisitedPageContext(services, request))?.merchant : merchant
}
