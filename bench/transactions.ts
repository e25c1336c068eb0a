import type { Sql } from '../kit/runtime/sql.ts'
import { join, raw, sql } from '../kit/runtime/sql.ts'
import { noTimeouts, openDatabase } from '../server/database/pool.ts'
import type { Merchant } from '../server/merchants/index.ts'
import { createMerchant } from '../server/merchants/index.ts'
import { ensureDemoPos } from '../server/pos/index.ts'
import type { BenchEnvironment } from './environment.ts'
import { tokenHeaders } from './environment.ts'
import type { HttpRequest } from './request.ts'
import { uniqueNumberMark } from './request.ts'

const batchSize = 5_000
/** Lowest number of transactions, because some must exist to be read. */
const fewest = 1_000
const minuteMs = 60_000

interface MerchantWithTransactions {
  merchant: Merchant
  secretKey: string
  ids: number[]
}

const merchants = new WeakMap<BenchEnvironment, Promise<MerchantWithTransactions>>()

/**
 * Merchant with a POS and `environment.transactions` transactions, created for the first measure that needs
 * it.
 */
export function merchantWithTransactions(environment: BenchEnvironment): Promise<MerchantWithTransactions> {
  const made = merchants.get(environment) ?? makeMerchantWithTransactions(environment)
  merchants.set(environment, made)
  return made
}

/** Reads at most 10 000 transactions, evenly spread, so that no single one is favoured. */
export async function getTransactionRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { ids, secretKey } = await merchantWithTransactions(environment)
  const headers = await tokenHeaders(environment, secretKey)
  const every = Math.ceil(ids.length / 10_000)
  return ids
    .filter((_, index) => index % every === 0)
    .map((id) => ({ method: 'GET', path: `/v1/transaction/${id}`, headers }))
}

/** Starts payments as in the contract: two products, two pairs of metadata and a redirect address. */
export async function startPaymentRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { secretKey } = await merchantWithTransactions(environment)
  const headers = {
    ...(await tokenHeaders(environment, secretKey)),
    'content-type': 'application/x-www-form-urlencoded',
  }
  return Array.from({ length: 500 }, (_, index) => ({
    method: 'POST',
    path: '/v1/payment/3ds',
    headers,
    body: String(
      new URLSearchParams({
        amount: String(20_490 + index),
        currency: 'TRY',
        redirect_url: 'https://shop.example/return',
        products: JSON.stringify([
          { product_name: 'Türk kahvesi, 250 g', price: 18_990 + index, description: 'Orta kavrulmuş.' },
          { product_name: 'Kargo', price: 1_500 },
        ]),
        'metadata[0][key]': 'order',
        'metadata[0][value]': `A-${index}`,
        'metadata[1][key]': 'channel',
        'metadata[1][value]': 'web',
        description: `Sipariş A-${index}`,
      }),
    ),
  }))
}

/** Starts payments, each with a different idempotency key. */
export async function idempotentStartRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const requests = await startPaymentRequests(environment)
  return requests.map((request) => ({
    ...request,
    headers: { ...request.headers, 'idempotency-key': `order-${uniqueNumberMark}` },
  }))
}

async function makeMerchantWithTransactions(
  environment: BenchEnvironment,
): Promise<MerchantWithTransactions> {
  const { services, databaseUrl, transactions } = environment
  const { merchant, secretKey } = await createMerchant(services, { name: 'Many transactions' })
  await ensureDemoPos(services, merchant)
  const database = openDatabase({ url: databaseUrl }, 1, services.log, noTimeouts)
  const count = Math.max(fewest, transactions)
  const nowMs = services.clock.now().getTime()
  const ids: number[] = []
  for (let done = 0; done < count; done += batchSize) {
    const batch = await services.ids.nextMany(Math.min(batchSize, count - done))
    const begun = ids.push(...batch) - batch.length
    const rows = batch.map((id, index) =>
      paid(merchant.id, id, new Date(nowMs - (count - begun - index) * minuteMs)),
    )
    await insertAll(database.sql, rows)
    if ((done + batchSize) % 100_000 === 0) process.stderr.write(`${done + batchSize} transactions\n`)
  }
  await database.sql.run(raw('vacuum analyze payments'))
  await database.close()
  return { merchant, secretKey, ids }
}

/** Payment that was paid five minutes after its start. */
function paid(merchantId: number, id: number, at: Date): object {
  const amount = 1_000 + (id % 500_000)
  return {
    merchant_id: merchantId,
    id,
    state: 'paid',
    version: 4,
    amount,
    currency: 'TRY',
    pre_auth: false,
    customer_by_page: false,
    items: [{ product_name: 'Türk kahvesi, 250 g', price: amount, description: null }],
    metadata: [{ key: 'order', value: `A-${id}` }],
    redirect_url: 'https://shop.example/return',
    page_key: `\\x${id.toString(16).padStart(32, '0')}`,
    started_by: 'secret',
    created_at: at,
    expires_at: new Date(at.getTime() + 30 * minuteMs),
    viewed_at: new Date(at.getTime() + minuteMs),
    ended_at: new Date(at.getTime() + 5 * minuteMs),
    attempt_count: 1,
    event_count: 1,
    installment_count: 1,
    code: '00',
    message: 'Onaylandı',
    refunded: 0,
  }
}

async function insertAll(database: Sql, rows: readonly object[]): Promise<void> {
  const columns = join(Object.keys(rows[0] ?? {}).map((name) => raw(name)))
  await database.run(sql`insert into payments (${columns})
    select ${columns} from jsonb_populate_recordset(null::payments, ${JSON.stringify(rows)}::jsonb)`)
}
