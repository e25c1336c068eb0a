import type { EventKind } from '../events/index.ts'
import { sql } from '../kit/sql.ts'
import type { Taking } from '../ledger/index.ts'
import { postingsOfTaking } from '../ledger/index.ts'
import type { Merchant } from '../merchants/index.ts'
import type { PaymentState } from '../payments/states.ts'
import { edges } from '../payments/states.ts'
import { shownTransaction } from '../payments/transaction.ts'
import type { Services } from '../services.ts'

/** A payment with all that belongs to it, written row by row, so that tests of reading need nobody who writes. */
export interface Planted {
  state?: PaymentState
  amountMinor?: number
  currency?: string
  customerId?: number
  createdAt?: Date
  viewedAt?: Date
  items?: { product_name: string; price: number; description: string | null }[]
  metadata?: { key: string; value: string }[]
  description?: string
  /** The last one is the payment's own. */
  attempts?: PlantedAttempt[]
}

export interface PlantedAttempt {
  state: string
  posId?: number
  chargedMinor?: number
  commissionMinor?: number
  commissionId?: number
  installment?: number
  card?: string
  code?: string
  message?: string
  /** Of an approved one by default the approval. */
  calls?: { operation: string; outcome?: string; code?: string; detail?: string }[]
}

type Writing = Pick<Services, 'sql' | 'ids' | 'clock'>

const secondMs = 1000

export async function plantPayment(
  services: Writing,
  { id: merchantId }: Pick<Merchant, 'id'>,
  planted: Planted = {},
): Promise<{ id: number; attemptIds: number[] }> {
  const { sql: database, ids, clock } = services
  const id = await ids.next()
  const { state = 'open', amountMinor = 10_000, currency = 'TRY', attempts = [] } = planted
  const createdAt = planted.createdAt ?? clock.now()
  const after = (seconds: number) => new Date(createdAt.getTime() + seconds * secondMs)
  const outcome = edges.find(({ to, event }) => to === state && event)?.event
  const attemptIds = await ids.some(attempts.length)
  const last = attempts.at(-1)
  const isUnderWay = state.endsWith('ing')
  await database.run(sql`insert into payments (merchant_id, id, state, version, amount, currency, pre_auth,
      customer_id, items, metadata, description, redirect_url, page_key, started_by, created_at, expires_at, viewed_at,
      ended_at, due_at, attempt_count, attempt_id, event_count, installment_count, code, message)
    values (${merchantId}, ${id}, ${state}, 1, ${amountMinor}, ${currency}, ${state === 'held'},
      ${planted.customerId}, ${JSON.stringify(planted.items ?? [])}, ${JSON.stringify(planted.metadata ?? [])},
      ${planted.description}, 'https://shop.example/back', ${Buffer.from('a page key')}, 'secret', ${createdAt},
      ${after(1800)}, ${planted.viewedAt}, ${outcome ? after(60) : null},
      ${outcome ? null : after(isUnderWay ? 3600 : 1800)}, ${attempts.length}, ${attemptIds.at(-1)},
      ${outcome ? 1 : 0}, ${last?.installment ?? 1}, ${last?.code}, ${last?.message})`)
  for (const [index, attempt] of attempts.entries()) {
    await plantAttempt(services, {
      ...{ merchantId, paymentId: id, amountMinor, currency, preAuth: state === 'held', attempt },
      ...{ id: attemptIds[index] ?? 0, number: index + 1, beganAt: after(10 + index) },
    })
  }
  if (outcome) {
    const { metadata = [], viewedAt = null } = planted
    const { installment: installmentCount = 1, code = null, message = null } = last ?? {}
    const said = { installmentCount, code, message, metadata, viewedAt, createdAt, endedAt: after(60) }
    const payment = { id, state, amountMinor, currency, preAuth: state === 'held', ...said }
    const data = shownTransaction(payment, { timeZone: 'Europe/Istanbul' })
    await plantEvent(services, {
      ...{ merchantId, paymentId: id, kind: outcome, number: 1, data, at: after(60) },
    })
  }
  if (state === 'paid' && last) {
    const { chargedMinor = amountMinor, commissionMinor = 0 } = last
    const taking = { paymentId: id, currency, chargedMinor, commissionMinor }
    await plantTaking(services, merchantId, taking, after(60))
  }
  return { id, attemptIds }
}

async function plantTaking(
  { sql: database, ids }: Writing,
  merchantId: number,
  taking: Taking,
  at: Date,
): Promise<void> {
  for (const posting of postingsOfTaking(taking)) {
    await database.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit,
        credit, amount, created_at)
      values (${merchantId}, ${await ids.next()}, ${posting.cause}, ${posting.reason}, ${posting.paymentId},
        ${posting.currency}, ${posting.debit}, ${posting.credit}, ${posting.amountMinor}, ${at})`)
  }
}

interface Placed {
  merchantId: number
  paymentId: number
  id: number
  number: number
  amountMinor: number
  currency: string
  preAuth: boolean
  beganAt: Date
  attempt: PlantedAttempt
}

async function plantAttempt({ sql: database, ids }: Writing, placed: Placed): Promise<void> {
  const { merchantId, paymentId, id, number, amountMinor, currency, preAuth, beganAt, attempt } = placed
  const after = (seconds: number) => new Date(beganAt.getTime() + seconds * secondMs)
  const isOver = !attempt.state.endsWith('ing')
  const card = attempt.card ?? '415565******6111'
  await database.run(sql`insert into payment_attempts (merchant_id, id, payment_id, number, reference, state, version, pos_id,
      connector, pre_auth, currency, charged, commission, commission_id, installment, reason, card_masked,
      card_fingerprint, payer_address, began_at, asked_at, ended_at, code, message, due_at, tries)
    values (${merchantId}, ${id}, ${paymentId}, ${number}, ${String(id)}, ${attempt.state}, 1, ${attempt.posId ?? 1}, 'sandbox', ${preAuth},
      ${currency}, ${attempt.chargedMinor ?? amountMinor}, ${attempt.commissionMinor ?? 0},
      ${attempt.commissionId ?? 1}, ${attempt.installment ?? 1},
      ${JSON.stringify({ among: 'own_family', by: ['lowest_commission'] })}, ${card}, ${Buffer.from(card)},
      '203.0.113.7', ${beganAt}, ${after(1)}, ${isOver ? after(3) : null}, ${attempt.code ?? null},
      ${attempt.message ?? null}, ${isOver ? null : after(3600)}, 0)`)
  for (const [index, call] of callsOf(placed).entries()) {
    await database.run(sql`insert into bank_calls (merchant_id, id, payment_id, attempt_id, operation, asked_at,
        answered_at, outcome, code, detail)
      values (${merchantId}, ${await ids.next()}, ${paymentId}, ${id}, ${call.operation}, ${after(1 + index)},
        ${call.outcome === undefined ? null : after(2 + index)}, ${call.outcome ?? null}, ${call.code ?? null},
        ${call.detail ?? null})`)
  }
}

function callsOf({ attempt, preAuth }: Placed): NonNullable<PlantedAttempt['calls']> {
  if (attempt.calls || attempt.state !== 'approved') return attempt.calls ?? []
  return [{ operation: preAuth ? 'pre_authorize' : 'authorize', outcome: 'approved' }]
}

export async function plantEvent(
  { sql: database, ids }: Writing,
  event: { merchantId: number; paymentId: number; kind: EventKind; number: number; data?: object; at: Date },
): Promise<void> {
  await database.run(sql`insert into events (merchant_id, id, payment_id, number, kind, data, created_at)
    values (${event.merchantId}, ${await ids.next()}, ${event.paymentId}, ${event.number}, ${event.kind},
      ${JSON.stringify(event.data ?? {})}, ${event.at})`)
}
