import type { Static } from 'typebox'
import { matchesSchema, Type } from '../../../kit/input/schema.ts'
import type { HttpResponse } from '../../../kit/outbound/http-client.ts'
import { redact } from '../../../kit/security/redaction.ts'
import { parseUntrustedJson } from '../../../kit/text/json.ts'
import type { BankAnswer, ChargeStatus, DeclineCode } from '../contract/contract.ts'
import { declines, issuerDeclineCodes } from '../contract/issuer-codes.ts'

const text = Type.String({ maxLength: 200 })
/** Excludes the approval code: a decline with it contradicts itself and is unreadable. */
const code = Type.String({ pattern: '^(?!00)[0-9A-Z]{2}$' })
const reference = Type.String({ pattern: '^[A-Za-z0-9._-]{1,66}$' })
/** Shorter than any card number, so it cannot hold one. */
const bankReference = Type.String({ pattern: '^[0-9A-Z]{1,12}$' })
const done = {
  reference,
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  code: Type.Literal('00'),
  message: text,
  auth_code: bankReference,
  host_reference: bankReference,
}
const refused = { reference: Type.Union([reference, Type.Null()]), code, message: text }

const Approval = Type.Object({ result: Type.Literal('approved'), ...done })
const Refusal = Type.Object({ result: Type.Literal('declined'), ...refused })
const found = Type.Literal('found')
const FoundCharge = Type.Object({
  result: found,
  state: Type.Union([Type.Literal('taken'), Type.Literal('held')]),
  ...done,
})
const DeclinedCharge = Type.Object({ result: found, state: Type.Literal('declined'), ...refused })
const UndoneCharge = Type.Object({ result: found, state: Type.Literal('undone'), reference })
const UnknownCharge = Type.Object({ result: Type.Literal('not_found'), reference })
const AnyCharge = Type.Union([FoundCharge, DeclinedCharge, UndoneCharge, UnknownCharge])

/** Our reasons by the bank's code. Any other code is `other`. */
export const sandboxDeclineCodes: Readonly<Record<string, DeclineCode>> = {
  ...issuerDeclineCodes,
  '1A': declines(
    'authentication_failed',
    'Kart hamili doğrulanmadı.',
    'The cardholder was not authenticated.',
  ),
  '21': declines('nothing_to_undo', 'Geri alınacak işlem yok.', 'There is nothing to reverse.'),
  '25': declines('nothing_to_undo', 'Kayıt bulunamadı.', 'The bank has no such record.'),
  '94': declines('duplicate_reference', 'Mükerrer işlem.', 'Duplicate transaction.'),
  '95': declines(
    'already_settled',
    'Gün sonu alınmış; iptal yerine iade yapılmalıdır.',
    'The bank’s day has ended; refund instead of void.',
  ),
  '96': declines('other', 'Sistem hatası.', 'System malfunction.'),
}

/**
 * Reads the answer to a charge or a modification. Guarantee: only an answer in the bank's format is an
 * approval or a decline. An approval is passed on unchanged. A decline of another charge, or one that
 * contradicts itself, is unknown.
 */
export function readAnswer(came: HttpResponse, expectedReference: string): BankAnswer {
  const read = jsonOf(came)
  if ('why' in read) return { outcome: 'unknown', why: read.why }
  if (matchesSchema(Approval, read.value)) return { outcome: 'approved', ...doneOf(read.value) }
  if (!matchesSchema(Refusal, read.value))
    return { outcome: 'unknown', why: 'the answer has an unknown format' }
  const { value } = read
  // The bank declines an unreadable request without a reference, and does nothing.
  if (
    value.reference !== expectedReference &&
    !(value.reference === null && ['03', '30'].includes(value.code))
  ) {
    return { outcome: 'unknown', why: 'the answer refuses another charge' }
  }
  return { outcome: 'declined', ...refusalOf(value) }
}

/** Reads the status of a charge. Guarantee: an answer about another charge is unknown. */
export function readChargeStatus(came: HttpResponse, expectedReference: string): ChargeStatus {
  const read = jsonOf(came)
  if ('why' in read) return { status: 'unknown', why: read.why }
  const { value } = read
  if (matchesSchema(Refusal, value))
    return { status: 'unknown', why: `the query was refused with ${value.code}` }
  if (!matchesSchema(AnyCharge, value)) return { status: 'unknown', why: 'the answer has an unknown format' }
  if (value.reference !== expectedReference)
    return { status: 'unknown', why: 'the answer is about another charge' }
  if (value.result === 'not_found') return { status: 'absent' }
  if (value.state === 'undone') return { status: 'undone' }
  if (value.state === 'declined') return { status: 'declined', ...refusalOf(value) }
  return { status: value.state, refundedMinor: null, ...doneOf(value) }
}

function jsonOf({ status, headers, body }: HttpResponse): { value: unknown } | { why: string } {
  // Any other status does not come from the bank's application.
  if (status !== 200) return { why: `the answer has the HTTP status ${status}` }
  if (!/^application\/json\b/i.test(headers.get('content-type') ?? ''))
    return { why: 'the answer is not JSON' }
  try {
    return { value: parseUntrustedJson(body.toString('utf8')) }
  } catch {
    return { why: 'the answer is not valid JSON' }
  }
}

function doneOf(response: Static<typeof Approval> | Static<typeof FoundCharge>) {
  return {
    echoed: { reference: response.reference, amountMinor: response.amount, currency: response.currency },
    code: response.code,
    message: redact(response.message),
    bankReferences: { authCode: response.auth_code, hostReference: response.host_reference },
  }
}

function refusalOf({ code: bankCode, message }: { code: string; message: string }) {
  return {
    reason: sandboxDeclineCodes[bankCode]?.reason ?? 'other',
    code: bankCode,
    message: redact(message),
  }
}
