import type { Query, Sql } from '../kit/sql.ts'
import type { Merchant } from '../merchants/index.ts'
import { merchantColumn, merchantIn, sellerColumn, sellerIn } from '../merchants/index.ts'
import type { Counter, OpenPage, PageQuestion, PageRow } from '../payments/index.ts'
import {
  counterColumns,
  counterIn,
  gatheredPage,
  pageIn,
  pageRowsStatement,
  pageStatement,
} from '../payments/index.ts'
import type { PricedPos } from '../pos/index.ts'
import { pricedPosColumn, pricedPosIn } from '../pos/index.ts'
import type { Authentication } from '../three-ds/index.ts'
import { authenticationColumn, authenticationIn } from '../three-ds/index.ts'

/** What somebody at a page looks at: all of it as it stands at one moment, read in one round trip. */
export interface Looked extends OpenPage {
  merchant: Merchant
  /** Of the last attempt. */
  authentication: Authentication | undefined
}

interface LookedRow extends PageRow {
  merchant: object
  authentication: object | null
}

const columns = [merchantColumn, authenticationColumn]

function lookedIn(row: LookedRow, question: PageQuestion): Looked {
  return { ...pageIn(row, question), merchant: merchantIn(row), authentication: authenticationIn(row) }
}

async function look<Row extends LookedRow>(
  database: Sql,
  select: (question: PageQuestion) => Query,
  question: PageQuestion,
): Promise<{ looked: Looked; row: Row } | undefined> {
  const row = await database.maybe<Row>(select(question))
  return row && { looked: lookedIn(row, question), row }
}

const selectPages = pageRowsStatement([sellerColumn, authenticationColumn])

export async function pageFor(database: Sql, question: PageQuestion): Promise<Looked | undefined> {
  const row = await gatheredPage<SeenRow>(database, selectPages, question)
  if (!row) return undefined
  return { ...pageIn(row, question), merchant: sellerIn(row), authentication: authenticationIn(row) }
}

interface SeenRow extends PageRow {
  seller: string
  authentication: object | null
}

const selectPrices = pageStatement([...columns, pricedPosColumn])

/** The same for who is about to choose: with what the merchant's POS take. */
export async function pricesFor(
  database: Sql,
  question: PageQuestion,
): Promise<(Looked & { poses: PricedPos[] }) | undefined> {
  const found = await look<LookedRow & { poses: object[] }>(database, selectPrices, question)
  return found && { ...found.looked, poses: pricedPosIn(found.row) }
}

const selectCounter = pageStatement([...columns, ...counterColumns])

/** The same for who brings a card: with all that it takes to begin an attempt. */
export async function counterFor(
  database: Sql,
  question: PageQuestion,
): Promise<(Looked & { counter: Counter }) | undefined> {
  const found = await look<LookedRow & { poses: object[]; salt: object }>(database, selectCounter, question)
  return found && { ...found.looked, counter: counterIn(found.row, found.looked.payment) }
}
