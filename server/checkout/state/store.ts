import type { Sql } from '../../../kit/runtime/sql.ts'
import { parameter } from '../../../kit/runtime/sql.ts'
import type { BatchingSql } from '../../database/batching-sql.ts'
import type { Merchant } from '../../merchants/index.ts'
import { merchantColumn, merchantFromRow, sellerColumn, sellerFromRow } from '../../merchants/index.ts'
import type {
  CheckoutContext,
  PageVisit,
  PaymentWithLastAttempt,
  PaymentWithLastAttemptRow,
} from '../../payments/for-checkout.ts'
import {
  buildPaymentPageBatchQuery,
  buildPaymentPageQuery,
  checkoutContextColumns,
  checkoutContextFromRow,
  paymentWithLastAttemptFromRow,
  readPageRow,
  readPageRowByBatchQuery,
} from '../../payments/for-checkout.ts'
import type { PackedPricedPos, PricedPos } from '../../pos/index.ts'
import { pricedPosColumn, pricedPosIn } from '../../pos/index.ts'
import type { Authentication, LastAuthenticationRow } from '../../three-ds/index.ts'
import { authenticationFromRow, lastAuthenticationJsonColumn } from '../../three-ds/index.ts'

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

export async function pageContextOfVisit(database: Sql, lookup: PageVisit): Promise<PageContext | undefined> {
  const row = await readPageRow<PageRow & { seller: string }>(database, selectPage, lookup)
  return row && pageContextIn(row, lookup, sellerFromRow(row))
}

/**
 * Like `pageContextOfVisit`, for a view of the page: stores the view in the query that reads, and reads for
 * other views of the merchant too. For a later request of a page this would cost three times as much.
 */
export async function pageContextOfView(
  database: BatchingSql,
  lookup: PageVisit,
): Promise<PageContext | undefined> {
  const row = await readPageRowByBatchQuery<PageRow & { seller: string }>(database, selectPages, lookup)
  return row && pageContextIn(row, lookup, sellerFromRow(row))
}

const columns = [merchantColumn, lastAuthenticationJsonColumn(ofMerchant)]

type PricedPageRow = PageRow & { merchant: unknown[]; poses: PackedPricedPos[] }

const selectPrices = buildPaymentPageQuery([...columns, pricedPosColumn(ofMerchant, parameter('now'))])

/** Page context with the merchant's POSs and prices, for the installment offer. */
export async function pageContextWithPricedPoses(
  database: Sql,
  lookup: PageVisit,
): Promise<(PageContext & { poses: PricedPos[] }) | undefined> {
  const row = await readPageRow<PricedPageRow>(database, selectPrices, lookup)
  return row && { ...pageContextIn(row, lookup, merchantFromRow(row)), poses: pricedPosIn(row) }
}

const selectCheckoutContext = buildPaymentPageQuery([...columns, ...checkoutContextColumns(ofMerchant)])

/** Page context with the data needed to begin an attempt. */
export async function pageContextForCardSubmission(
  database: Sql,
  lookup: PageVisit,
): Promise<(PageContext & { checkoutContext: CheckoutContext }) | undefined> {
  const row = await readPageRow<PricedPageRow & { hourKey: unknown[] | null }>(
    database,
    selectCheckoutContext,
    lookup,
  )
  if (!row) return undefined
  const pageContext = pageContextIn(row, lookup, merchantFromRow(row))
  return { ...pageContext, checkoutContext: checkoutContextFromRow(row, pageContext.payment) }
}
