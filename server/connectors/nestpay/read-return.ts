import type { BankPageProof, BankPageResult, ChargeTerms } from '../contract/contract.ts'
import { currencyNumber, isSameInstallment, minorFromDecimal } from './amount.ts'
import type { StoreCredentials } from './form.ts'
import type { FormPost } from './form-post.ts'
import { charsets, readFormPost } from './form-post.ts'
import { asciiLowerCase, isHashOf } from './hash.ts'
import { redactedLineOrNull, redactedTraceOf } from './trace.ts'

export interface ReadReturnOptions extends StoreCredentials {
  /** True to accept mdStatus 2, 3 and 4 (not enrolled, or attempted). */
  acceptsHalf: boolean
}

/** Reads a field by name, in any case; empty if it is missing. */
type FieldReader = (name: string) => string

/**
 * Checks the payer's return from the bank's gate, in the only safe order: the bank's signature, the store and
 * the charge, the terms, and only then the result. Guarantee: it never throws, whatever the bytes are.
 */
export function readReturn(options: ReadReturnOptions, terms: ChargeTerms, body: Buffer): BankPageResult {
  const post = signed(options, body)
  const trace = redactedTraceOf(post.fields, terms.reference)
  const notGenuine = (why: string) => ({ verdict: 'not_genuine', why, trace }) as const
  if ('why' in post) return notGenuine(post.why)
  const field = fieldOf(post.fields)
  if (field('clientid') !== options.clientId) return notGenuine('it is about another store')
  // Our own form is signed with the same key.
  if (field('pan') !== '' || field('cv2') !== '') return notGenuine('it is our own form')
  if (field('oid') !== terms.reference) return notGenuine('it is about another charge')
  const mdStatus = field('mdStatus')
  // The gate returns an unreadable form with amount zero: there is nothing to compare, and nothing is proven.
  if (mdStatus === '') return { verdict: 'not_proven', trace, ...errorIn(field) }
  const other = otherTerms(field, terms)
  if (other !== undefined) return notGenuine(`it is about another ${other}`)
  const status = mdStatus === '1' ? 'Y' : 'A'
  const isEnough = mdStatus === '1' || (options.acceptsHalf && ['2', '3', '4'].includes(mdStatus))
  if (isEnough && hasError(post.fields)) return notGenuine('it contains an error of the bank’s gateway')
  const proof = isEnough ? proofIn(field, status) : undefined
  if (proof) return { verdict: 'proven', proof, status, eci: proof['eci'] || null, trace }
  const refusal = {
    code: redactedLineOrNull(mdStatus)?.slice(0, 20) ?? null,
    message: redactedLineOrNull(field('mdErrorMsg')),
  }
  return { verdict: 'not_proven', ...refusal, trace }
}

/** Posted fields, with the reason if they are not the bank's. The charset is found by trying both. */
function signed(
  { storeKey }: StoreCredentials,
  body: Buffer,
): { fields: FormPost } | { fields: FormPost; why: string } {
  let seen: FormPost | undefined
  for (const charset of charsets) {
    const fields = readFormPost(body, charset)
    seen ??= fields
    const hash = fields && fieldOf(fields)('hash')
    if (fields && hash && isHashOf(hash, Object.fromEntries(fields), storeKey)) return { fields }
  }
  return { fields: seen ?? new Map(), why: seen ? 'its signature is not the bank’s' : 'it cannot be read' }
}

function fieldOf(post: FormPost): FieldReader {
  const folded = new Map([...post].map(([name, value]) => [asciiLowerCase(name), value]))
  return (name) => folded.get(asciiLowerCase(name)) ?? ''
}

/** Name of the first term that differs from ours. */
function otherTerms(field: FieldReader, terms: ChargeTerms): string | undefined {
  if (minorFromDecimal(field('amount')) !== terms.amountMinor) return 'amount'
  if (field('currency') !== currencyNumber(terms.currency)) return 'currency'
  return isSameInstallment(field('taksit'), terms.installment) ? undefined : 'number of installments'
}

/**
 * Proof that the bank requires for the charge. The hash covers values, not names: a payer could rename the
 * fields of a failed authentication so that some 1 becomes its status. A proven return must therefore have
 * every field of a proof, and no field that contradicts it.
 */
function proofIn(field: FieldReader, status: 'Y' | 'A'): BankPageProof | undefined {
  const [md, xid, eci, cavv] = [field('md'), field('xid'), field('eci'), field('cavv')]
  const areShort = isShort(md, 1000) && isShort(xid, 100) && /^(\d{1,2})?$/.test(eci) && isShort(cavv, 100)
  if (!areShort || md === '' || xid === '') return undefined
  const isWhole = /^\d{2}$/.test(eci) && cavv.length >= 20 && ['', 'Y'].includes(field('txstatus'))
  return status === 'Y' && !isWhole ? undefined : { md, xid, eci, cavv }
}

/**
 * True if any field holds an error. The bank signs a tampered form with all its values and adds an error. A
 * payer can thus get any values signed and rename them, but cannot remove a value: the error stays, under any
 * name.
 */
function hasError(post: FormPost): boolean {
  return [...post.values()].some((value) => !value.startsWith('http') && errors.test(value))
}

const errors = /\b(?:3D|HPP|CORE|MPI|BM)-\d{3}|^(?:Error|Declined)$|hatal[ıi]/i

function isShort(text: string, longest: number): boolean {
  return text.length <= longest && /^[\x20-\x7e]*$/.test(text)
}

function errorIn(field: FieldReader): { code: string | null; message: string | null } {
  const code = field('ErrorCode') || field('ErrCode') || field('ProcReturnCode')
  return {
    code: redactedLineOrNull(code)?.slice(0, 20) ?? null,
    message: redactedLineOrNull(field('ErrMsg') || field('mdErrorMsg')),
  }
}
