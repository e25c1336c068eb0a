import type { PageRouteRequest } from '../../../kit/http/page-route.ts'
import type { Language } from '../../../kit/text/locale.ts'
import { languages } from '../../../kit/text/locale.ts'
import type { PageVisit } from '../../payments/for-checkout.ts'
import { decodePageToken } from '../../payments/for-checkout.ts'
import type { Services } from '../../services.ts'
import type { PageContext } from './store.ts'
import { pageContextOfVisit } from './store.ts'

/** Page context of a visit, with the page's language. */
export interface VisitedPageContext extends PageContext {
  language: Language
  /** Token at the end of the page's address. */
  page: string
}

/** Returns undefined for an unknown address as for a misspelt one. */
export function findVisitedPageContext(
  services: Services,
  request: PageRouteRequest,
): Promise<VisitedPageContext | undefined> {
  return findVisitedPageContextWithReader(services, request, pageContextOfVisit)
}

/** Reads the context with additional data, still in one round trip. */
export async function findVisitedPageContextWithReader<More extends PageContext>(
  services: Services,
  request: PageRouteRequest,
  find: (services: Services, pageLookup: PageVisit) => Promise<More | undefined>,
): Promise<(More & VisitedPageContext) | undefined> {
  const page = request.params['token'] ?? ''
  const token = decodePageToken(page)
  const lookup = token && {
    ...token,
    now: services.clock.now(),
    language: languageFromQuery(request) ?? null,
  }
  const pageContext = lookup && (await find(services, lookup))
  if (!pageContext) return undefined
  const { payment, merchant } = pageContext
  return { ...pageContext, language: payment.language ?? request.language ?? merchant.language, page }
}

/** Language that the payer has just chosen. */
export function languageFromQuery({ query }: PageRouteRequest): Language | undefined {
  return languages.find((language) => language === query.get('lang'))
}

/**
 * True for a request of our own page's script. Another site cannot send JSON here without a CORS preflight,
 * and cannot claim the same origin.
 */
export function isFromPage({ headers }: PageRouteRequest): boolean {
  const site = headers['sec-fetch-site']
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'application/json' && (site === undefined || site === 'same-origin')
}
