import { SecretPan } from '../../kit/money/card.ts'
import type { Sql } from '../../kit/runtime/sql.ts'
import type { CardFault, ModificationFault, ResponseDelivery } from '../cards/fault.ts'
import type { ResponseCode } from '../cards/response-codes.ts'
import { responseCodes } from '../cards/response-codes.ts'
import type {
  AcquirerApproval,
  AcquirerResponse,
  CaptureRequest,
  ChargeRequest,
  RefundRequest,
  StatusRequest,
  VoidRequest,
} from './acquirer-messages.ts'
import type { ChargeHistory } from './charge.ts'
import { chargeHistoryOf, isSettled } from './charge.ts'
import type { IssuerDecision } from './issuer.ts'
import { decideCharge, faultByName } from './issuer.ts'
import type { ChargeKind, ChargeOperation, SandboxCharge } from './store.ts'
import {
  chargeByReference,
  insertCharge,
  insertFirstFault,
  insertOperation,
  lastFaultAt,
  lockCharge,
  operationsOf,
} from './store.ts'
import type { SandboxTools } from './terminal.ts'

/** The bank's response, and how it is delivered. */
export interface AcquirerReply {
  response: AcquirerResponse
  delivery: ResponseDelivery
}

/** Takes or holds the money, if the issuer agrees. */
export async function chargeCard(
  tools: SandboxTools,
  terminal: string,
  kind: ChargeKind,
  request: ChargeRequest,
): Promise<AcquirerReply> {
  const { reference, amount, currency, installments, card, authentication } = request
  const { expiry_month: expiryMonth, expiry_year: expiryYear } = card
  const pan = SecretPan.of(card.number)
  if (!pan) return plainReply(declinedResponse(reference, '14'))
  const proof = { eci: authentication?.eci ?? '', cavv: authentication?.cavv ?? '' }
  const decision = decideCharge(
    { pan, expiryMonth, expiryYear, amount, currency, ...proof },
    tools.clock.now(),
  )
  const order = { terminal, reference, kind, amount, currency, installments, card: pan.masked }
  return executeDecision(tools, order, decision)
}

/** The requested charge, as the bank records it. */
export type ChargeOrder = Pick<
  SandboxCharge,
  'terminal' | 'reference' | 'kind' | 'amount' | 'currency' | 'installments' | 'card'
>

/**
 * Carries out the issuer's decision. Guarantee: a reference is charged at most once, however many requests
 * arrive, also at the same time.
 */
export async function executeDecision(
  tools: SandboxTools,
  order: ChargeOrder,
  { code, fault }: IssuerDecision,
): Promise<AcquirerReply> {
  const { reference } = order
  const now = tools.clock.now()
  const made: SandboxCharge = {
    ...order,
    amount: Math.max(1, order.amount + (fault?.extraMinor ?? 0)),
    fault: fault?.name ?? null,
    code,
    authCode: code === '00' ? digits(tools, 6) : null,
    hostReference: digits(tools, 12),
    askedAt: now,
    doneAt: whenDone(fault, now),
  }
  if (fault?.done !== 'never' && !(await insertCharge(tools.sql, made, firstOperation(made)))) {
    return plainReply(declinedResponse(reference, '94'))
  }
  if (code !== '00') return plainReply(declinedResponse(reference, code))
  return approval(made, made.amount, fault?.answer)
}

function firstOperation({ code, kind, amount, doneAt }: SandboxCharge): ChargeOperation | undefined {
  if (code !== '00') return undefined
  return { kind: kind === 'sale' ? 'authorized' : 'held', amount, part: null, at: doneAt }
}

function whenDone(fault: CardFault | ModificationFault | undefined, now: Date): Date {
  const delayMs = typeof fault?.done === 'object' ? fault.done.afterMs : 0
  return new Date(now.getTime() + delayMs)
}

/** A charge whose row is locked. */
interface LockedCharge extends ChargeState {
  sql: Sql
  fault: CardFault | undefined
  now: Date
  /** Number of operations written, including those that are not due yet. */
  operationCount: number
}

/** Captures the held amount or less, and releases the rest. */
export function captureCharge(
  tools: SandboxTools,
  terminal: string,
  request: CaptureRequest,
): Promise<AcquirerReply> {
  const { reference, amount, currency } = request
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, balance, fault } = open
    if (fault?.undoing === 'not permitted' || charge.currency !== currency || balance.held === 0) {
      return plainReply(declinedResponse(reference, '12'))
    }
    if (amount > balance.held) return plainReply(declinedResponse(reference, '13'))
    return carryOut(open, { kind: 'captured', amount, part: null })
  })
}

/** Voids the whole charge: a hold at any time, a taken amount until the bank's day ends. */
export function voidCharge(
  tools: SandboxTools,
  terminal: string,
  { reference }: VoidRequest,
): Promise<AcquirerReply> {
  return withCharge(tools, terminal, reference, async (open) => {
    const { balance, fault, now } = open
    const { held, taken, gross, takenAt } = balance
    if (held + taken === 0) return plainReply(declinedResponse(reference, '21'))
    if (fault?.undoing === 'not permitted') return plainReply(declinedResponse(reference, '12'))
    if (fault?.undoing === 'fails') return plainReply(declinedResponse(reference, '96'))
    if (fault?.undoing === 'void fails once' && (await isFirst(open, 'voided', ''))) {
      return plainReply(declinedResponse(reference, '96'))
    }
    const isLate = fault?.undoing === 'settled' || (takenAt && isSettled(takenAt, now))
    if (taken > 0 && (isLate || taken < gross)) return plainReply(declinedResponse(reference, '95'))
    const reply = await carryOut(open, { kind: 'voided', amount: held + taken, part: null })
    return fault?.undoing === 'void answer lost' ? { ...reply, delivery: 'lost' } : reply
  })
}

/**
 * Refunds the amount taken, or a part of it. Guarantee: a part is refunded once, however often it is
 * requested. `asking` identifies the request for the card's fault; a caller that generates a part for every
 * request passes its own.
 */
export function refundCharge(
  tools: SandboxTools,
  terminal: string,
  request: RefundRequest,
  asking = request.part,
): Promise<AcquirerReply> {
  const { reference, amount, currency, part } = request
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, operations, balance, fault } = open
    const before = operations.find((operation) => operation.part === part)
    if (before)
      return before.amount === amount
        ? approval(charge, amount)
        : plainReply(declinedResponse(reference, '94'))
    if (fault?.undoing === 'not permitted' || charge.currency !== currency) {
      return plainReply(declinedResponse(reference, '12'))
    }
    if (fault?.undoing === 'fails') return plainReply(declinedResponse(reference, '96'))
    if (balance.taken === 0) return plainReply(declinedResponse(reference, '21'))
    if (amount > balance.taken) return plainReply(declinedResponse(reference, '13'))
    return carryOut(open, { kind: 'refunded', amount, part }, asking)
  })
}

export async function inquireStatus(
  tools: SandboxTools,
  terminal: string,
  { reference }: StatusRequest,
): Promise<AcquirerReply> {
  const chargeState = await chargeStateOf(tools, terminal, reference)
  if (!chargeState) return plainReply({ result: 'not_found', reference })
  const { charge: found, balance } = chargeState
  if (await isStatusUnavailable(tools, found)) {
    return { response: { result: 'not_found', reference }, delivery: 'lost' }
  }
  if (found.code !== '00') {
    return plainReply({
      ...declinedResponse(reference, found.code),
      result: 'found',
      state: 'declined',
      reference,
    })
  }
  const { held, taken, gross } = balance
  if (held > 0) return plainReply({ result: 'found', state: 'held', ...doneTo(found, held) })
  if (taken > 0) return plainReply({ result: 'found', state: 'taken', ...doneTo(found, gross) })
  return plainReply({ result: 'found', state: 'undone', reference })
}

/** A charge that the bank knows, with the operations made so far. */
export interface ChargeState extends ChargeHistory {
  charge: SandboxCharge
}

/** State of a charge now; undefined if the bank does not know the charge. */
export async function chargeStateOf(
  { sql, clock }: SandboxTools,
  terminal: string,
  reference: string,
): Promise<ChargeState | undefined> {
  const now = clock.now()
  const found = await chargeByReference(sql, terminal, reference)
  if (!found || found.doneAt > now) return undefined
  return { charge: found, ...chargeHistoryOf(await operationsOf(sql, found), now) }
}

/** True while the bank answers no inquiry about the charge. */
export async function isStatusUnavailable(
  { sql, clock }: SandboxTools,
  charge: SandboxCharge,
): Promise<boolean> {
  const fault = faultByName(charge.fault)
  const nowMs = clock.now().getTime()
  if (nowMs < charge.askedAt.getTime() + (fault?.statusFailsForMs ?? 0)) return true
  const silentMs = fault?.modificationFault?.statusFailsForMs
  if (silentMs === undefined) return false
  const since = await lastFaultAt(sql, charge)
  return since !== null && nowMs < since.getTime() + silentMs
}

/** Runs `work` while the charge is locked. */
function withCharge(
  { sql: database, clock }: SandboxTools,
  terminal: string,
  reference: string,
  work: (open: LockedCharge) => Promise<AcquirerReply>,
): Promise<AcquirerReply> {
  return database.transaction(async (sql) => {
    const found = await lockCharge(sql, terminal, reference)
    const now = clock.now()
    if (!found || found.doneAt > now || found.code !== '00')
      return plainReply(declinedResponse(reference, '25'))
    const operations = await operationsOf(sql, found)
    const fault = faultByName(found.fault)
    return work({
      sql,
      charge: found,
      ...chargeHistoryOf(operations, now),
      fault,
      now,
      operationCount: operations.length,
    })
  })
}

/** Carries out a permitted operation: as requested, or with the fault of the card. */
async function carryOut(
  open: LockedCharge,
  operation: Omit<ChargeOperation, 'at'>,
  asking = '',
): Promise<AcquirerReply> {
  const { sql, charge, now, operationCount } = open
  const fault = await modificationFaultOf(open, operation.kind, asking)
  if (fault?.declines) return plainReply(declinedResponse(charge.reference, fault.declines))
  // A void always reverses the whole charge.
  const amount =
    operation.kind === 'voided' ? operation.amount : Math.max(1, operation.amount - (fault?.shortMinor ?? 0))
  if (fault?.done !== 'never')
    await insertOperation(sql, charge, operationCount + 1, { ...operation, amount, at: whenDone(fault, now) })
  return approval(charge, amount, fault?.answer)
}

/** The fault that applies to this request, if any. */
async function modificationFaultOf(
  open: LockedCharge,
  kind: ChargeOperation['kind'],
  asking: string,
): Promise<ModificationFault | undefined> {
  const { fault } = open
  if (!fault?.modificationFault || fault.modificationFault.isLasting) return fault?.modificationFault
  return (await isFirst(open, kind, asking)) ? fault.modificationFault : undefined
}

/** True the first time it is called with these arguments; records the call. */
function isFirst(
  { sql, charge, now }: LockedCharge,
  kind: ChargeOperation['kind'],
  asking: string,
): Promise<boolean> {
  return insertFirstFault(sql, charge, { kind, asking, at: now })
}

/** An approval, delivered as the fault requires. */
function approval(charge: SandboxCharge, amount: number, answer: ApprovalDelivery = 'plain'): AcquirerReply {
  const response = { result: 'approved' as const, ...doneTo(charge, amount) }
  if (answer === 'other reference') return plainReply({ ...response, reference: `${response.reference}-2` })
  if (answer === 'other amount') return plainReply({ ...response, amount: amount + 100 })
  return { response, delivery: answer }
}

type ApprovalDelivery = NonNullable<ModificationFault['answer']>

function plainReply(response: AcquirerResponse): AcquirerReply {
  return { response, delivery: 'plain' }
}

export function declinedResponse(reference: string | null, code: ResponseCode) {
  return { result: 'declined' as const, reference, code, message: responseCodes[code].tr }
}

function doneTo(
  { reference, currency, authCode, hostReference }: SandboxCharge,
  amount: number,
): AcquirerApproval {
  return {
    reference,
    amount,
    currency,
    code: '00',
    message: responseCodes['00'].tr,
    auth_code: authCode ?? '',
    host_reference: hostReference,
  }
}

function digits({ random }: SandboxTools, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join('')
}
