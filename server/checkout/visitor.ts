import type { Language } from '../kit/locale.ts'
import type { Visit } from '../kit/page-route.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantById } from '../merchants/index.ts'
import type { Attempt, Payment } from '../payments/index.ts'
import { pageOf, readPageToken } from '../payments/index.ts'
import type { Services } from '../services.ts'

/** Who is at a payment's page, and what it is of. */
export interface Visitor {
  payment: Payment
  /** The attempt that it waits for, or the last one there was. */
  attempt: Attempt | undefined
  merchant: Merchant
  language: Language
  /** The end of the page's address. */
  page: string
}

/** Undefined for whoever has no address of a page: that there is none and that it is misspelt look the same. */
export async function visitorOf(services: Services, visit: Visit): Promise<Visitor | undefined> {
  const page = visit.params['token'] ?? ''
  const token = readPageToken(page)
  const found = token && (await pageOf(services, token))
  const merchant = found && (await merchantById(services.sql, found.payment.merchantId))
  return merchant && { ...found, merchant, language: visit.language ?? merchant.language, page }
}

/**
 * Whether a request is one of our own page's script. A page of somebody else can neither send JSON here without being
 * asked for it, nor say that it is of the same origin.
 */
export function isFromPage({ headers }: Visit): boolean {
  const site = headers['sec-fetch-site']
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return type === 'application/json' && (site === undefined || site === 'same-origin')
}
