import type { PaymentCard } from '../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import { cavvFor } from '../../sandbox/index.ts'
import type { BankChargeRequest, ThreeDsProof } from '../../server/connectors/index.ts'
import type { Payer } from '../../server/customers/index.ts'
import type { CardSubmission } from '../../server/payments/attempts/submit-card.ts'

/** Security code of the tests, for which they search where none is allowed. */
export const testCvc = '7391'

/** A page token with the right format only. */
export const testPageToken = 'A'.repeat(38)

const salt = Buffer.from('of tests')

/** Proof by our own 3-D Secure that the cardholder confirmed this amount. */
export function testProofOf(
  amountMinor = 10_000,
  currency = 'TRY',
): { by: 'three_ds_server'; proof: ThreeDsProof } {
  const proof: ThreeDsProof = {
    status: 'Y',
    eci: '05',
    cavv: cavvFor({ amount: amountMinor, currency }, salt),
    dsTransId: 'a1',
    amountMinor,
    currency,
  }
  return { by: 'three_ds_server', proof }
}

/** Proof for the amount of most tests. */
export const testProof = testProofOf()

/** Payer's data as typed on the page. */
export const typedPayer = {
  name: 'Işık',
  lastname: 'Öztürk',
  email: 'isik.ozturk@example.com',
  phone: '0532 123 45 67',
  country: 'TR',
}

/** Payer's data after parsing. */
export const testPayer: Payer = {
  ...typedPayer,
  phone: { e164: '+905321234567', national: '5321234567', country: 'TR' },
}

export function testCard(number: string): PaymentCard {
  const pan = SecretPan.of(number)
  const cvc = SecretCvc.of(testCvc)
  if (!pan || !cvc) throw new Error('no such card')
  return { pan, cvc, expiryMonth: 12, expiryYear: 2030, holder: 'Işık Öztürk' }
}

/** Submission of a payer with this card, for a single payment. */
export function testSubmission(number: string, chargedMinor: number): CardSubmission {
  return {
    name: null,
    card: testCard(number),
    payer: testPayer,
    installment: 1,
    chargedMinor,
    payerAddress: '203.0.113.7',
    language: 'tr',
    page: testPageToken,
  }
}

/** Charge request for a payer with this card. */
export function chargeWith(
  number: string,
  reference: string,
  terms: Partial<BankChargeRequest> = {},
): BankChargeRequest {
  const { amountMinor = 12_345, currency = 'TRY' } = terms
  return {
    reference,
    amountMinor,
    currency,
    installment: 1,
    payment: { ...testProofOf(amountMinor, currency), card: testCard(number) },
    payerAddress: null,
    ...terms,
  }
}
