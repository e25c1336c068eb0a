import type { PageRoute, PageRouteResponse } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import { pageStateForVisitor } from './page-state.ts'
import { findVisitedPageContext } from './visitor.ts'

/** How the payment stands, for the page to show. */
export const showPageStateRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/status',
  handle: async (services, request) => {
    const visitor = await findVisitedPageContext(services, request)
    return visitor
      ? { kind: 'json', value: pageStateForVisitor(services, visitor) }
      : pageNotFoundJsonResponse
  },
}

/** What a script is told at an address that is no page's. */
export const pageNotFoundJsonResponse: PageRouteResponse = {
  kind: 'json',
  status: 404,
  value: { next: 'not_found' },
}

/** What anybody is told who is not the page's own script. */
export const notFromPageResponse: PageRouteResponse = {
  kind: 'json',
  status: 403,
  value: { next: 'refused' },
}
