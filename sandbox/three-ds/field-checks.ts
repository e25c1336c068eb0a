import { isIP } from 'node:net'
import { currencyByNumber, isCountryNumber } from './iso-codes.ts'
import type { AcsMessage, ErrorCode } from './message.ts'
import { InvalidMessage, isUuid } from './message.ts'

/** Error code for a value; undefined if the value is valid. */
export type MessageFieldCheck = (value: unknown) => ErrorCode | undefined

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

/** A field that is required if the condition holds, and checked in any case. */
export function requiredIf(condition: boolean, name: string, check: MessageFieldCheck): MessageField {
  return { name, check, isRequired: condition }
}

/** Precedence of the codes; an error message has one code. */
const order: readonly ErrorCode[] = ['201', '203', '304', '306']

/** Guarantee: a message that passes has every required field, and every known field in its format. */
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

/** Plain HTTP is allowed, because the sandbox needs no certificates. */
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

/** 0000 is not a merchant category. */
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
  // `Date` reads a date that does not exist, such as 30 February, as a later one.
  const isOnCalendar = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(iso)
  return isOnCalendar ? time : undefined
}
