import { html } from '../kit/html.ts'
import { defaultLanguage } from '../kit/locale.ts'
import type { PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { rootOf } from './assets.ts'
import { documentOf, notFoundPage } from './document.ts'
import { bridgePolicy } from './policy.ts'
import { visitorOf } from './visitor.ts'
import { words } from './words.ts'

/**
 * The bridge: the frame in which the bank asks the payer, or with `full` the whole window. Guarantee: it never holds a
 * card, so that it may lead to any bank's page.
 */
export const showBank: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/bank',
  handle: async (services, visit) => {
    const visitor = await visitorOf(services, visit)
    if (!visitor) return notFoundPage(services, visit.language ?? defaultLanguage)
    const { language, page } = visitor
    const address = `${rootOf(services.config)}/p/${page}`
    const isFull = visit.query.get('full') === '1'
    return {
      kind: 'page',
      policy: bridgePolicy(services.config),
      html: documentOf(services.config, {
        language,
        title: words.bankStep[language],
        script: 'bridge.js',
        data: {
          page: address,
          full: String(isFull),
          title: words.bankStep[language],
          waiting: words.waitingForBank[language],
          // What a browser takes it says when it asks for a page, not when a script asks for data.
          accept: visit.headers.accept ?? '',
        },
        body: html`<div class="bridge"><p id="state" role="status">${words.connecting[language]}</p>
<div id="ways"><span>${words.notSeen[language]}</span>
<a href="${address}/bank?full=1" target="_top">${words.fullWindow[language]}</a>
<button id="reload" type="button">${words.reload[language]}</button></div>
<div id="place"></div></div>`,
      }),
    }
  },
}
