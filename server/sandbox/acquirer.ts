import { SecretPan } from '../kit/card.ts'
import type { Sql } from '../kit/sql.ts'
import type { Balance, Charge, ChargeKind, Deed } from './book.ts'
import { balanceOf, isSettled } from './book.ts'
import type { Code } from './codes.ts'
import { codes } from './codes.ts'
import type { Fault, Manner } from './fault.ts'
import type { Decision } from './issuer.ts'
import { decide, faultNamed } from './issuer.ts'
import { chargeOf, deedsOf, insertCharge, insertDeed, lockCharge } from './store.ts'
import type { Tools } from './terminal.ts'
import type {
  CaptureRequest,
  ChargeRequest,
  Done,
  RefundRequest,
  Said,
  StatusRequest,
  VoidRequest,
} from './wire.ts'

/** What is said, and how it gets to whoever asked. */
export interface Reply {
  said: Said
  manner: Manner
}

/** Takes or holds the money, if the issuer agrees. */
export async function charge(
  tools: Tools,
  terminal: string,
  kind: ChargeKind,
  request: ChargeRequest,
): Promise<Reply> {
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
export type Order = Pick<
  Charge,
  'terminal' | 'reference' | 'kind' | 'amount' | 'currency' | 'installments' | 'card'
>

/**
 * Does what the issuer decided. Guarantee: a reference is charged once, however often and at once it is asked for.
 */
export async function chargeDecided(tools: Tools, order: Order, { code, fault }: Decision): Promise<Reply> {
  const { reference } = order
  const now = tools.clock.now()
  const made: Charge = {
    ...order,
    amount: order.amount + (fault?.extraMinor ?? 0),
    fault: fault?.name ?? null,
    code,
    authCode: code === '00' ? digits(tools, 6) : null,
    hostReference: digits(tools, 12),
    askedAt: now,
    doneAt: new Date(now.getTime() + delayOf(fault)),
  }
  if (fault?.done !== 'never' && !(await insertCharge(tools.sql, made, firstDeed(made)))) {
    return plainly(declined(reference, '94'))
  }
  if (code !== '00') return plainly(declined(reference, code))
  const said: Said = { result: 'approved', ...doneTo(made, made.amount) }
  if (fault?.answer === 'other reference') return plainly({ ...said, reference: `${reference}-2` })
  return { said, manner: fault?.answer ?? 'plain' }
}

function firstDeed({ code, kind, amount, doneAt }: Charge): Deed | undefined {
  if (code !== '00') return undefined
  return { kind: kind === 'sale' ? 'authorized' : 'held', amount, part: null, at: doneAt }
}

function delayOf(fault: Fault | undefined): number {
  return typeof fault?.done === 'object' ? fault.done.afterMs : 0
}

/** A charge that is locked. */
interface Open extends Standing {
  sql: Sql
  fault: Fault | undefined
  now: Date
}

/** Takes what is held, or less of it; what is left is let go. */
export function capture(tools: Tools, terminal: string, request: CaptureRequest): Promise<Reply> {
  const { reference, amount, currency } = request
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, balance, fault } = open
    if (fault?.undoing === 'not permitted' || charge.currency !== currency || balance.held === 0) {
      return plainly(declined(reference, '12'))
    }
    if (amount > balance.held) return plainly(declined(reference, '13'))
    await append(open, { kind: 'captured', amount, part: null })
    return plainly({ result: 'approved', ...doneTo(charge, amount) })
  })
}

/** Makes all of a charge undone: one that is held at any time, one that is taken until the bank's day ends. */
export function voidCharge(tools: Tools, terminal: string, { reference }: VoidRequest): Promise<Reply> {
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, deeds, balance, fault, now } = open
    const { held, taken, gross, takenAt } = balance
    if (held + taken === 0) return plainly(declined(reference, '21'))
    if (fault?.undoing === 'not permitted') return plainly(declined(reference, '12'))
    if (fault?.undoing === 'fails') return plainly(declined(reference, '96'))
    if (fault?.undoing === 'void fails once' && !deeds.some(({ kind }) => kind === 'refused')) {
      await append(open, { kind: 'refused', amount: 0, part: null })
      return plainly(declined(reference, '96'))
    }
    const isLate = fault?.undoing === 'settled' || (takenAt && isSettled(takenAt, now))
    // Of a charge that was given back in part, a void would give back that part again.
    if (taken > 0 && (isLate || taken < gross)) return plainly(declined(reference, '95'))
    await append(open, { kind: 'voided', amount: held + taken, part: null })
    const said: Said = { result: 'approved', ...doneTo(charge, held + taken) }
    return { said, manner: fault?.undoing === 'void answer lost' ? 'lost' : 'plain' }
  })
}

/** Gives back what is taken, or a part of it. Guarantee: the same part is given back once, however often it is asked. */
export function refund(tools: Tools, terminal: string, request: RefundRequest): Promise<Reply> {
  const { reference, amount, currency, part } = request
  return withCharge(tools, terminal, reference, async (open) => {
    const { charge, deeds, balance, fault } = open
    const approved: Said = { result: 'approved', ...doneTo(charge, amount) }
    const before = deeds.find((deed) => deed.part === part)
    if (before) return plainly(before.amount === amount ? approved : declined(reference, '94'))
    if (fault?.undoing === 'not permitted' || charge.currency !== currency) {
      return plainly(declined(reference, '12'))
    }
    if (fault?.undoing === 'fails') return plainly(declined(reference, '96'))
    if (balance.taken === 0) return plainly(declined(reference, '21'))
    if (amount > balance.taken) return plainly(declined(reference, '13'))
    await append(open, { kind: 'refunded', amount, part })
    return plainly(approved)
  })
}

/** How a charge stands now. */
export async function status(tools: Tools, terminal: string, { reference }: StatusRequest): Promise<Reply> {
  const standing = await standingOf(tools, terminal, reference)
  if (!standing) return plainly({ result: 'not_found', reference })
  const { charge: found, balance } = standing
  if (isSilent(found, tools.clock.now())) {
    return { said: { result: 'not_found', reference }, manner: 'lost' }
  }
  if (found.code !== '00') {
    return plainly({ ...declined(reference, found.code), result: 'found', state: 'declined', reference })
  }
  const { held, taken, gross } = balance
  if (held > 0) return plainly({ result: 'found', state: 'held', ...doneTo(found, held) })
  if (taken > 0) return plainly({ result: 'found', state: 'taken', ...doneTo(found, gross) })
  return plainly({ result: 'found', state: 'undone', reference })
}

/** A charge that the bank knows of, with all that was done to it. */
export interface Standing {
  charge: Charge
  deeds: readonly Deed[]
  balance: Balance
}

/** A charge as it stands now; undefined when the bank does not know of it. */
export async function standingOf(
  { sql, clock }: Tools,
  terminal: string,
  reference: string,
): Promise<Standing | undefined> {
  const now = clock.now()
  const found = await chargeOf(sql, terminal, reference)
  if (!found || found.doneAt > now) return undefined
  const deeds = await deedsOf(sql, found)
  return { charge: found, deeds, balance: balanceOf(deeds, now) }
}

/** Whether the bank answers no queries about a charge at this time. */
export function isSilent({ fault, askedAt }: Charge, now: Date): boolean {
  return now.getTime() < askedAt.getTime() + (faultNamed(fault)?.statusFailsForMs ?? 0)
}

/** Does something to a charge that nobody else can do anything to meanwhile. */
function withCharge(
  { sql: database, clock }: Tools,
  terminal: string,
  reference: string,
  work: (open: Open) => Promise<Reply>,
): Promise<Reply> {
  return database.transaction(async (sql) => {
    const found = await lockCharge(sql, terminal, reference)
    const now = clock.now()
    if (!found || found.doneAt > now || found.code !== '00') return plainly(declined(reference, '25'))
    const deeds = await deedsOf(sql, found)
    const balance = balanceOf(deeds, now)
    return work({ sql, charge: found, deeds, balance, fault: faultNamed(found.fault), now })
  })
}

function append({ sql, charge, deeds, now }: Open, deed: Omit<Deed, 'at'>): Promise<void> {
  return insertDeed(sql, charge, deeds.length + 1, { ...deed, at: now })
}

function plainly(said: Said): Reply {
  return { said, manner: 'plain' }
}

export function declined(reference: string | null, code: Code) {
  return { result: 'declined' as const, reference, code, message: codes[code].tr }
}

function doneTo({ reference, currency, authCode, hostReference }: Charge, amount: number): Done {
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

function digits({ random }: Tools, count: number): string {
  return Array.from(random.bytes(count), (byte) => byte % 10).join('')
}
