import { isIP } from 'node:net'
import { currencyByNumber, isCountryNumber } from './iso-codes.ts'
import type { AcsMessage, ErrorCode } from './message.ts'
import { InvalidMessage, isUuid } from './message.ts'

/** What is wrong with a value; undefined when nothing is. */
export type MessageFieldCheck = (value: unknown) => ErrorCode | undefined

/** A field of a message. */
export interface MessageField {
  name: string
  check: MessageFieldCheck
  isRequired: boolean
}

export function required(name: string, check: MessageFieldCheck): MessageField {
  return { name, check, isRequired: true }
}

export function optional(name: string, check: MessageFieldCheck): MessageField {
  return { name, check, isRequired: false }
}

/** Required of messages of which something holds, and still checked in others. */
export function requiredIf(condition: boolean, name: string, check: MessageFieldCheck): MessageField {
  return { name, check, isRequired: condition }
}

/** The codes in the order in which they are told; one message has one code. */
const order: readonly ErrorCode[] = ['201', '203', '304', '306']

/** Guarantee: what passes has every required field, and every known field in its format. */
export function requireFields(message: AcsMessage, fields: readonly MessageField[]): void {
  const wrong = new Map<ErrorCode, string[]>(order.map((code) => [code, []]))
  for (const { name, check, isRequired } of fields) {
    const value = message[name]
    const isMissing = value === undefined || value === null
    const code = isMissing ? (isRequired ? '201' : undefined) : check(value)
    if (code) wrong.get(code)?.push(name)
  }
  for (const [code, names] of wrong) if (names.length > 0) throw new InvalidMessage(code, names.join(','))
}

const unless = (isRight: (value: unknown) => boolean): MessageFieldCheck => {
  return (value) => (isRight(value) ? undefined : '203')
}

export const text = (longest: number, shortest = 1): MessageFieldCheck =>
  unless((value) => typeof value === 'string' && value.length >= shortest && value.length <= longest)

export const matching = (pattern: RegExp): MessageFieldCheck =>
  unless((value) => typeof value === 'string' && pattern.test(value))

export const oneOf = (...values: string[]): MessageFieldCheck =>
  unless((value) => typeof value === 'string' && values.includes(value))

export const id: MessageFieldCheck = unless(isUuid)

export const flag: MessageFieldCheck = unless((value) => typeof value === 'boolean')

export const record: MessageFieldCheck = unless(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** Nobody here has certificates, so plain HTTP will do. */
export const url = (longest: number): MessageFieldCheck =>
  unless((value) => {
    if (typeof value !== 'string' || value.length > longest) return false
    return /^https?:\/\//i.test(value) && URL.canParse(value)
  })

export const ipAddress: MessageFieldCheck = unless((value) => typeof value === 'string' && isIP(value) !== 0)

export const phone: MessageFieldCheck = unless((value) => {
  const { cc, subscriber } = (value ?? {}) as Record<string, unknown>
  return /^\d{1,3}$/.test(String(cc)) && /^\d{1,15}$/.test(String(subscriber))
})

export const country: MessageFieldCheck = (value) =>
  matching(/^\d{3}$/)(value) ?? (isCountryNumber(String(value)) ? undefined : '304')

export const currency: MessageFieldCheck = (value) =>
  matching(/^\d{3}$/)(value) ?? (currencyByNumber(String(value)) ? undefined : '304')

/** There is no trade without a name. */
export const merchantCategory: MessageFieldCheck = (value) =>
  matching(/^\d{4}$/)(value) ?? (value === '0000' ? '306' : undefined)

/** `YYYYMMDDHHMMSS`, in UTC. */
export const dateTime: MessageFieldCheck = unless(
  (value) => typeof value === 'string' && dateTimeOf(value) !== undefined,
)

/** `YYYYMMDD`. */
export const day: MessageFieldCheck = unless(
  (value) => typeof value === 'string' && dateTimeOf(`${value}000000`) !== undefined,
)

export function dateTimeOf(digits: string): Date | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits)
  if (!parts) return undefined
  const [, year, month, date, hours, minutes, seconds] = parts
  const iso = `${year}-${month}-${date}T${hours}:${minutes}:${seconds}`
  const time = new Date(`${iso}Z`)
  // A date that is on no calendar is read as a later one.
  const isOnCalendar = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso)
  return isOnCalendar ? time : undefined
}
