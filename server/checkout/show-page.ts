import { defaultLanguage } from '../kit/locale.ts'
import type { PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { rootOf } from './files/assets.ts'
import { framersOf, pagePolicy } from './guard/policy.ts'
import { notFoundPage } from './not-found.ts'
import { briefly, pageStateFor } from './page-state.ts'
import { documentOf } from './view/document.ts'
import { pageBody } from './view/page-body.ts'
import { spokenWords } from './view/spoken-words.ts'
import { words } from './view/words.ts'
import { visitorOf } from './visitor.ts'

/** The page itself. Guarantee: however often it is looked at, nothing is charged by that. */
export const showPage: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token',
  handle: async (services, request) => {
    const visitor = await visitorOf(services, request)
    if (!visitor) return notFoundPage(services, request.language ?? defaultLanguage)
    const { merchant, language, page } = visitor
    const pageState = pageStateFor(services, visitor)
    const framers = framersOf(merchant)
    const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
    return {
      kind: 'page',
      policy: pagePolicy(merchant),
      html: documentOf(services.config, {
        language,
        title: `${pageState.title ?? words.title[language]} · ${merchant.name}`,
        script: 'page.js',
        hasMark: !merchant.whiteLabel,
        colour: merchant.colour,
        data: {
          page: `${rootOf(services.config)}/p/${page}`,
          standing: JSON.stringify(briefly(pageState)),
          words: spokenWords(visitor),
          seller: merchant.name,
          now: String(services.clock.now().getTime()),
          // Whom the script may speak with, if this page is in a frame, and how it looks from the beginning.
          ...(framers.length > 0 ? { framers: framers.join(' ') } : {}),
          ...(isFramed ? { framed: 'true' } : {}),
        },
        body: pageBody(services.config, visitor, pageState),
      }),
    }
  },
}
