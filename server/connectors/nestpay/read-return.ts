import type { BankPageProof, BankPageResult, ChargeTerms } from '../contract/contract.ts'
import { currencyNumber, isSameInstallment, minorFromDecimal } from './amount.ts'
import type { StoreCredentials } from './form.ts'
import type { FormPost } from './form-post.ts'
import { charsets, readFormPost } from './form-post.ts'
import { asciiLowerCase, isHashOf } from './hash.ts'
import { redactedLineOrNull, redactedTraceOf } from './trace.ts'

export interface ReadReturnOptions extends StoreCredentials {
  /** Whether it is enough that the card takes no part in 3-D Secure. */
  acceptsHalf: boolean
}

/** A field by its name, in whatever case the bank writes it; empty if it is not there. */
type FieldReader = (name: string) => string

/**
 * Judges what the payer's browser brought from the bank's gate, in the one order that is safe: that the bank signed it,
 * that it is about this store and charge, that it is about these terms, and only then what it says. Guarantee: it
 * throws for no bytes at all.
 */
export function readReturn(options: ReadReturnOptions, terms: ChargeTerms, body: Buffer): BankPageResult {
  const post = signed(options, body)
  const trace = redactedTraceOf(post.fields, terms.reference)
  const notGenuine = (why: string) => ({ verdict: 'not_genuine', why, trace }) as const
  if ('why' in post) return notGenuine(post.why)
  const field = fieldOf(post.fields)
  if (field('clientid') !== options.clientId) return notGenuine('it is about another store')
  // What we signed ourselves, for the way to the bank, is signed with the same key.
  if (field('pan') !== '' || field('cv2') !== '') return notGenuine('it is our own form')
  if (field('oid') !== terms.reference) return notGenuine('it is about another charge')
  const mdStatus = field('mdStatus')
  // What the gate could not read comes back with zeros for the amount: there is nothing to compare, and nothing proven.
  if (mdStatus === '') return { verdict: 'not_proven', trace, ...errorIn(field) }
  const other = otherTerms(field, terms)
  if (other !== undefined) return notGenuine(`it is about another ${other}`)
  const status = mdStatus === '1' ? 'Y' : 'A'
  const isEnough = mdStatus === '1' || (options.acceptsHalf && ['2', '3', '4'].includes(mdStatus))
  if (isEnough && hasError(post.fields)) return notGenuine('it holds an error of the gate')
  const proof = isEnough ? proofIn(field, status) : undefined
  if (proof) return { verdict: 'proven', proof, status, eci: proof['eci'] || null, trace }
  const refusal = {
    code: redactedLineOrNull(mdStatus)?.slice(0, 20) ?? null,
    message: redactedLineOrNull(field('mdErrorMsg')),
  }
  return { verdict: 'not_proven', ...refusal, trace }
}

/** What was posted, and why it is not the bank's if it is not; in which letters it wrote is found out by trying. */
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
  return { fields: seen ?? new Map(), why: seen ? 'the bank did not sign it' : 'it cannot be read' }
}

function fieldOf(post: FormPost): FieldReader {
  const folded = new Map([...post].map(([name, value]) => [asciiLowerCase(name), value]))
  return (name) => folded.get(asciiLowerCase(name)) ?? ''
}

/** Which of the terms is another than ours. */
function otherTerms(field: FieldReader, terms: ChargeTerms): string | undefined {
  if (minorFromDecimal(field('amount')) !== terms.amountMinor) return 'amount'
  if (field('currency') !== currencyNumber(terms.currency)) return 'currency'
  return isSameInstallment(field('taksit'), terms.installment) ? undefined : 'number of installments'
}

/**
 * What the bank wants to see again when it is asked for the money. The hash is over values and not over names: a payer
 * could send an authentication that failed under other names, in which some 1 is the status. So who is proven must have
 * all that only a proof has, and nothing that says otherwise.
 */
function proofIn(field: FieldReader, status: 'Y' | 'A'): BankPageProof | undefined {
  const [md, xid, eci, cavv] = [field('md'), field('xid'), field('eci'), field('cavv')]
  const areShort = isShort(md, 1000) && isShort(xid, 100) && /^(\d{1,2})?$/.test(eci) && isShort(cavv, 100)
  if (!areShort || md === '' || xid === '') return undefined
  const isWhole = /^\d{2}$/.test(eci) && cavv.length >= 20 && ['', 'Y'].includes(field('txstatus'))
  return status === 'Y' && !isWhole ? undefined : { md, xid, eci, cavv }
}

/**
 * A form that was tampered with comes back with all that was in it, signed by the bank, and with an error. So a payer can
 * have the bank sign any values at all, and name them as is convenient: but no value can be taken out, and the error is
 * one of them, by whatever name.
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
