import { raw, sql } from '../kit/runtime/sql.ts'
import { takeSnapshots } from '../server/balance/index.ts'
import { noTimeouts, openDatabase } from '../server/database/pool.ts'
import { createMerchant } from '../server/merchants/index.ts'
import type { BenchEnvironment } from './environment.ts'
import { tokenHeaders } from './environment.ts'
import type { HttpRequest } from './request.ts'
import { answerText } from './request.ts'

/** Days over which the transfers are spread. */
const days = 90
const dayMs = 24 * 60 * 60 * 1000
const batchSize = 200_000
/** First ids of payments and transfers: above every id that the service creates. */
const [firstPayment, firstTransfer] = [30_000_000_000_000, 40_000_000_000_000]

interface Ledger {
  secretKey: string
  /** Time of the first snapshot, in seconds. */
  snapshotS: number
}

const ledgers = new WeakMap<BenchEnvironment, Promise<Ledger>>()

/** Merchant with very many transfers, created for the first measure that needs it. */
function ledgerOf(environment: BenchEnvironment): Promise<Ledger> {
  const made = ledgers.get(environment) ?? makeLedger(environment)
  ledgers.set(environment, made)
  return made
}

export async function readBalanceRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const headers = await tokenHeaders(environment, (await ledgerOf(environment)).secretKey)
  return [{ method: 'GET', path: '/v1/balance', headers }]
}

/**
 * Requests for the first page and for a page far behind it: without filter and with each filter, rare
 * currency and reason included.
 */
export async function listTransfersRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const headers = await tokenHeaders(environment, (await ledgerOf(environment)).secretKey)
  const middle = new Date(environment.services.clock.now().getTime() - (days / 2) * dayMs)
    .toISOString()
    .slice(0, 10)
  const listed = { method: 'GET', headers } as const
  const queries = ['', 'currency_code=TRY', 'currency_code=EUR', 'currency_code=GBP', 'reason=payment']
  const more = ['reason=refund', 'reason=refund&currency_code=EUR', `transaction_id=${firstPayment + 1}`]
  const requests: HttpRequest[] = [...queries, ...more, `created_from=${middle}`, 'per_page=100'].map(
    (query) => ({
      ...listed,
      path: `/v1/balance/transfers?${query}`,
    }),
  )
  const inMiddle = { ...listed, path: `/v1/balance/transfers?per_page=1&created_to=${middle}` }
  const [middleTransfer] = JSON.parse(await answerText(environment.service.port, inMiddle))
  const after = Buffer.from(`${Date.parse(middleTransfer.created_at)}.${middleTransfer.id}`).toString(
    'base64url',
  )
  const behind = requests.map(({ path }) => ({ ...listed, path: `${path}&after=${after}` }))
  return [...requests, ...behind]
}

export async function balanceSnapshotCost(environment: BenchEnvironment): Promise<Record<string, number>> {
  return { s: (await ledgerOf(environment)).snapshotS }
}

async function makeLedger(environment: BenchEnvironment): Promise<Ledger> {
  const { services, databaseUrl, transfers } = environment
  const { merchant, secretKey } = await createMerchant(services, { name: 'Large ledger' })
  const database = openDatabase({ url: databaseUrl }, 1, services.log, noTimeouts)
  const payments = Math.ceil(transfers / 2)
  // Whole seconds, because the cursor below is made from a response, which shows whole seconds.
  const now = new Date(Math.floor(services.clock.now().getTime() / 1000) * 1000)
  for (let done = 0; done < payments; done += batchSize) {
    await database.sql.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit,
        credit, amount, created_at, available_at)
      select ${merchant.id}, ${firstTransfer}::bigint + 2 * n + side, reason || ' ' || ${firstPayment}::bigint + n, reason,
        ${firstPayment}::bigint + n, case when n % 50000 = 1 then 'EUR' when n % 20 = 1 then 'USD' else 'TRY' end,
        'receivable', account, 100 + n % 50000, at, date_trunc('day', at) + interval '1 day'
      from generate_series(${done + 1}::bigint, ${Math.min(payments, done + batchSize)}::bigint) as n,
        (values (0, 'payment', 'balance'), (1, 'commission', 'commission')) as kinds (side, reason, account),
        lateral (select date_trunc('second', ${now}::timestamptz
          - (${payments}::bigint - n) * (${days} * interval '1 day' / ${payments}::bigint)) as at) as moment
      order by n, side`)
    process.stderr.write(`${2 * Math.min(payments, done + batchSize)} transfers\n`)
  }
  // One payment in two hundred is refunded two days later.
  await database.sql.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, refund_id, currency,
      debit, credit, amount, created_at)
    select merchant_id, 2 * id, 'refund ' || 2 * id, 'refund', payment_id, 2 * id, currency, 'balance', 'receivable', amount,
      created_at + interval '2 days'
    from ledger_transfers where merchant_id = ${merchant.id} and reason = 'payment' and payment_id % 200 = 11
      and created_at < ${now}::timestamptz - interval '2 days'`)
  await database.sql.run(raw('vacuum analyze ledger_transfers'))
  await database.close()
  const begunMs = performance.now()
  await takeSnapshots(services, environment.signal)
  return { secretKey, snapshotS: Math.round((performance.now() - begunMs) / 100) / 10 }
}
