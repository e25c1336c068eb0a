import type { PageRoute, PageRouteRequest } from '../../kit/http/page-route.ts'
import type { Services } from '../services.ts'
import type { FrameSize } from '../three-ds/index.ts'
import { nextBrowserStep } from '../three-ds/index.ts'
import { pageNotFoundJsonResponse } from './show-page-state.ts'
import { findVisitedPageContext } from './state/visitor.ts'

/** Returns the browser's next step in the authentication. */
export const showNextBrowserStepRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/step',
  handle: async (services, request) => {
    const visitor = await findVisitedPageContext(services, request)
    if (!visitor) return pageNotFoundJsonResponse
    return { kind: 'json', value: nextBrowserStep(services, visitor, visitor.page, frameSizeIn(request)) }
  },
}

/** Frame size reported by the script. Without one, the challenge may use the whole window. */
export function frameSizeIn({ query }: PageRouteRequest): FrameSize | undefined {
  const [width, height] = ['width', 'height'].map((name) => Number(query.get(name) ?? Number.NaN))
  return width && height ? { width, height } : undefined
}
