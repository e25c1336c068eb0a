import type { Query, Sql } from '../../../kit/runtime/sql.ts'
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

interface PageContextRow extends PaymentWithLastAttemptRow, LastAuthenticationRow {
  merchant: unknown[]
}

const columns = [merchantColumn, lastAuthenticationJsonColumn]

function pageContextIn(row: PageContextRow, lookup: PageVisit): PageContext {
  return {
    ...paymentWithLastAttemptFromRow(row, lookup),
    merchant: merchantFromRow(row),
    authentication: authenticationFromRow(row),
  }
}

async function readPageContext<Row extends PageContextRow>(
  database: Sql,
  select: (pageLookup: PageVisit) => Query,
  lookup: PageVisit,
): Promise<{ pageContext: PageContext; row: Row } | undefined> {
  const row = await database.maybe<Row>(select(lookup))
  return row && { pageContext: pageContextIn(row, lookup), row }
}

const selectPages = buildPaymentPageBatchQuery([sellerColumn, lastAuthenticationJsonColumn])

export async function pageContextOfVisit(
  database: BatchingSql,
  lookup: PageVisit,
): Promise<PageContext | undefined> {
  const row = await readPageRowByBatchQuery<SellerPageRow>(database, selectPages, lookup)
  if (!row) return undefined
  return {
    ...paymentWithLastAttemptFromRow(row, lookup),
    merchant: sellerFromRow(row),
    authentication: authenticationFromRow(row),
  }
}

interface SellerPageRow extends PaymentWithLastAttemptRow, LastAuthenticationRow {
  seller: string
}

const selectPrices = buildPaymentPageQuery([...columns, pricedPosColumn])

/** Page context with the merchant's POSs and prices, for the installment offer. */
export async function pageContextWithPricedPoses(
  database: Sql,
  lookup: PageVisit,
): Promise<(PageContext & { poses: PricedPos[] }) | undefined> {
  const result = await readPageContext<PageContextRow & { poses: PackedPricedPos[] }>(
    database,
    selectPrices,
    lookup,
  )
  return result && { ...result.pageContext, poses: pricedPosIn(result.row) }
}

const selectCheckoutContext = buildPaymentPageQuery([...columns, ...checkoutContextColumns])

/** Page context with the data needed to begin an attempt. */
export async function pageContextForCardSubmission(
  database: Sql,
  lookup: PageVisit,
): Promise<(PageContext & { checkoutContext: CheckoutContext }) | undefined> {
  const result = await readPageContext<
    PageContextRow & { poses: PackedPricedPos[]; hourKey: unknown[] | null }
  >(database, selectCheckoutContext, lookup)
  return (
    result && {
      ...result.pageContext,
      checkoutContext: checkoutContextFromRow(result.row, result.pageContext.payment),
    }
  )
}
