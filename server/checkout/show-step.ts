import type { PageRoute, Visit } from '../kit/page-route.ts'
import type { Services } from '../services.ts'
import type { FrameSize, Step } from '../three-ds/index.ts'
import { stepOf } from '../three-ds/index.ts'
import { nobody } from './show-status.ts'
import { provingFor } from './standing.ts'
import type { Visitor } from './visitor.ts'
import { visitorOf } from './visitor.ts'

/** What the browser has to do next for the bank. */
export const showStep: PageRoute<Services> = {
  method: 'GET',
  url: '/p/:token/step',
  handle: async (services, visit) => {
    const visitor = await visitorOf(services, visit)
    if (!visitor) return nobody
    const { merchant, page } = visitor
    const room = roomIn(visit)
    const value = await stepFor(services, visitor, (attemptId) =>
      stepOf(services, merchant, { attemptId, page }, room),
    )
    return { kind: 'json', value }
  },
}

/** How much room the frame has, as its script says; the bank's page may have the whole window where it says nothing. */
export function roomIn({ query }: Visit): FrameSize | undefined {
  const [width, height] = ['width', 'height'].map((name) => Number(query.get(name) ?? Number.NaN))
  return width && height ? { width, height } : undefined
}

/** Asks for the attempt that waits for its payer in a frame of ours. Where none does, there is nothing to do there. */
export async function stepFor(
  services: Services,
  visitor: Visitor,
  ask: (attemptId: number) => Promise<Step>,
): Promise<Step> {
  const { payment, attempt } = visitor
  if (attempt && (await provingFor(services, visitor)) === 'proving') return ask(attempt.id)
  return { step: payment.state === 'authorizing' || payment.state === 'reversing' ? 'wait' : 'over' }
}
