import type { PageRequest, PageRoute } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import type { FrameSize } from '../three-ds/index.ts'
import { stepOf } from '../three-ds/index.ts'
import { nobody } from './show-status.ts'
import { visitorOf } from './visitor.ts'

/** What the browser has to do next for the bank. */
export const showStep: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/step',
  handle: async (services, request) => {
    const visitor = await visitorOf(services, request)
    if (!visitor) return nobody
    return { kind: 'json', value: stepOf(services, visitor, visitor.page, roomIn(request)) }
  },
}

/** How much room the frame has, as its script says; the bank's page may have the whole window where it says nothing. */
export function roomIn({ query }: PageRequest): FrameSize | undefined {
  const [width, height] = ['width', 'height'].map((name) => Number(query.get(name) ?? Number.NaN))
  return width && height ? { width, height } : undefined
}
