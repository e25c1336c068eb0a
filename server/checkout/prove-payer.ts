import type { RawInput } from '../kit/body.ts'
import { readBody } from '../kit/body.ts'
import type { PageRoute, Visit } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import type { BrowserFacts } from '../three-ds/index.ts'
import { authenticate } from '../three-ds/index.ts'
import { nobody, stranger } from './show-status.ts'
import { roomIn, stepFor } from './show-step.ts'
import { isFromPage, visitorOf } from './visitor.ts'

/** Has the bank asked whether it knows the payer by the browser, or wants to ask. */
export const provePayer: PageRoute<Services> = {
  method: 'POST',
  url: '/p/:token/authenticate',
  handle: async (services, visit) => {
    if (!isFromPage(visit)) return stranger
    const visitor = await visitorOf(services, visit)
    if (!visitor) return nobody
    const browser = browserFacts(visit, readBody(visit.body, visit.headers['content-type']))
    const { merchant, page } = visitor
    const step = await stepFor(services, visitor, (attemptId) =>
      authenticate(services, merchant, { attemptId, page }, browser, roomIn(visit)),
    )
    return { kind: 'json', value: step }
  },
}

/** What the browser says of itself, and what we see of it. It is cleaned by who sends it on. */
function browserFacts({ headers, address }: Visit, script: RawInput): BrowserFacts {
  const { accept } = script
  return {
    acceptHeader: typeof accept === 'string' && accept !== '' ? accept : headers.accept,
    userAgent: headers['user-agent'],
    acceptLanguage: headers['accept-language'],
    address,
    script,
  }
}
