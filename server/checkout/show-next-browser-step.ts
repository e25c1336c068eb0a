import type { PageRequest, PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import type { FrameSize } from '../three-ds/index.ts'
import { nextBrowserStep } from '../three-ds/index.ts'
import { pageNotFoundJsonResponse } from './show-status.ts'
import { findVisitorContext } from './visitor.ts'

/** What the browser has to do next for the bank. */
export const showNextBrowserStepRoute: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/step',
  handle: async (services, request) => {
    const visitor = await findVisitorContext(services, request)
    if (!visitor) return pageNotFoundJsonResponse
    return { kind: 'json', value: nextBrowserStep(services, visitor, visitor.page, frameSizeIn(request)) }
  },
}

/** How much room the frame has, as its script says; the bank's page may have the whole window where it says nothing. */
export function frameSizeIn({ query }: PageRequest): FrameSize | undefined {
  const [width, height] = ['width', 'height'].map((name) => Number(query.get(name) ?? Number.NaN))
  return width && height ? { width, height } : undefined
}
