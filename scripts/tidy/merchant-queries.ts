import { isTest } from './import-order.ts'
import { withoutCommentsAndLiterals } from './restricted-apis.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { violationAt } from './source.ts'
import { merchantTables, queriesIn } from './tables.ts'

/**
 * Queries over all merchants, by file and function, with the reason. Every other query on a table of merchants
 * compares one merchant, so that a distributed database can send it to one server. The rule looks at the whole
 * query: a table beside one that names its merchant is not checked.
 */
export const queriesOverAllMerchants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server/cards/store.ts': { deleteCardsBefore: 'cleaning: the cards of a past hour' },
  'server/events/store.ts': { merchantsWithUnpositionedEvents: 'sweep: events without a position' },
  'server/idempotency/store.ts': { deleteKeysBefore: 'cleaning: expired keys' },
  'server/integrity/integrity-check.sql.ts': {
    nextMerchantToCheck: 'the integrity check walks over merchants',
  },
  'server/ledger/store.ts': {
    nextMerchantWithTransfers: 'the job that takes snapshots walks over merchants',
  },
  'server/merchants/store.ts': {
    keyByHash: 'a caller is known only by its key',
    revokeKeyById: 'an operator names it by its id alone',
    keysRevokedSince: 'the cache of revoked keys holds those of all merchants',
  },
  'server/payment-history/store.ts': { historyPaymentOfAnyMerchant: 'an operator names it by its id alone' },
  'server/payments/records/attempt.sql.ts': {
    resetAttemptDueTimesAfter: 'sweep: due times of a wrong clock',
    unsettledAttemptStats: 'metric',
  },
  'server/payments/records/bank-work.sql.ts': {
    dueWorkIds: 'sweep: work at a bank that is due',
    locateWork: 'an operator names it by its id alone',
    resetDueTimesAfter: 'sweep: due times of a wrong clock',
  },
  'server/payments/records/modification.sql.ts': { unsettledModificationStats: 'metric' },
  'server/payments/records/payment.sql.ts': { duePaymentIds: 'sweep: payments that are due' },
  'server/payments/records/unsettled-work.sql.ts': {
    countUnsettledWork: 'list of operators',
  },
  'server/payments/records/verification.sql.ts': {
    endOverlongPosInquiryPauses: 'sweep: pauses of a wrong clock',
    verificationStats: 'metric',
    countVerificationsByState: 'the report of the integrity check',
  },
  'server/pos/store.ts': {
    posById: 'an operator names it by its id alone',
    allPos: 'list of operators, and the cache of all POS',
    posSecretsOfOtherKeys: 'sweep: secrets to seal again',
  },
  'server/reconciliation/store.ts': {
    posByIds: 'an operator names POS by their ids alone',
    chargesByIds: 'a statement names charges of any merchant',
  },
  'server/refunds/store.ts': {
    refundIdsDueForReview: 'sweep: refunds that are due',
    reviewQueueCounts: 'metric',
  },
  'server/three-ds/store.ts': {
    authenticationsOfPayment: 'an operator names it by its id alone',
    dueAuthenticationIds: 'sweep: authentications that are due',
    resetAuthenticationDueTimesAfter: 'sweep: due times of a wrong clock',
  },
  'server/traces/store.ts': {
    tracesOf: 'an operator names it by its id alone',
    deleteTracesBefore: 'cleaning: old traces',
  },
  'server/webhooks/deliver/store.ts': { resetDeliveryDueTimesAfter: 'sweep: due times of a wrong clock' },
  'server/webhooks/records/webhook.sql.ts': {
    webhookOfAnyMerchant: 'an operator names it by its id alone',
    webhookSecretsSealedByOtherKeys: 'sweep: secrets to seal again',
  },
}

/** A row that a query reads, changes or deletes. An insert names the merchant in its row. */
const source = /\b(?:from|join|update|using)\s+(?:only\s+|lateral\s+)*(?:public\.)?"?([a-z_]+)\b/g

/** A table that a query takes from a map or from a parameter `table`. It counts as a table of merchants. */
const mappedSource = /\b(?:from|join|update)\s+\$\{raw\((?:[\w.]+\.name|table)\)\}/

const list = 'scripts/tidy/merchant-queries.ts'

/** A comparison with every merchant in turn names none. */
const namesMerchant = /\bmerchant_id\s*=(?!\s*(?:any\s*\(\s*array\s*\(\s*select id from merchants|m\.id\b))/

/** A query on a table of merchants compares `merchant_id`, or is on the list above. */
export function* merchantQueries(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!file.path.startsWith('server/') || !file.path.endsWith('.ts') || isTest(file.path)) continue
    const allowed = queriesOverAllMerchants[file.path] ?? {}
    const found = queriesIn(file).flatMap((query) => overAllMerchants(file, query))
    for (const { name, table, start } of found.filter((query) => !(query.name in allowed))) {
      const sentence = `compare merchant_id in this query on ${table}, or give ${name} a reason in ${list}`
      yield violationAt(file, start, sentence)
    }
    for (const name of Object.keys(allowed))
      if (!found.some((query) => query.name === name))
        yield violationAt(file, 0, `take ${name} off the list in ${list}`)
  }
}

/** A query that reads a table of merchants and compares no merchant, with the name of its function. */
function overAllMerchants(file: TrackedFile, { text, start }: { text: string; start: number }) {
  const bare = withoutCommentsAndLiterals(text).toLowerCase()
  const read =
    [...bare.matchAll(source)].find(([, table = '']) => merchantTables.has(table)) ??
    mappedSource.exec(file.text.slice(start, start + text.length))
  if (!read || namesMerchant.test(bare)) return []
  return [{ name: functionAt(file.text, start), table: read[1] ?? 'its table', start: start + read.index }]
}

/** Name of the function or constant that a query belongs to: the last one declared at the start of a line. */
function functionAt(text: string, start: number): string {
  const declared = /^(?:export )?(?:async )?(?:function\*? |const )(\w+)/gm
  let name = ''
  for (const { 1: found = '', index } of text.matchAll(declared)) {
    if (index > start) break
    name = found
  }
  return name
}
