import type { PageRoute, PageRouteResponse } from '../../kit/http/page-route.ts'
import type { Services } from '../services.ts'
import { pageStateForVisitor } from './state/page-state.ts'
import { findVisitedPageContext } from './state/visitor.ts'

/** Returns the state of the payment page to its script. */
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

/** Response to a script at an unknown page. */
export const pageNotFoundJsonResponse: PageRouteResponse = {
  kind: 'json',
  status: 404,
  value: { next: 'not_found' },
}

/** Response to a request that the page's own script did not send. */
export const notFromPageResponse: PageRouteResponse = {
  kind: 'json',
  status: 403,
  value: { next: 'refused' },
}
