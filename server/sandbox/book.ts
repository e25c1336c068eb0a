import type { Sql } from '../kit/sql.ts'
import { isoTime } from '../kit/zoned-time.ts'
import type { Code } from './codes.ts'
import { bankZone } from './issuer.ts'
import { allCharges } from './store.ts'

export type ChargeKind = 'sale' | 'pre-authorization'

/** A charge that the bank was asked for, approved or declined. It is written once and never changed. */
export interface Charge {
  terminal: string
  reference: string
  kind: ChargeKind
  /** In minor units, as the bank charged it. */
  amount: number
  currency: string
  installments: number
  /** Masked. */
  card: string
  fault: string | null
  code: Code
  authCode: string | null
  hostReference: string
  askedAt: Date
  /** From when on the bank knows of it. */
  doneAt: Date
}

/** What was done to a charge. Deeds are appended and never changed; a refused one moved nothing. */
export interface Deed {
  kind: 'authorized' | 'held' | 'captured' | 'voided' | 'refunded' | 'refused'
  amount: number
  /** Tells refunds of one charge apart. */
  part: string | null
  at: Date
}

/** How a charge stands: the sum of its deeds. */
export interface Balance {
  held: number
  /** What is taken now, after refunds. */
  taken: number
  /** What was taken at first. */
  gross: number
  takenAt: Date | undefined
}

export function balanceOf(deeds: readonly Deed[], now: Date): Balance {
  const balance: Balance = { held: 0, taken: 0, gross: 0, takenAt: undefined }
  for (const { kind, amount, at } of deeds) {
    if (at > now) continue
    if (kind === 'held') balance.held = amount
    if (kind === 'authorized' || kind === 'captured') {
      Object.assign(balance, { held: 0, taken: amount, gross: amount, takenAt: at })
    }
    if (kind === 'voided') Object.assign(balance, { held: 0, taken: 0 })
    if (kind === 'refunded') balance.taken -= amount
  }
  return balance
}

/** Whether the bank's day has ended between the two: from then on what was taken is settled. */
export function isSettled(takenAt: Date, now: Date): boolean {
  const dayOf = (time: Date) => isoTime(time, bankZone).slice(0, 10)
  return dayOf(takenAt) < dayOf(now)
}

/** A line of the book, for whoever compares it with a book of their own. */
export interface Line {
  terminal: string
  reference: string
  kind: ChargeKind
  /** `00` is approved. */
  code: string
  held: number
  taken: number
  deeds: Deed['kind'][]
}

/** The whole book as it stands at this time, in the order in which the bank was asked. */
export async function bookOf(sql: Sql, now: Date): Promise<Line[]> {
  const charges = await allCharges(sql)
  return charges.map(({ deeds, ...charge }) => {
    const { held, taken } = balanceOf(deeds, now)
    const kinds = deeds.filter(({ at }) => at <= now).map(({ kind }) => kind)
    return { ...charge, held, taken, deeds: kinds }
  })
}
