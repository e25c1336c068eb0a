import type { Keyring } from '../kit/keyring.ts'
import { Sealer } from '../kit/seal.ts'
import type { Services } from '../services.ts'
import type { PageToken } from './page-address.ts'
import { decodePageToken } from './page-address.ts'

/**
 * What the end of an address says at which a bank, its servers or the browser come back to us: which attempt it is about,
 * and where the payer's page is.
 */
export interface ReturnToken {
  attemptId: number
  /** The end of the address of the payment's page. */
  page: string
}

/** What an address is for. One that was made for one purpose leads nowhere for another. */
export type ReturnPurpose = 'method' | 'challenge' | 'results' | 'return'

/** What a return token resolves to. */
export interface ReturnContext extends ReturnToken {
  token: PageToken
}

/** Stays as it is: addresses that payers are on their way back to are sealed with it. */
const keyPurpose = 'passage'
const shape = /^([\w-]{1,40})\.([\w-]{60,200})$/

/**
 * The end of such an address. Guarantee: nobody but us makes one, nothing can be read in it, and it takes no cookie to
 * come back. Who comes with it in a window of its own is led to the payment's page: it is for the payer's bank alone.
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
  const opened = attempted(() => seals.open({ bytes, keyId }, purpose))
  const [, page = '', attemptId] = /^([\w-]{38})(\d{14})$/.exec(opened ?? '') ?? []
  const token = decodePageToken(page)
  return token && { attemptId: Number(attemptId), page, token }
}

function attempted(open: () => string): string | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}

function sealsOf(keyring: Keyring): Sealer {
  return new Sealer(keyring.keysFor(keyPurpose), keyPurpose)
}
