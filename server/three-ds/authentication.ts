import type { RowOf } from '../../kit/runtime/table.ts'
import { bigint, bytea, defineMerchantTable, integer, text, timestamptz } from '../../kit/runtime/table.ts'
import type { SealedValue } from '../../kit/security/seal.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Attempt } from '../payments/index.ts'
import type { CardScheme } from './protocol/eci.ts'
import type { KnownTransaction } from './protocol/known-transaction.ts'
import { isSupportedVersion } from './protocol/versions.ts'

/** State of an authentication. The states that end in -ing wait for another party. */
export type AuthenticationState =
  /** The AReq is not sent yet; the issuer's 3DS Method may be running in the browser. */
  | 'begun'
  /** The AReq is sent; the directory server has not answered yet. */
  | 'asking'
  /** The issuer is challenging the payer. */
  | 'challenging'
  /** The bank may be asked to authorize. */
  | 'proven'
  | 'refused'

export const authentications = defineMerchantTable('authentications', {
  merchantId: bigint(),
  attemptId: bigint(),
  paymentId: bigint(),
  mode: text<'three_ds_server' | 'bank_page'>(),
  state: text<AuthenticationState>(),
  /** Number of changes, for optimistic locking. */
  version: integer(),
  /** Authenticated amount. No other amount may be charged on this authentication. */
  amountMinor: bigint(),
  currency: text(),
  /** Transaction ids of the 3DS Server, the ACS and the directory server. */
  serverTransId: text().orNull(),
  acsTransId: text().orNull(),
  dsTransId: text().orNull(),
  /** EMV 3DS version. */
  protocol: text().orNull(),
  scheme: text<CardScheme>().orNull(),
  methodUrl: text().orNull(),
  methodCompletedAt: timestamptz().orNull(),
  acsUrl: text().orNull(),
  /** `transStatus` of the protocol, or a `NoVerdictStatus`. */
  status: text().orNull(),
  reason: text().orNull(),
  cancel: text().orNull(),
  eci: text().orNull(),
  /** Issuer's text for the payer. */
  holderText: text().orNull(),
  proof: bytea().orNull(),
  proofKeyId: text().orNull(),
  beganAt: timestamptz(),
  askedAt: timestamptz().orNull(),
  challengedAt: timestamptz().orNull(),
  /** Time at which the browser came back from the challenge. It proves nothing. */
  returnedAt: timestamptz().orNull(),
  endedAt: timestamptz().orNull(),
  /** Time at which the background job must process it. */
  dueAt: timestamptz().orNull(),
})

/** Authentication of the cardholder for one attempt. */
export type Authentication = Omit<RowOf<typeof authentications>, 'proof' | 'proofKeyId'> & {
  /** Sealed cryptogram, erased when the bank is called. */
  proof: SealedValue | null
}

export type OwnedAttemptId = Pick<Authentication, 'merchantId' | 'attemptId'>

/** Our status of an authentication without an answer from a 3-D Secure server. */
export type NoVerdictStatus = 'not_enrolled' | 'timeout' | 'error'

/** Authentication of an attempt. All that is not given is not known yet. */
export function newAuthentication(
  { merchantId, id: attemptId, paymentId, chargedMinor: amountMinor, currency }: Attempt,
  known: Pick<Authentication, 'mode' | 'state' | 'beganAt'> & Partial<Authentication>,
): Authentication {
  return {
    ...authentications.nulls,
    merchantId,
    attemptId,
    paymentId,
    version: 1,
    amountMinor,
    currency,
    ...known,
  }
}

/** Values that every message about an authentication must match. */
export function knownTransactionOf(
  { protocol, serverTransId, acsTransId, dsTransId, scheme }: Authentication,
  { live: isLive }: Pick<Merchant, 'live'>,
): KnownTransaction {
  if (!isSupportedVersion(protocol) || serverTransId === null)
    throw new Error('the authentication has no protocol version or no transaction id')
  return { version: protocol, isLive, serverTransId, acsTransId, dsTransId, scheme }
}
