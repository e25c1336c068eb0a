import type { Charge, ThreeDsProof } from '../connectors/index.ts'
import type { PaymentCard } from '../kit/card.ts'
import { SecretCvc, SecretPan } from '../kit/card.ts'

/** What tests look for where no security code may be. */
export const testCvc = '7391'

const proof: ThreeDsProof = {
  status: 'Y',
  eci: '05',
  cavv: 'AAABCSIIAAAAAAACcwgAEMCoNh8=',
  dsTransactionId: 'a1',
}

/** That the payer is the holder, as our own 3-D Secure says it. */
export const testProof = { by: 'us', proof } as const

/** The card as its payer types it. */
export function testCard(number: string): PaymentCard {
  const pan = SecretPan.of(number)
  const cvc = SecretCvc.of(testCvc)
  if (!pan || !cvc) throw new Error('no such card')
  return { pan, cvc, expiryMonth: 12, expiryYear: 2030, holder: 'Işık Öztürk' }
}

/** A charge as a payer with this card causes it. */
export function chargeWith(number: string, reference: string, terms: Partial<Charge> = {}): Charge {
  return {
    reference,
    amountMinor: 12_345,
    currency: 'TRY',
    installment: 1,
    payment: { by: 'us', card: testCard(number), proof },
    payerAddress: null,
    ...terms,
  }
}
