import type { PageRoute, PageRouteRequest } from '../../kit/http/page-route.ts'
import type { RawInput } from '../../kit/input/body.ts'
import { parseRequestBody } from '../../kit/input/body.ts'
import type { Services } from '../services.ts'
import type { BrowserFacts } from '../three-ds/index.ts'
import { authenticateThenNextStep } from '../three-ds/index.ts'
import { frameSizeIn } from './show-next-browser-step.ts'
import { notFromPageResponse, pageNotFoundJsonResponse } from './show-page-state.ts'
import { isFromPage } from './state/visitor.ts'

/** Has the bank asked whether it knows the payer by the browser, or wants to ask. */
export const authenticatePayerRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/p/:token/authenticate',
  handle: async (services, request) => {
    if (!isFromPage(request)) return notFromPageResponse
    const browser = browserFacts(request, parseRequestBody(request.body, request.headers['content-type']))
    const step = await authenticateThenNextStep(
      services,
      request.params['token'] ?? '',
      browser,
      frameSizeIn(request),
    )
    return step ? { kind: 'json', value: step } : pageNotFoundJsonResponse
  },
}

/** Facts about the browser: its own, and those that we see. Whoever sends them on cleans them. */
function browserFacts({ headers, address }: PageRouteRequest, script: RawInput): BrowserFacts {
  const { accept } = script
  return {
    acceptHeader: typeof accept === 'string' && accept !== '' ? accept : headers.accept,
    userAgent: headers['user-agent'],
    acceptLanguage: headers['accept-language'],
    address,
    script,
  }
}
