import type { Static, TObject } from 'typebox'
import { matchesSchema, Type } from '../../kit/input/schema.ts'
import type { ResponseCode } from '../cards/response-codes.ts'

/** Requests and responses of the acquirer, as JSON. Amounts are in minor units. */
const reference = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._-]+$' })
const amount = Type.Integer({ minimum: 1, maximum: 99_999_999_999 })
const currency = Type.String({ pattern: '^[A-Z]{3}$' })

export const ChargeBody = Type.Object({
  reference,
  amount,
  currency,
  installments: Type.Integer({ minimum: 1, maximum: 99 }),
  card: Type.Object({
    number: Type.String({ maxLength: 19 }),
    cvc: Type.String({ pattern: '^[0-9]{3,4}$' }),
    expiry_month: Type.Integer({ minimum: 1, maximum: 12 }),
    expiry_year: Type.Integer({ minimum: 2000, maximum: 9999 }),
  }),
  authentication: Type.Optional(
    Type.Object({ eci: Type.Optional(Type.String()), cavv: Type.Optional(Type.String()) }),
  ),
})

export const CaptureBody = Type.Object({ reference, amount, currency })
export const VoidBody = Type.Object({ reference })
export const RefundBody = Type.Object({
  reference,
  amount,
  currency,
  part: Type.String({ minLength: 1, maxLength: 64 }),
})
export const StatusBody = Type.Object({ reference })

export type ChargeRequest = Static<typeof ChargeBody>
export type CaptureRequest = Static<typeof CaptureBody>
export type VoidRequest = Static<typeof VoidBody>
export type RefundRequest = Static<typeof RefundBody>
export type StatusRequest = Static<typeof StatusBody>

/** The parsed body; undefined unless it matches the schema. */
export function readBody<Body extends TObject>(schema: Body, body: unknown): Static<Body> | undefined {
  if (!Buffer.isBuffer(body)) return undefined
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
  return matchesSchema(schema, value) ? value : undefined
}

/** Responses of the acquirer. Each has the HTTP status 200. */
export type AcquirerResponse =
  | (AcquirerApproval & { result: 'approved' })
  | { result: 'declined'; reference: string | null; code: ResponseCode; message: string }
  | (AcquirerApproval & { result: 'found'; state: 'taken' | 'held' })
  | { result: 'found'; state: 'declined'; reference: string; code: ResponseCode; message: string }
  | { result: 'found'; state: 'undone'; reference: string }
  | { result: 'not_found'; reference: string }

export interface AcquirerApproval {
  reference: string
  amount: number
  currency: string
  code: ResponseCode
  message: string
  auth_code: string
  host_reference: string
}
