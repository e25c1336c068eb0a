import type { PaymentCard } from '../../kit/money/card.ts'
import { SecretCvc, SecretPan } from '../../kit/money/card.ts'
import { cavvFor } from '../../sandbox/index.ts'
import type { BankChargeRequest, ThreeDsProof } from '../../server/connectors/index.ts'
import type { Payer } from '../../server/customers/index.ts'
import type { CardSubmission } from '../../server/payments/attempts/submit-card.ts'

/** What tests look for where no security code may be. */
export const testCvc = '7391'

/** The end of the address of a page that only its shape is asked of. */
export const testPageToken = 'A'.repeat(38)

const salt = Buffer.from('of tests')

/** That the payer is the holder and wants to pay this much, as our own 3-D Secure says it. */
export function testProofOf(amountMinor = 10_000, currency = 'TRY'): { by: 'us'; proof: ThreeDsProof } {
  const proof: ThreeDsProof = {
    status: 'Y',
    eci: '05',
    cavv: cavvFor({ amount: amountMinor, currency }, salt),
    dsTransId: 'a1',
    amountMinor,
    currency,
  }
  return { by: 'us', proof }
}

/** The same for what most tests pay. */
export const testProof = testProofOf()

/** Who pays, as they type it where the page asks. */
export const typedPayer = {
  name: 'Işık',
  lastname: 'Öztürk',
  email: 'isik.ozturk@example.com',
  phone: '0532 123 45 67',
  country: 'TR',
}

/** The same as it is read. */
export const testPayer: Payer = {
  ...typedPayer,
  phone: { e164: '+905321234567', national: '5321234567', country: 'TR' },
}

/** The card as its payer types it. */
export function testCard(number: string): PaymentCard {
  const pan = SecretPan.of(number)
  const cvc = SecretCvc.of(testCvc)
  if (!pan || !cvc) throw new Error('no such card')
  return { pan, cvc, expiryMonth: 12, expiryYear: 2030, holder: 'Işık Öztürk' }
}

/** What a payer with this card submits on the page, for a single payment. */
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

/** A charge as a payer with this card causes it. */
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
