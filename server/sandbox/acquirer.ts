import { SecretPan } from '../kit/card.ts'
import type { Sql } from '../kit/sql.ts'
import type { ChargeHistory, ChargeKind, ChargeOperation, SandboxCharge } from './charge.ts'
import { chargeHistoryOf, isSettled } from './charge.ts'
import type { ResponseCode } from './codes.ts'
import { codes } from './codes.ts'
import type { CardFault, Manner, ModificationFault } from './fault.ts'
import type { IssuerDecision } from './issuer.ts'
import { decide, faultNamed } from './issuer.ts'
import {
  chargeOf,
  insertCharge,
  insertMishap,
  insertOperation,
  lastMishapAt,
  lockCharge,
  operationsOf,
} from './store.ts'
import type { SandboxTools } from './terminal.ts'
import type {
  AcquirerApproval,
  AcquirerResponse,
  CaptureRequest,
  ChargeRequest,
  RefundRequest,
  StatusRequest,
  VoidRequest,
} from './wire.ts'

/** What is said, and how it gets to whoever asked. */
export interface AcquirerReply {
  response: AcquirerResponse
  delivery: Manner
}

/** Takes or holds the money, if the issuer agrees. */
export async function charge(
  tools: SandboxTools,
  terminal: string,
  kind: ChargeKind,
  request: ChargeRequest,
): Promise<AcquirerReply> {
  const { reference, amount, currency, installments, card, authentication } = request
  const { expiry_month: expiryMonth, expiry_year: expiryYear } = card
  const pan = SecretPan.of(card.number)
  if (!pan) return plainly(declined(reference, '14'))
  const proof = { eci: authentication?.eci ?? '', cavv: authentication?.cavv ?? '' }
  const decision = decide({ pan, expiryMonth, expiryYear, amount, currency, ...proof }, tools.clock.now())
  const order = { terminal, reference, kind, amount, currency, installments, card: pan.masked }
  return chargeDecided(tools, order, decision)
}

/** What is to be charged: what the book will say of it. */
export type ChargeOrder = Pick<
  SandboxCharge,
  'terminal' | 'reference' | 'kind' | 'amount' | 'currency' | 'installments' | 'card'
>

/**
 * Does what the issuer decided. Guarantee: a reference is charged once, however often and at once it is asked for.
 */
export async function chargeDecided(
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
    return plainly(declined(reference, '94'))
  }
  if (code !== '00') return plainly(declined(reference, code))
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

/** A charge that is locked. */
interface Open extends ChargeState {
  sql: Sql
  fault: CardFault | undefined
  now: Date
  /** How many deeds are written, those included whose time has not come. */
  written: number
}

/** Takes what is held, or less of it; what is left is let go. */
export function capture(
  tools: SandboxTools,
  terminal: string,
  request: CaptureRequest,
): Promise<AcquirerReply> {
  const { reference, amount, currency } = request
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, balance, fault } = open
    if (fault?.undoing === 'not permitted' || charge.currency !== currency || balance.held === 0) {
      return plainly(declined(reference, '12'))
    }
    if (amount > balance.held) return plainly(declined(reference, '13'))
    return carryOut(open, { kind: 'captured', amount, part: null })
  })
}

/** Makes all of a charge undone: one that is held at any time, one that is taken until the bank's day ends. */
export function voidCharge(
  tools: SandboxTools,
  terminal: string,
  { reference }: VoidRequest,
): Promise<AcquirerReply> {
  return withCharge(tools, terminal, reference, async (open) => {
    const { balance, fault, now } = open
    const { held, taken, gross, takenAt } = balance
    if (held + taken === 0) return plainly(declined(reference, '21'))
    if (fault?.undoing === 'not permitted') return plainly(declined(reference, '12'))
    if (fault?.undoing === 'fails') return plainly(declined(reference, '96'))
    if (fault?.undoing === 'void fails once' && (await isFirst(open, 'voided', ''))) {
      return plainly(declined(reference, '96'))
    }
    const isLate = fault?.undoing === 'settled' || (takenAt && isSettled(takenAt, now))
    if (taken > 0 && (isLate || taken < gross)) return plainly(declined(reference, '95'))
    const reply = await carryOut(open, { kind: 'voided', amount: held + taken, part: null })
    return fault?.undoing === 'void answer lost' ? { ...reply, delivery: 'lost' } : reply
  })
}

/**
 * Gives back what is taken, or a part of it. Guarantee: the same part is given back once, however often it is asked. Who
 * makes up a part for every request says by what the first one is told from the next.
 */
export function refund(
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
      return before.amount === amount ? approval(charge, amount) : plainly(declined(reference, '94'))
    if (fault?.undoing === 'not permitted' || charge.currency !== currency) {
      return plainly(declined(reference, '12'))
    }
    if (fault?.undoing === 'fails') return plainly(declined(reference, '96'))
    if (balance.taken === 0) return plainly(declined(reference, '21'))
    if (amount > balance.taken) return plainly(declined(reference, '13'))
    return carryOut(open, { kind: 'refunded', amount, part }, asking)
  })
}

/** How a charge stands now. */
export async function status(
  tools: SandboxTools,
  terminal: string,
  { reference }: StatusRequest,
): Promise<AcquirerReply> {
  const chargeState = await chargeStateOf(tools, terminal, reference)
  if (!chargeState) return plainly({ result: 'not_found', reference })
  const { charge: found, balance } = chargeState
  if (await isSilent(tools, found)) {
    return { response: { result: 'not_found', reference }, delivery: 'lost' }
  }
  if (found.code !== '00') {
    return plainly({ ...declined(reference, found.code), result: 'found', state: 'declined', reference })
  }
  const { held, taken, gross } = balance
  if (held > 0) return plainly({ result: 'found', state: 'held', ...doneTo(found, held) })
  if (taken > 0) return plainly({ result: 'found', state: 'taken', ...doneTo(found, gross) })
  return plainly({ result: 'found', state: 'undone', reference })
}

/** A charge that the bank knows of, with all that has happened to it. */
export interface ChargeState extends ChargeHistory {
  charge: SandboxCharge
}

/** A charge as it stands now; undefined when the bank does not know of it. */
export async function chargeStateOf(
  { sql, clock }: SandboxTools,
  terminal: string,
  reference: string,
): Promise<ChargeState | undefined> {
  const now = clock.now()
  const found = await chargeOf(sql, terminal, reference)
  if (!found || found.doneAt > now) return undefined
  return { charge: found, ...chargeHistoryOf(await operationsOf(sql, found), now) }
}

/** Whether the bank answers no queries about a charge at this time. */
export async function isSilent({ sql, clock }: SandboxTools, charge: SandboxCharge): Promise<boolean> {
  const fault = faultNamed(charge.fault)
  const nowMs = clock.now().getTime()
  if (nowMs < charge.askedAt.getTime() + (fault?.statusFailsForMs ?? 0)) return true
  const silentMs = fault?.modificationFault?.statusFailsForMs
  if (silentMs === undefined) return false
  const since = await lastMishapAt(sql, charge)
  return since !== null && nowMs < since.getTime() + silentMs
}

/** Does something to a charge that nobody else can do anything to meanwhile. */
function withCharge(
  { sql: database, clock }: SandboxTools,
  terminal: string,
  reference: string,
  work: (open: Open) => Promise<AcquirerReply>,
): Promise<AcquirerReply> {
  return database.transaction(async (sql) => {
    const found = await lockCharge(sql, terminal, reference)
    const now = clock.now()
    if (!found || found.doneAt > now || found.code !== '00') return plainly(declined(reference, '25'))
    const operations = await operationsOf(sql, found)
    const fault = faultNamed(found.fault)
    return work({
      sql,
      charge: found,
      ...chargeHistoryOf(operations, now),
      fault,
      now,
      written: operations.length,
    })
  })
}

/** Does what the bank is able to do: as it was asked, or in the way of the card's fault. */
async function carryOut(
  open: Open,
  operation: Omit<ChargeOperation, 'at'>,
  asking = '',
): Promise<AcquirerReply> {
  const { sql, charge, now, written } = open
  const fault = await mishapOf(open, operation.kind, asking)
  if (fault?.declines) return plainly(declined(charge.reference, fault.declines))
  // A void undoes all of it.
  const amount =
    operation.kind === 'voided' ? operation.amount : Math.max(1, operation.amount - (fault?.shortMinor ?? 0))
  if (fault?.done !== 'never')
    await insertOperation(sql, charge, written + 1, { ...operation, amount, at: whenDone(fault, now) })
  return approval(charge, amount, fault?.answer)
}

/** What goes wrong with a deed this time. */
async function mishapOf(
  open: Open,
  kind: ChargeOperation['kind'],
  asking: string,
): Promise<ModificationFault | undefined> {
  const { fault } = open
  if (!fault?.modificationFault || fault.modificationFault.isLasting) return fault?.modificationFault
  return (await isFirst(open, kind, asking)) ? fault.modificationFault : undefined
}

/** Whether nobody has asked for this before. From now on somebody has. */
function isFirst(
  { sql, charge, now }: Open,
  kind: ChargeOperation['kind'],
  asking: string,
): Promise<boolean> {
  return insertMishap(sql, charge, { kind, asking, at: now })
}

/** That it is done, said well or badly. */
function approval(charge: SandboxCharge, amount: number, answer: ApprovalDelivery = 'plain'): AcquirerReply {
  const response = { result: 'approved' as const, ...doneTo(charge, amount) }
  if (answer === 'other reference') return plainly({ ...response, reference: `${response.reference}-2` })
  if (answer === 'other amount') return plainly({ ...response, amount: amount + 100 })
  return { response, delivery: answer }
}

type ApprovalDelivery = NonNullable<ModificationFault['answer']>

function plainly(response: AcquirerResponse): AcquirerReply {
  return { response, delivery: 'plain' }
}

export function declined(reference: string | null, code: ResponseCode) {
  return { result: 'declined' as const, reference, code, message: codes[code].tr }
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
    message: codes['00'].tr,
    auth_code: authCode ?? '',
    host_reference: hostReference,
  }
}

function digits({ random }: SandboxTools, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join('')
}
