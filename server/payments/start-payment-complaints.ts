import { Refused } from '../../kit/input/refusals.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { totalMismatchRefusal } from './refusals.ts'

export const notProducts: LocalizedText = {
  tr: 'JSON listesi olmalıdır: [{"product_name":"…","price":1000}].',
  en: 'Must be a JSON list: [{"product_name":"…","price":1000}].',
}

export const notProductIds: LocalizedText = {
  tr: 'Liste olmalıdır: formda product_ids[0]=…, JSON’da [10000000000123].',
  en: 'Must be a list: product_ids[0]=… in a form, [10000000000123] in JSON.',
}

export const notPairs: LocalizedText = {
  tr: 'Liste olmalıdır: formda metadata[0][key]=…&metadata[0][value]=…, JSON’da [{"key":"…","value":"…"}].',
  en: 'Must be a list: metadata[0][key]=…&metadata[0][value]=… in a form, [{"key":"…","value":"…"}] in JSON.',
}

/** Maximum number of products of a payment, in both lists together. */
export const maxProductsPerPayment = 100

export function totalMismatchError(
  { amount, currency }: { amount: number; currency: string },
  totalMinor: number,
): Refused {
  const sentence = {
    tr: `Ürünlerin toplamı ${decimalText(totalMinor, ',')} ${currency}, ödeme tutarı ${decimalText(amount, ',')} ${currency}; ikisi eşit olmalıdır.`,
    en: `The products add up to ${decimalText(totalMinor, '.')} ${currency}, but the amount is ${decimalText(amount, '.')} ${currency}; they must be equal.`,
  }
  return new Refused(totalMismatchRefusal, { complaints: new Map([['amount', [sentence]]]) })
}

export const merchantWithoutThreeDsReason: LocalizedText = {
  tr: 'Üye iş yeri 3D Secure ödeme almıyor.',
  en: 'The merchant does not accept 3-D Secure payments.',
}

export const currencyNotAcceptedComplaint: LocalizedText = {
  tr: 'Bu para biriminde ödeme alan etkin bir POS yok.',
  en: 'No active POS accepts this currency.',
}

export const productsRequiredComplaint: LocalizedText = {
  tr: 'Bu üye iş yeri için ürün bilgisi zorunludur: products veya product_ids gönderin.',
  en: 'Products are required for this merchant: send products or product_ids.',
}

export const tooManyProductsComplaint: LocalizedText = {
  tr: `products ve product_ids birlikte en fazla ${maxProductsPerPayment} ürün içerebilir.`,
  en: `products and product_ids together must contain at most ${maxProductsPerPayment} products.`,
}

export const noSuchCustomerComplaint: LocalizedText = {
  tr: 'Bu numarayla bir müşteri yok.',
  en: 'There is no customer with this ID.',
}

export const noSuchProductComplaint: LocalizedText = {
  tr: 'Bu numarayla bir ürün yok.',
  en: 'There is no product with this ID.',
}

export function productCurrencyMismatchComplaint(of: string, currency: string): LocalizedText {
  return {
    tr: `Ürünün para birimi ${of}, ödemenin para birimi ${currency}; ikisi aynı olmalıdır.`,
    en: `The product’s currency is ${of}, the payment’s currency is ${currency}; they must be the same.`,
  }
}
