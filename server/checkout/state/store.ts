import type { SqlFragment } from '../../../kit/runtime/sql.ts'
import { parameter } from '../../../kit/runtime/sql.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantColumn, merchantFromRow, sellerColumn, sellerFromRow } from '../../merchants/index.ts'
import type {
  CheckoutContext,
  HourKeyRow,
  PageVisit,
  PaymentWithLastAttempt,
  PaymentWithLastAttemptRow,
} from '../../payments/for-checkout.ts'
import {
  buildPaymentPageBatchQuery,
  buildPaymentPageQuery,
  checkoutContextOfRow,
  hourKeyColumn,
  paymentWithLastAttemptFromRow,
  readPageRow,
  readPageRowByBatchQuery,
} from '../../payments/for-checkout.ts'
import type { PricedPos, PricedRow } from '../../pos/index.ts'
import { pricedQueries, readWithPrices } from '../../pos/index.ts'
import type { Services } from '../../services.ts'
import type { Authentication, LastAuthenticationRow } from '../../three-ds/index.ts'
import { authenticationFromRow, lastAuthenticationJsonColumn } from '../../three-ds/index.ts'

type PageServices = Pick<Services, 'sql' | 'processState'>

/** Data of a page visit, read at one moment in one round trip. */
export interface PageContext extends PaymentWithLastAttempt {
  merchant: Merchant
  /** Authentication of the last attempt. */
  authentication: Authentication | undefined
}

type PageRow = PaymentWithLastAttemptRow & LastAuthenticationRow

function pageContextIn(row: PageRow, lookup: PageVisit, merchant: Merchant): PageContext {
  return {
    ...paymentWithLastAttemptFromRow(row, lookup),
    merchant,
    authentication: authenticationFromRow(row),
  }
}

const ofMerchant = parameter('merchantId')

const pageColumns = [sellerColumn(ofMerchant), lastAuthenticationJsonColumn(ofMerchant)]
const selectPage = buildPaymentPageQuery(pageColumns)
const selectPages = buildPaymentPageBatchQuery(pageColumns)

export async function pageContextOfVisit(
  { sql }: PageServices,
  lookup: PageVisit,
): Promise<PageContext | undefined> {
  const row = await readPageRow<PageRow & { seller: string }>(sql, selectPage, lookup)
  return row && pageContextIn(row, lookup, sellerFromRow(row))
}

/**
 * Like `pageContextOfVisit`, for a view of the page: stores the view in the query that reads, and reads for
 * other views of the merchant too. For a later request of a page this would cost three times as much.
 */
export async function pageContextOfView(
  { sql }: PageServices,
  lookup: PageVisit,
): Promise<PageContext | undefined> {
  const row = await readPageRowByBatchQuery<PageRow & { seller: string }>(sql, selectPages, lookup)
  return row && pageContextIn(row, lookup, sellerFromRow(row))
}

/** Queries of a page with the merchant's POS and prices. */
const pricedPages = (columns: readonly SqlFragment[]) =>
  pricedQueries(ofMerchant, parameter('now'), (priced) =>
    buildPaymentPageQuery([merchantColumn, lastAuthenticationJsonColumn(ofMerchant), ...columns, ...priced]),
  )

type PricedPageRow = PageRow & PricedRow & { merchant: unknown[] }

const offerPages = pricedPages([])

/** Page context with the merchant's POSs and prices, for the installment offer. */
export async function pageContextWithPricedPoses(
  services: PageServices,
  lookup: PageVisit,
): Promise<(PageContext & { poses: readonly PricedPos[] }) | undefined> {
  const found = await readWithPrices(services, lookup, (form) =>
    readPageRow<PricedPageRow>(services.sql, offerPages[form], lookup),
  )
  return found && { ...pageContextIn(found.row, lookup, merchantFromRow(found.row)), poses: found.poses }
}

const cardPages = pricedPages([hourKeyColumn])

/** Page context with the data needed to begin an attempt. */
export async function pageContextForCardSubmission(
  services: PageServices,
  lookup: PageVisit,
): Promise<(PageContext & { checkoutContext: CheckoutContext }) | undefined> {
  const found = await readWithPrices(services, lookup, (form) =>
    readPageRow<PricedPageRow & HourKeyRow>(services.sql, cardPages[form], lookup),
  )
  if (!found) return undefined
  const pageContext = pageContextIn(found.row, lookup, merchantFromRow(found.row))
  const checkoutContext = checkoutContextOfRow(found.row, pageContext.payment, found.poses)
  return { ...pageContext, checkoutContext }
}
