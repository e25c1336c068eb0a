import type { Refusal } from '../kit/refusals.ts'

export const otherTotal: Refusal = {
  code: 902,
  status: 422,
  tr: 'Ürünlerin toplamı ödeme tutarından farklı.',
  en: 'The products add up to another total than the amount.',
  when: {
    tr: '`products` ve `product_ids` ile verilen ürünlerin fiyatlarının toplamı `amount` değerine eşit değil. `errors.amount` her iki toplamı da bildirir.',
    en: 'The prices of the products in `products` and `product_ids` do not add up to `amount`. `errors.amount` says both totals.',
  },
}
