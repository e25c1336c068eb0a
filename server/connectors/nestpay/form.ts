import type { PaymentCard } from '../../../kit/money/card.ts'
import { decimalText } from '../../../kit/money/money.ts'
import type { Random } from '../../../kit/security/random.ts'
import type { BankForm, BankFormTerms } from '../contract/contract.ts'
import { currencyNumber, installmentText } from './amount.ts'
import { hashOf } from './hash.ts'

/** Merchant's credentials at the bank. */
export interface StoreCredentials {
  clientId: string
  storeKey: string
}

/**
 * Builds the form that the browser posts to the bank's gate. The model is `3d`: the bank only authenticates,
 * and we request the charge afterwards. The hash covers all fields, including the card.
 */
export function threeDsGateForm(
  { clientId, storeKey }: StoreCredentials,
  action: string,
  random: Random,
  terms: BankFormTerms,
  card: PaymentCard,
): BankForm {
  const currency = currencyNumber(terms.currency)
  if (currency === undefined) throw new Error('this bank does not take this currency')
  const fields = {
    clientid: clientId,
    storetype: '3d',
    amount: decimalText(terms.amountMinor, '.'),
    currency,
    oid: terms.reference,
    okUrl: terms.returnUrl,
    failUrl: terms.returnUrl,
    rnd: random.bytes(12).toString('hex').toUpperCase(),
    lang: terms.language,
    taksit: installmentText(terms.installment),
    TranType: terms.preAuth ? 'PreAuth' : 'Auth',
    hashAlgorithm: 'ver3',
  }
  const withCard = {
    ...fields,
    pan: card.pan.reveal(),
    cv2: card.cvc.reveal(),
    Ecom_Payment_Card_ExpDate_Month: String(card.expiryMonth).padStart(2, '0'),
    Ecom_Payment_Card_ExpDate_Year: String(card.expiryYear % 100).padStart(2, '0'),
  }
  const hash = hashOf(withCard, storeKey)
  return { action, fields: { ...withCard, hash }, trace: fields }
}
