import type { PageRoute } from '../../kit/http/page-route.ts'
import type { Services } from '../services.ts'
import { pageBasePathOf } from './files/assets.ts'
import { allowedFramers, pagePolicy } from './guard/content-security-policy.ts'
import { notFoundPageResponse } from './not-found.ts'
import { omitEmptyPageStateFields, pageStateForVisitor } from './state/page-state.ts'
import { pageContextOfView } from './state/store.ts'
import { findVisitedPageContextWithReader } from './state/visitor.ts'
import { pageTexts } from './texts/texts.ts'
import { htmlDocument } from './view/document.ts'
import { pageBody } from './view/page-body.ts'
import { scriptTextsJson } from './view/script-texts.ts'
import { tileAddress } from './view/tile.ts'

/** The payment page. Guarantee: viewing it, any number of times, charges nothing. */
export const showPageRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token',
  handle: async (services, request) => {
    const visitor = await findVisitedPageContextWithReader(services, request, pageContextOfView)
    if (!visitor) return notFoundPageResponse(services, request)
    const { merchant, language, page } = visitor
    const pageState = pageStateForVisitor(services, visitor)
    const framers = allowedFramers(merchant)
    const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
    return {
      kind: 'page',
      policy: pagePolicy(services.config, merchant),
      html: htmlDocument(services.config, {
        language,
        title: `${pageState.title ?? pageTexts.title[language]} · ${merchant.name}`,
        script: 'page.js',
        styles: 'inside',
        hasMark: !merchant.whiteLabel,
        icon: merchant.logo === null ? undefined : tileAddress(services.config, merchant.id, merchant.logo),
        colour: merchant.colour,
        data: {
          page: `${pageBasePathOf(services.config)}/p/${page}`,
          standing: JSON.stringify(omitEmptyPageStateFields(pageState)),
          words: scriptTextsJson(visitor),
          seller: merchant.name,
          now: String(services.clock.now().getTime()),
          // Origins that the script may talk to if the page is framed, and whether it is framed.
          ...(framers.length > 0 ? { framers: framers.join(' ') } : {}),
          ...(isFramed ? { framed: 'true' } : {}),
        },
        body: pageBody(services.config, visitor, pageState),
      }),
    }
  },
}
