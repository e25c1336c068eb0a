import { isTest } from './import-order.ts'
import { withoutCommentsAndLiterals } from './restricted-apis.ts'
import type { TidyViolation, TrackedFile } from './source.ts'
import { violationAt } from './source.ts'
import { merchantSign, tableReadsIn, tableSign } from './table-reads.ts'
import { merchantTables, queriesIn } from './tables.ts'

type Query = ReturnType<typeof queriesIn>[number]

const search = 'part of the one search for due work'
/** Names no table itself, so its text does not show that it belongs on the list. */
const wholeSearch = 'the one search for due work'

/**
 * Queries over all merchants, by file and function, with the reason. Every other query compares each of its
 * tables of merchants with the id of one merchant, so that a distributed database sends it to one server.
 */
export const queriesOverAllMerchants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server/cards/store.ts': { deleteCardsBefore: 'cleaning: the cards of a past hour' },
  'server/events/store.ts': {
    unpositionedTimes: search,
    merchantsWithUnpositionedEvents: 'sweep: events without a position',
  },
  'server/idempotency/store.ts': { deleteKeysBefore: 'cleaning: expired keys' },
  'server/instances/store.ts': { earliestDueTimes: wholeSearch },
  'server/integrity/integrity-check.sql.ts': {
    nextMerchantToCheck: 'the integrity check walks over merchants',
  },
  'server/ledger/store.ts': {
    nextMerchantWithTransfers: 'the job that takes snapshots walks over merchants',
  },
  'server/payment-history/store.ts': { historyPaymentOfAnyMerchant: 'an operator names it by its id alone' },
  'server/payments/records/attempt.sql.ts': {
    resetAttemptDueTimesAfter: 'sweep: due times of a wrong clock',
    unsettledAttemptStats: 'metric',
  },
  'server/payments/records/bank-work.sql.ts': {
    dueWorkTimes: search,
    dueWorkIds: 'sweep: work at a bank that is due',
    locateWork: 'an operator names it by its id alone',
    resetDueTimesAfter: 'sweep: due times of a wrong clock',
  },
  'server/payments/records/modification.sql.ts': { unsettledModificationStats: 'metric' },
  'server/payments/records/payment.sql.ts': {
    duePayments: search,
    duePaymentIds: 'sweep: payments that are due',
  },
  'server/payments/records/unsettled-work.sql.ts': {
    unsettledWork: 'list of operators',
    countUnsettledWork: 'list of operators',
  },
  'server/payments/records/verification.sql.ts': {
    dueVerificationTimes: search,
    dueVerificationIds: 'sweep: approvals that are due',
    endOverlongPosInquiryPauses: 'sweep: pauses of a wrong clock',
    verificationStats: 'metric',
    countVerificationsByState: 'the report of the integrity check',
  },
  'server/pos/store.ts': {
    posById: 'an operator names it by its id alone',
    allPos: 'list of operators, and the cache of all POS',
    posSecretsOfOtherKeys: 'sweep: secrets to seal again',
  },
  'server/products/store.ts': { merchantOfProduct: 'an operator names it by its id alone' },
  'server/reconciliation/store.ts': {
    posByIds: 'an operator names POS by their ids alone',
    chargesByIds: 'a statement names charges of any merchant',
    modificationsOf: 'a statement names charges of any merchant',
  },
  'server/refunds/store.ts': {
    refundOfAnyMerchant: 'an operator names it by its id alone',
    dueRefundReviews: search,
    refundIdsDueForReview: 'sweep: refunds that are due',
    refundsWithMerchantNames: 'list of operators',
    reviewQueueCounts: 'metric',
  },
  'server/three-ds/store.ts': {
    authenticationsOfPayment: 'an operator names it by its id alone',
    dueAuthentications: search,
    dueAuthenticationIds: 'sweep: authentications that are due',
    resetAuthenticationDueTimesAfter: 'sweep: due times of a wrong clock',
  },
  'server/traces/store.ts': {
    tracesOf: 'an operator names it by its id alone',
    deleteTracesBefore: 'cleaning: old traces',
  },
  'server/webhooks/deliver/store.ts': {
    dueDeliveries: search,
    webhookIdsWithDueDeliveries: 'sweep: webhooks with deliveries that are due',
    deliveryQueueStats: 'metric',
    failOldPendingOfDisabledWebhooks: 'cleaning: deliveries that will never be sent',
    deleteDeliveriesEndedBefore: 'cleaning: old deliveries',
    purgeDeletedWebhooks: 'cleaning: deleted webhooks',
    resetDeliveryDueTimesAfter: 'sweep: due times of a wrong clock',
  },
  'server/webhooks/deliveries/store.ts': { deliveryOfAnyMerchant: 'an operator names it by its id alone' },
  'server/webhooks/records/webhook.sql.ts': {
    webhooksWithDeliveryCounts: 'list of operators',
    webhookOfAnyMerchant: 'an operator names it by its id alone',
    webhookSecretsSealedByOtherKeys: 'sweep: secrets to seal again',
  },
}

const list = 'scripts/tidy/merchant-queries.ts'

/** Every table of merchants in a query is compared with the id of one merchant, or the query is on the list above. */
export function* merchantQueries(files: readonly TrackedFile[]): Iterable<TidyViolation> {
  for (const file of files) {
    if (!file.path.startsWith('server/') || !file.path.endsWith('.ts') || isTest(file.path)) continue
    const allowed = queriesOverAllMerchants[file.path] ?? {}
    const found = queriesIn(file).flatMap((query) => readsOverAllMerchants(file, query))
    for (const { name, start, action, lockStart } of found) {
      if (!(name in allowed)) yield violationAt(file, start, `${action}, or give ${name} a reason in ${list}`)
      else if (lockStart !== undefined)
        yield violationAt(file, lockStart, 'lock no rows in a query over all merchants: Citus refuses it')
    }
    const textual = Object.keys(allowed).filter((name) => allowed[name] !== wholeSearch)
    for (const name of textual)
      if (!found.some((query) => query.name === name))
        yield violationAt(file, 0, `take ${name} off the list in ${list}`)
  }
}

const lock = /\bfor\s+(?:no\s+key\s+update|update|key\s+share|share)\b/

/** A fragment that hands the merchant of another row to a part of a query. */
const merchantOfRow = /^\s*(?:\w*\.merchant_id|m\.id)\s*$/

/** Tables of merchants that a query reads without the id of a merchant, with the name of its function. */
function readsOverAllMerchants(file: TrackedFile, query: Query) {
  const text = withSigns(file, query)
  const name = functionAt(file.text, query.start)
  const lockIndex = text.search(lock)
  const lockStart = lockIndex < 0 ? undefined : query.start + lockIndex
  if (merchantOfRow.test(text)) {
    const action = 'hand in the id of the merchant, not the column of a row'
    return [{ name, start: query.start, action, lockStart }]
  }
  return tableReadsIn(text)
    .filter(
      ({ table, hasMerchant }) => !hasMerchant && (table.startsWith(tableSign) || merchantTables.has(table)),
    )
    .map(({ table, alias, index }) => {
      const [noun, column] = [table, `${alias}.merchant_id`].map((each) => each.replace(/^@+\.?/, ''))
      const action = `compare ${column} with the id of the merchant in this query on ${noun || 'its table'}`
      return { name, start: query.start + index, action, lockStart }
    })
}

/** A hole with the id of a merchant. */
const merchantHole = /merchantId|merchant(?:\.id)?$/i

/** A hole with a table from a map or from a parameter `table`. It counts as a table of merchants. */
const tableHole = /^raw\((?:[\w.]+\.name|table)\)$/

/** The query in lower case, without comments and literals, with a sign in place of a hole that matters. */
function withSigns(file: TrackedFile, { text, start }: Query): string {
  const bare = withoutCommentsAndLiterals(text).toLowerCase()
  const source = file.text.slice(start, start + text.length)
  let signed = ''
  for (const { 0: hole, 1: inside = '', index } of source.matchAll(/\$\{([^{}]*)\}/g)) {
    const sign = merchantHole.test(inside) ? merchantSign : tableHole.test(inside) ? tableSign : ' '
    signed += bare.slice(signed.length, index) + sign.repeat(hole.length)
  }
  return signed + bare.slice(signed.length)
}

/** Name of the function or constant that a query belongs to: the last one declared at the start of a line. */
export function functionAt(text: string, start: number): string {
  const declared = /^(?:export )?(?:async )?(?:function\*? |const )(\w+)/gm
  let name = ''
  for (const { 1: found = '', index } of text.matchAll(declared)) {
    if (index > start) break
    name = found
  }
  return name
}
