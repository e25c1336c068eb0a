import type { Keyring } from '../../../kit/security/keyring.ts'
import { Sealer } from '../../../kit/security/seal.ts'
import type { Services } from '../../services.ts'
import type { PageToken } from '../records/payment.ts'
import { decodePageToken } from './page-address.ts'

/**
 * Content of the token at the end of a return address, where a bank, its servers or the browser come back to us: the
 * attempt, and the payer's page.
 */
export interface ReturnToken {
  attemptId: number
  /** The end of the address of the payment's page. */
  page: string
}

/** Purpose of a return address. A token made for one purpose opens nothing for another. */
export type ReturnPurpose = 'method' | 'challenge' | 'results' | 'return'

/** Opened return token, with the token of its payment page. */
export interface ReturnContext extends ReturnToken {
  token: PageToken
}

/** Must not change: the return addresses of payers on their way are sealed with it. */
const keyPurpose = 'passage'
const shape = /^([\w-]{1,40})\.([\w-]{60,200})$/

/**
 * Makes a return token. Guarantee: nobody but us makes one, nothing can be read in it, and coming back takes no cookie.
 * A browser that opens it in a window of its own is led to the payment's page: the address is for the payer's bank alone.
 */
export function sealReturnToken(
  services: Pick<Services, 'keyring' | 'random'>,
  purpose: ReturnPurpose,
  { attemptId, page }: ReturnToken,
): string {
  const { bytes, keyId } = sealsOf(services.keyring).seal(`${page}${attemptId}`, purpose, services.random)
  return `${keyId}.${bytes.toString('base64url')}`
}

/** Opens a return token. Undefined if it is not one of ours, or was made for another purpose. */
export function openReturnToken(
  { keyring }: Pick<Services, 'keyring'>,
  purpose: ReturnPurpose,
  text: string,
): ReturnContext | undefined {
  const [, keyId, encoded = ''] = shape.exec(text) ?? []
  const seals = sealsOf(keyring)
  const bytes = Buffer.from(encoded, 'base64url')
  // The last letter may have bits to spare: a return token has one spelling, not several.
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
