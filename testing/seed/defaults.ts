import type { Columns, RowOf, Table } from '../../kit/runtime/table.ts'
import { chargeOperations, sandboxCharges } from '../../sandbox/bank/store.ts'
import { eventPositions, events } from '../../server/events/event.ts'
import { ledgerTransfers, postingRules } from '../../server/ledger/transfer.ts'
import { attempts } from '../../server/payments/records/attempt.ts'
import { bankCalls } from '../../server/payments/records/bank-call.ts'
import { instruments } from '../../server/payments/records/instrument.ts'
import { modifications } from '../../server/payments/records/modification.ts'
import { payments } from '../../server/payments/records/payment.ts'
import { inquiryLimits, verifications } from '../../server/payments/records/verification.ts'
import { posCredentials } from '../../server/pos/pos.ts'
import { refunds } from '../../server/refunds/refund.ts'
import { webhookAttempts, webhookDeliveries } from '../../server/webhooks/records/delivery.ts'
import { webhooks } from '../../server/webhooks/records/webhook.ts'

/** Mask of the card of a seeded charge. */
export const seededCard = '415565******6111'

/** Time of rows without one: the start of the test's clock. */
export const seedStart = new Date('2026-11-15T06:30:00Z')

export function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}

/** Tables whose rows several seeds share: an existing row stays. */
export const sharedTables: ReadonlySet<string> = new Set(
  [instruments, inquiryLimits, eventPositions].map(({ name }) => name),
)

type Fields = Record<string, unknown>

/** Default values of a table, which depend on the given fields and on the time of the row. */
function defaultsOf<Kinds extends Columns>(
  { name }: Table<Kinds>,
  of: (given: Partial<RowOf<{ map: Kinds }>> & { id: number }, at: Date) => Partial<RowOf<{ map: Kinds }>>,
): [table: string, of: (given: Fields, at: Date) => Fields] {
  return [name, of as never]
}

const money = { amountMinor: 10_000, currency: 'TRY' }
const operations = { capture: 'capture', release: 'void', refund: 'refund' } as const

export const seedDefaults: ReadonlyMap<string, (given: Fields, at: Date) => Fields> = new Map([
  defaultsOf(payments, ({ state = 'open' }, at) => ({
    ...{ state, version: 1, ...money, preAuth: false, customerByPage: false, items: [], metadata: [] },
    ...{ pageKey: Buffer.from('a page key'), startedBy: 'secret' as const, createdAt: at },
    expiresAt: secondsAfter(at, 1800),
    ...((state === 'open' || state === 'authenticating') && { dueAt: secondsAfter(at, 1800) }),
    ...{ attemptCount: 0, eventCount: 0, installmentCount: 1, refundedMinor: 0 },
  })),
  defaultsOf(instruments, ({ mask = seededCard }) => ({
    ...{ mask, fingerprint: Buffer.from(mask), kind: 'card' as const, createdAt: new Date(0) },
    brand: 'visa' as const,
  })),
  defaultsOf(attempts, ({ id, state = 'approved' }, at) => ({
    ...{
      number: 1,
      reference: String(id),
      state,
      version: 1,
      posId: 1,
      connector: 'sandbox',
      preAuth: false,
    },
    ...{ currency: money.currency, chargedMinor: money.amountMinor, commissionMinor: 0, commissionId: 1 },
    ...{ installment: 1, tries: 0 },
    reason: { among: 'own_family', by: ['lowest_commission'] } as const,
    ...{ instrumentFingerprint: Buffer.from(seededCard), payerAddress: '203.0.113.7' },
    ...{ beganAt: at, askedAt: secondsAfter(at, 1) },
    ...(state.endsWith('ing') ? { dueAt: secondsAfter(at, 3600) } : { endedAt: secondsAfter(at, 3) }),
  })),
  defaultsOf(bankCalls, ({ outcome }, at) => ({
    ...{ askedAt: at, answeredAt: typeof outcome === 'string' ? secondsAfter(at, 1) : null },
  })),
  defaultsOf(modifications, ({ kind = 'refund', state = 'done' }, at) => ({
    ...{ posId: 1, kind, amountMinor: money.amountMinor, priorRefundedMinor: 0, state, version: 1 },
    ...{ beganAt: at, tries: 0 },
    declineReason: state === 'refused' ? ('not_permitted_to_terminal' as const) : null,
    ...(state === 'doing'
      ? { dueAt: at }
      : { operation: operations[kind], askedAt: secondsAfter(at, 1), endedAt: secondsAfter(at, 2) }),
    code: { doing: null, done: '00', refused: '57' }[state],
  })),
  defaultsOf(verifications, (_, at) => ({
    ...({ posId: 1, kind: 'charge', ...money, state: 'unverified', version: 1, tries: 0 } as const),
    approvedAt: at,
    dueAt: secondsAfter(at, 60),
  })),
  defaultsOf(inquiryLimits, () => ({ inquiries: 0, failures: 0 })),
  defaultsOf(refunds, ({ state = 'executed', amountMinor = money.amountMinor }, at) => ({
    ...{ state, amountMinor, currency: money.currency, chargedMinor: amountMinor, commissionMinor: 0 },
    ...{ description: 'Ürün iade edildi', instrumentFingerprint: Buffer.from(seededCard) },
    ...{ requestedBy: 'key 10000000000002', requestedAt: at, policy: 'manual' as const, violations: [] },
    ...(state !== 'under_review' && {
      ...{ decidedBy: 'Ayşe Işık', decidedAt: secondsAfter(at, 10), reason: 'The goods came back.' },
    }),
    ...(state === 'rejected' && { endedAt: secondsAfter(at, 10) }),
    ...(state === 'executed' && { endedAt: secondsAfter(at, 12), code: '00' }),
    ...(state === 'failed' && { endedAt: secondsAfter(at, 12), code: '57' }),
  })),
  defaultsOf(ledgerTransfers, ({ id, reason = 'payment' }, at) => ({
    ...{ cause: `test ${id}`, reason, paymentId: 1, ...money, createdAt: at },
    ...{ debit: postingRules[reason].debit, credit: postingRules[reason].credit },
  })),
  defaultsOf(events, (_, at) => ({ number: 1, kind: 'payment.succeeded' as const, data: {}, createdAt: at })),
  defaultsOf(webhooks, (_, at) => ({
    ...{ url: 'https://shop.example/webhooks', createdAt: at, updatedAt: at },
    status: 'enabled' as const,
  })),
  defaultsOf(webhookDeliveries, ({ id, state = 'pending' }, at) => ({
    ...({ eventId: id, kind: 'payment.succeeded', reason: 'event', state, attemptCount: 0 } as const),
    createdAt: at,
    ...(state === 'pending' ? { dueAt: at } : { endedAt: at }),
  })),
  defaultsOf(webhookAttempts, (_, at) => ({
    ...{ number: 1, beganAt: at, durationMs: 20, status: 200, answer: 'ok' },
  })),
  defaultsOf(posCredentials, (_, at) => ({
    ...{ name: 'A POS', bankCode: 62, connector: 'sandbox', currencies: ['TRY'], families: [], settings: {} },
    ...{ secrets: Buffer.from('sealed'), secretsKeyId: 'a key', priority: 1, version: 0 },
    state: 'active' as const,
    ...{ createdAt: at, updatedAt: at },
  })),
  defaultsOf(sandboxCharges, ({ reference = '' }, at) => ({
    ...({ kind: 'sale', amount: money.amountMinor, currency: money.currency, installments: 1 } as const),
    ...{ card: seededCard, code: '00' as const, authCode: '123456', hostReference: reference.slice(0, 12) },
    ...{ askedAt: at, doneAt: at },
  })),
  defaultsOf(chargeOperations, (_, at) => ({
    ...({ number: 1, kind: 'authorized', amount: money.amountMinor, at } as const),
  })),
])
