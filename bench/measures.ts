import { createKey, createMerchant } from '../server/merchants/index.ts'
import { balanceSnapshotCost, listTransfersRequests, readBalanceRequests } from './balance.ts'
import { binImportCost, binLookUpCost, knownBins } from './bins.ts'
import { largeShop, searchFilters, searchRequests } from './customers.ts'
import type { BenchEnvironment } from './environment.ts'
import { tokenHeaders } from './environment.ts'
import { floodLimits, fullSpeedKeyFlood, fullSpeedTokenFlood, pacedTokenFlood } from './flood.ts'
import { idleStatements } from './idle.ts'
import type { BaselineName } from './limits.ts'
import { limitRequests } from './limits.ts'
import { memoryUse } from './memory.ts'
import type { KindLine } from './mixed.ts'
import { mixedLoad } from './mixed.ts'
import type { HttpRequest } from './request.ts'
import { commandCost, helpCost, startCost } from './starts.ts'
import { getTransactionRequests, idempotentStartRequests, startPaymentRequests } from './transactions.ts'
import { paymentRoundTrips, viewPageRequests } from './views.ts'
import { delayBesideSilentWebhook, firstAttemptRate, idlePollCost } from './webhooks.ts'
import { wholePayments } from './whole.ts'
import type { WholeLine } from './whole-line.ts'

/** Throughput of a request compared with a limit: the throughput of a plain server on the same machine. */
export interface RatioMeasure {
  name: string
  /** Server that answers: the service at its API, at its payment page, or the plain server. */
  of: 'service' | 'page' | 'bare'
  limit: BaselineName
  /** Lowest ratio that passes. Without a target the line is information only. */
  target?: number
  /**
   * Creates the data that the requests need and returns the requests, which are sent in turn and repeatedly.
   */
  requests(environment: BenchEnvironment): Promise<HttpRequest[]>
}

/** Response time of a request. */
export interface LatencyMeasure {
  name: string
  /** Longest 95th percentile that passes. */
  p95Ms: number
  requests(environment: BenchEnvironment): Promise<HttpRequest[]>
}

/** Cost of an operation, in time, memory or other figures. */
export interface CostMeasure {
  name: string
  /** Highest value of each figure that passes, by its printed name. */
  most: Readonly<Record<string, number>>
  /** Lowest value that passes, for figures where more is better. */
  least?: Readonly<Record<string, number>>
  take(environment: BenchEnvironment): Promise<Record<string, number>>
}

/** Many kinds of requests at the same time. Every wrong response is an error and fails the measure. */
export interface MixMeasure {
  name: string
  connections: number
  /** Returns a line per kind: number of responses, their times, and number of errors. */
  mix(environment: BenchEnvironment, connections: number): Promise<KindLine[]>
}

/** Whole payments in several configurations, beside a limit that does as many exchanges and statements. */
export interface PaymentMeasure {
  name: string
  /** Lowest ratio of a configuration that passes. */
  target?: number
  /** Returns a line per configuration. */
  pay(environment: BenchEnvironment): Promise<WholeLine[]>
}

export type Measure = RatioMeasure | LatencyMeasure | CostMeasure | MixMeasure | PaymentMeasure

export const measures: Measure[] = [
  // A limit compared with itself is 1 plus noise. Its distance from 1 shows how reliable the other lines are.
  { name: 'bare', of: 'bare', limit: 'bare', requests: async () => limitRequests('bare') },
  { name: 'bare_select', of: 'bare', limit: 'bare', requests: async () => limitRequests('bare_select') },
  { name: 'bare_insert', of: 'bare', limit: 'bare', requests: async () => limitRequests('bare_insert') },
  { name: 'get_token', of: 'service', limit: 'bare', target: 0.6, requests: getToken },
  { name: 'bin_lookup', of: 'service', limit: 'bare', target: 0.75, requests: lookUpBin },
  { name: 'get_customer', of: 'service', limit: 'bare_select', target: 0.7, requests: getCustomer },
  {
    name: 'search_common',
    p95Ms: 50,
    requests: (environment) => searchRequests(searchFilters.common, environment),
  },
  {
    name: 'search_rare',
    p95Ms: 50,
    requests: (environment) => searchRequests(searchFilters.rare, environment),
  },
  {
    name: 'search_unmatched',
    p95Ms: 50,
    requests: (environment) => searchRequests(searchFilters.unmatched, environment),
  },
  // Last of the customer measures, because the customers it creates are unrealistically alike.
  { name: 'create_customer', of: 'service', limit: 'bare_insert', target: 0.65, requests: createCustomer },
  {
    name: 'get_transaction',
    of: 'service',
    limit: 'bare_select',
    target: 0.7,
    requests: getTransactionRequests,
  },
  {
    name: 'start_payment',
    of: 'service',
    limit: 'bare_insert',
    target: 0.65,
    requests: startPaymentRequests,
  },
  {
    name: 'start_payment_once',
    of: 'service',
    limit: 'bare_insert',
    target: 0.45,
    requests: idempotentStartRequests,
  },
  { name: 'first_view', of: 'page', limit: 'bare_select', target: 0.5, requests: viewPageRequests },
  { name: 'read_balance', of: 'service', limit: 'bare_select', target: 0.6, requests: readBalanceRequests },
  { name: 'list_transfers', p95Ms: 50, requests: listTransfersRequests },
  { name: 'take_snapshots', most: { s: 60 }, take: balanceSnapshotCost },
  { name: 'idle_statements', most: { statements_per_s: 5 }, take: idleStatements },
  { name: 'payment_round_trips', most: { round_trips: 14, first_view: 1 }, take: paymentRoundTrips },
  {
    name: 'webhook_first_attempts',
    most: { missing: 0, bad_signatures: 0, held_growth_mb: 10 },
    least: { per_s: 300, ratio: 0.26 },
    take: firstAttemptRate,
  },
  {
    name: 'webhook_other_delay',
    most: { other_merchant_longest_ms: 1_000, same_merchant_longest_ms: 1_000 },
    take: delayBesideSilentWebhook,
  },
  { name: 'webhook_round', most: { ms: 50 }, take: idlePollCost },
  { name: 'flood_paced_tokens', most: floodLimits, take: pacedTokenFlood },
  { name: 'flood_tokens', most: floodLimits, take: fullSpeedTokenFlood },
  { name: 'flood_keys', most: floodLimits, take: fullSpeedKeyFlood },
  { name: 'mixed_load', connections: 64, mix: mixedLoad },
  { name: 'whole_payment', pay: wholePayments },
  {
    name: 'memory',
    most: {
      ...{ idle_mb: 150, idle_sandbox_mb: 100, loaded_mb: 220, loaded_sandbox_mb: 100, growth_mb: 15 },
      bench_service_mb: 220,
    },
    take: memoryUse,
  },
  { name: 'command_help', most: {}, take: helpCost },
  { name: 'command_merchant_list', most: {}, take: commandCost },
  { name: 'start_on_old_data', most: {}, take: startCost },
  { name: 'bin_find', most: { us: 2 }, take: binLookUpCost },
  // After every look-up, because it replaces the table that they use.
  { name: 'bin_import', most: { s: 20, peak_mb: 300 }, take: binImportCost },
]

/**
 * Number of keys that request tokens in turn. With a single key, one token per second would be signed and
 * then reused.
 */
const keyCount = 500

async function getToken({ services }: BenchEnvironment): Promise<HttpRequest[]> {
  const { merchant } = await createMerchant(services, { name: 'Bench' })
  const keys: string[] = []
  while (keys.length < keyCount) keys.push((await createKey(services, merchant, 'secret', 'bench')).text)
  return keys.map((key) => ({
    method: 'POST',
    path: '/v1/token/get-token',
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': 'tr',
      'content-type': 'application/json',
    },
  }))
}

/** Looks up BINs of the built-in table, which is in use until another is imported. */
async function lookUpBin(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { secretKey } = await createMerchant(environment.services, { name: 'Bench' })
  const headers = await tokenHeaders(environment, secretKey)
  return knownBins().map((bin) => ({ method: 'GET', path: `/v1/bin-lookup?bin_number=${bin}`, headers }))
}

/** Reads one customer in a thousand, so that no single one is favoured. */
async function getCustomer(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { ids, secretKey } = await largeShop(environment)
  const headers = await tokenHeaders(environment, secretKey)
  return ids
    .filter((_, index) => index % 997 === 0)
    .map((id) => ({ method: 'GET', path: `/v1/customers/${id}`, headers }))
}

/** Inserts into the table of the large shop, with the fields that most merchants know of their customers. */
async function createCustomer(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const { secretKey } = await largeShop(environment)
  const headers = {
    ...(await tokenHeaders(environment, secretKey)),
    'content-type': 'application/x-www-form-urlencoded',
  }
  return Array.from({ length: 500 }, (_, index) => ({
    method: 'POST',
    path: '/v1/customers',
    headers,
    body: String(
      new URLSearchParams({
        name: 'Ayşe',
        lastname: `Işık${index}`,
        email: `ayse.isik${index}@example.com`,
        phone: `+90532${1_000_000 + index}`,
        country: 'TR',
        city: 'İstanbul',
        district: 'Kadıköy',
      }),
    ),
  }))
}
