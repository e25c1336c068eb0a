import type { PageRoute, PageRouteRequest } from '../../kit/http/page-route.ts'
import type { RawInput } from '../../kit/input/body.ts'
import { parseRequestBody } from '../../kit/input/body.ts'
import type { Services } from '../services.ts'
import type { BrowserFacts } from '../three-ds/index.ts'
import { authenticateThenNextStep } from '../three-ds/index.ts'
import { frameSizeIn } from './show-next-browser-step.ts'
import { notFromPageResponse, pageNotFoundJsonResponse } from './show-page-state.ts'
import { isFromPage } from './state/visitor.ts'

/** Reports the browser data and starts the authentication at the issuer. */
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

/** Browser data from the script and from the request, unchecked. The AReq builder cleans it. */
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
