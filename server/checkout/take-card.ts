import { readBody } from '../kit/body.ts'
import type { PaymentCard } from '../kit/card.ts'
import type { PageAnswer, PageRoute, Visit } from '../kit/page-route.ts'
import type { Submitted } from '../payments/index.ts'
import { submitCard } from '../payments/index.ts'
import type { Services } from '../services.ts'
import { beginAuthentication } from '../three-ds/index.ts'
import { rootOf } from './assets.ts'
import { readCard } from './read-card.ts'
import { nobody, stranger } from './show-status.ts'
import { standingFor } from './standing.ts'
import type { Visitor } from './visitor.ts'
import { isFromPage, visitorOf } from './visitor.ts'

/**
 * Takes the card that the payer typed, and says where the browser goes on. Guarantee: only the page's own script is
 * listened to; of several cards at once one is taken, and the last one sent counts; what was typed is never repeated, nor written anywhere but sealed.
 */
export const takeCard: PageRoute<Services> = {
  method: 'POST',
  url: '/p/:token/card',
  handle: async (services, visit) => {
    if (!isFromPage(visit)) return stranger
    const visitor = await visitorOf(services, visit)
    return visitor ? take(services, visitor, visit) : nobody
  },
}

async function take(services: Services, visitor: Visitor, visit: Visit): Promise<PageAnswer> {
  const { merchant, payment, language, page } = visitor
  const input = readBody(visit.body, visit.headers['content-type'])
  const card = readCard(input, services.clock.now())
  if (card instanceof Map) {
    const errors = Object.fromEntries([...card].map(([name, sentence]) => [name, sentence[language]]))
    return { kind: 'json', status: 422, value: { next: 'fields', errors } }
  }
  const submitted = await submitCard(
    services,
    merchant,
    { paymentId: payment.id },
    {
      card,
      installment: countIn(input['installment']),
      chargedMinor: countIn(input['charged']),
      payerAddress: visit.address,
      language,
      page,
    },
  )
  return submitted.outcome === 'begun'
    ? begun(services, visitor, card, submitted)
    : notBegun(services, visitor, visit, submitted)
}

async function begun(
  services: Services,
  { merchant, page }: Visitor,
  { pan }: PaymentCard,
  { attempt, way }: Extract<Submitted, { outcome: 'begun' }>,
): Promise<PageAnswer> {
  if (way.by === 'us') {
    await beginAuthentication(services, merchant, { attempt, pan, authentication: way.authentication })
    return { kind: 'json', value: { next: 'bank_frame' } }
  }
  const { action, fields } = way.form
  const carrier = `${rootOf(services.config)}/p/${page}/carrier/${attempt.id}`
  return { kind: 'json', value: { next: 'bank_form', carrier, form: { action, fields } } }
}

async function notBegun(
  services: Services,
  visitor: Visitor,
  visit: Visit,
  submitted: Exclude<Submitted, { outcome: 'begun' }>,
): Promise<PageAnswer> {
  switch (submitted.outcome) {
    case 'limited':
      return {
        kind: 'json',
        status: 429,
        value: { next: 'limited', retryAfterS: submitted.retryAfterS },
      }
    case 'offer_changed':
      return { kind: 'json', status: 409, value: { next: 'offer_changed' } }
    case 'merchant_suspended':
    case 'pos_unreachable':
      return { kind: 'json', status: 409, value: { next: 'not_taken' } }
    case 'not_open': {
      // As it stands now: somebody was quicker, who may be the same payer with a second click.
      const now = await visitorOf(services, visit)
      const standing = await standingFor(services, now ?? visitor)
      return { kind: 'json', status: 409, value: { next: 'not_open', standing } }
    }
  }
}

/** What a script of ours sends as a number. Anything else is a number that nothing is offered for. */
function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
