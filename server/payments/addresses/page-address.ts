import { hash } from 'node:crypto'
import type { Random } from '../../../kit/security/random.ts'
import type { PageToken, Payment } from '../records/payment.ts'

const idBytes = 6
const secretBytes = 16
const pageKeyBytes = 16
const tokenBytes = 2 * idBytes + secretBytes
const tokenShape = /^[\w-]{38}$/

/**
 * The address of a payment's page, and its hash for the database. Guarantee: the address carries 128 random
 * bits, and a reader of the payments table cannot open a page.
 */
export function newPageAddress(
  pageUrl: string,
  { merchantId, id }: Pick<Payment, 'merchantId' | 'id'>,
  random: Random,
): { url: string; pageKey: Buffer } {
  const secret = random.bytes(secretBytes)
  const token = Buffer.allocUnsafe(tokenBytes)
  token.writeUIntBE(merchantId, 0, idBytes)
  token.writeUIntBE(id, idBytes, idBytes)
  secret.copy(token, 2 * idBytes)
  return { url: `${pageUrl}/p/${token.toString('base64url')}`, pageKey: pageKeyOf(secret) }
}

/**
 * Content of the token at the end of an address; undefined if it is malformed. The caller looks the page up
 * in the database.
 */
export function decodePageToken(text: string): PageToken | undefined {
  if (!tokenShape.test(text)) return undefined
  const token = Buffer.from(text, 'base64url')
  // The last letter has unused bits; only one spelling is accepted, so a page has one address.
  if (token.length !== tokenBytes || token.toString('base64url') !== text) return undefined
  return {
    merchantId: token.readUIntBE(0, idBytes),
    id: token.readUIntBE(idBytes, idBytes),
    pageKey: pageKeyOf(token.subarray(2 * idBytes)),
  }
}

function pageKeyOf(secret: Buffer): Buffer {
  return hash('sha256', secret, 'buffer').subarray(0, pageKeyBytes)
}
