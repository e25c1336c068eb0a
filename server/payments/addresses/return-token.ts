import type { Keyring } from '../../../kit/security/keyring.ts'
import { Sealer } from '../../../kit/security/seal.ts'
import type { Services } from '../../services.ts'
import type { PageToken } from '../records/payment.ts'
import { decodePageToken } from './page-address.ts'

/**
 * Content of the token in a return address, which a bank, its servers or the browser call: the attempt, and
 * the payer's page.
 */
export interface ReturnToken {
  attemptId: number
  /** Token at the end of the payment page's address. */
  page: string
}

/** Purpose of a return address. A token made for one purpose is refused for another. */
export type ReturnPurpose = 'method' | 'challenge' | 'results' | 'return'

/** Opened return token, with the token of its payment page. */
export interface ReturnContext extends ReturnToken {
  token: PageToken
}

/** Must not change: return addresses already given to payers are sealed with it. */
const keyPurpose = 'passage'
const shape = /^([\w-]{1,40})\.([\w-]{60,200})$/

/**
 * Makes a return token. Guarantee: only we can make one, its content cannot be read, and the return needs no
 * cookie. A browser that opens it as a page of its own is sent to the payment's page: the address is only for
 * the payer's bank.
 */
export function sealReturnToken(
  services: Pick<Services, 'keyring' | 'random'>,
  purpose: ReturnPurpose,
  { attemptId, page }: ReturnToken,
): string {
  const { bytes, keyId } = sealsOf(services.keyring).seal(`${page}${attemptId}`, purpose, services.random)
  return `${keyId}.${bytes.toString('base64url')}`
}

/** Opens a return token. Undefined if we did not make it, or made it for another purpose. */
export function openReturnToken(
  { keyring }: Pick<Services, 'keyring'>,
  purpose: ReturnPurpose,
  text: string,
): ReturnContext | undefined {
  const [, keyId, encoded = ''] = shape.exec(text) ?? []
  const seals = sealsOf(keyring)
  const bytes = Buffer.from(encoded, 'base64url')
  // The last letter can have unused bits; only one spelling is accepted.
  if (keyId === undefined || !seals.has(keyId) || bytes.toString('base64url') !== encoded) return undefined
  const opened = openedOrUndefined(() => seals.open({ bytes, keyId }, purpose))
  const [, page = '', attemptId] = /^([\w-]{38})(\d{14})$/.exec(opened ?? '') ?? []
  const token = decodePageToken(page)
  return token && { attemptId: Number(attemptId), page, token }
}

function openedOrUndefined(open: () => string): string | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}

function sealsOf(keyring: Keyring): Sealer {
  return new Sealer(keyring.keysFor(keyPurpose), keyPurpose)
}
