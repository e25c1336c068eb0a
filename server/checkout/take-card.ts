import type { PageRoute, PageRouteRequest, PageRouteResponse } from '../../kit/http/page-route.ts'
import type { RawInput } from '../../kit/input/body.ts'
import { parseRequestBody } from '../../kit/input/body.ts'
import type { CardSubmissionResult, CheckoutContext } from '../payments/for-checkout.ts'
import { pageAsksForCustomer, submitCard } from '../payments/for-checkout.ts'
import type { Services } from '../services.ts'
import type { Authentication } from '../three-ds/index.ts'
import { prepareAuthentication } from '../three-ds/index.ts'
import { pageBasePathOf } from './files/assets.ts'
import { isCardEntryAllowed } from './guard/page-security.ts'
import { readPayer } from './read-payer.ts'
import { notFromPageResponse, pageNotFoundJsonResponse } from './show-page-state.ts'
import { pageStateForVisitor } from './state/page-state.ts'
import { readCard } from './state/read-card.ts'
import { pageContextForCardSubmission } from './state/store.ts'
import type { VisitedPageContext } from './state/visitor.ts'
import { findVisitedPageContext, findVisitedPageContextWithReader, isFromPage } from './state/visitor.ts'

/**
 * Receives the typed card, and the payer's data if the merchant has not given a customer. Returns the
 * browser's next step. Guarantees:
 * - Only the page's own script is accepted.
 * - If several cards arrive at the same time, one begins an attempt; a later card replaces an earlier one.
 * - A repeated submission begins nothing and gets an equal answer.
 * - No response repeats the input, and a card is stored only sealed.
 */
export const takeCardRoute: PageRoute<Services> = {
  method: 'POST',
  url: '/p/:token/card',
  handle: async (services, request) => {
    if (!isFromPage(request)) return notFromPageResponse
    const visitor = await findVisitedPageContextWithReader(services, request, pageContextForCardSubmission)
    if (!visitor) return pageNotFoundJsonResponse
    return isCardEntryAllowed(services, visitor.merchant) ? take(services, visitor, request) : notTaken
  },
}

async function take(
  services: Services,
  visitor: VisitedPageContext & { checkoutContext: CheckoutContext },
  request: PageRouteRequest,
): Promise<PageRouteResponse> {
  const { merchant, payment, language, page, checkoutContext } = visitor
  const input = parseRequestBody(request.body, request.headers['content-type'])
  const card = readCard(input, services.clock.now())
  const payer = pageAsksForCustomer(payment) ? readPayer(input) : undefined
  if (card instanceof Map || payer instanceof Map) {
    const wrong = [payer, card].flatMap((read) => (read instanceof Map ? [...read] : []))
    const errors = Object.fromEntries(wrong.map(([name, sentence]) => [name, sentence[language]]))
    return { kind: 'json', status: 422, value: { next: 'fields', errors } }
  }
  let authentication: Authentication | undefined
  const submitted = await submitCard(
    services,
    merchant,
    { paymentId: payment.id, justRead: checkoutContext },
    {
      name: submissionIn(input),
      card,
      payer,
      installment: countIn(input['installment']),
      chargedMinor: countIn(input['charged']),
      payerAddress: request.address,
      language,
      page,
      extraWrite: async (attempt, own) => {
        const extraWrite = await prepareAuthentication(services, merchant, attempt, card.pan, own)
        authentication = extraWrite.authentication
        return extraWrite
      },
    },
  )
  if (submitted.outcome !== 'begun') return notStartedResponse(services, visitor, request, submitted)
  return startedResponse(
    services,
    { ...visitor, authentication: authentication ?? visitor.authentication },
    request,
    submitted,
  )
}

async function startedResponse(
  services: Services,
  visitor: VisitedPageContext,
  request: PageRouteRequest,
  { payment, attempt, mode }: Extract<CardSubmissionResult, { outcome: 'begun' }>,
): Promise<PageRouteResponse> {
  const { page } = visitor
  if (mode.by === 'three_ds_server') {
    // If another request of the same submission began the attempt, its authentication is not ours: read it.
    const isOurs = visitor.authentication?.attemptId === attempt.id
    const now = isOurs ? { ...visitor, payment, attempt } : await findVisitedPageContext(services, request)
    return {
      kind: 'json',
      value: { next: 'bank_frame', standing: pageStateForVisitor(services, now ?? visitor) },
    }
  }
  const { action, fields } = mode.form
  const carrier = `${pageBasePathOf(services.config)}/p/${page}/carrier/${attempt.id}`
  return { kind: 'json', value: { next: 'bank_form', carrier, form: { action, fields } } }
}

async function notStartedResponse(
  services: Services,
  visitor: VisitedPageContext,
  request: PageRouteRequest,
  submitted: Exclude<CardSubmissionResult, { outcome: 'begun' }>,
): Promise<PageRouteResponse> {
  switch (submitted.outcome) {
    case 'limited':
      return { kind: 'json', status: 429, value: { next: 'limited', retryAfterS: submitted.retryAfterS } }
    case 'offer_changed':
      return { kind: 'json', status: 409, value: { next: 'offer_changed' } }
    case 'nothing_offered':
    case 'merchant_suspended':
    case 'pos_unreachable':
      return notTaken
    case 'not_open': {
      // Reads the state again: another request was faster, possibly a second click.
      const now = await findVisitedPageContext(services, request)
      const pageState = pageStateForVisitor(services, now ?? visitor)
      return { kind: 'json', status: 409, value: { next: 'not_open', standing: pageState } }
    }
  }
}

/** UUID that the page's script gives each press of the button. Any other value counts as none. */
function submissionIn({ submission }: RawInput): string | null {
  return typeof submission === 'string' && uuid.test(submission) ? submission : null
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Answer for causes that the payer cannot change. */
const notTaken: PageRouteResponse = { kind: 'json', status: 409, value: { next: 'not_taken' } }

/** Positive integer from our script. Any other value becomes 0, for which there is no offer. */
function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}
