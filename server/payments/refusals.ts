import type { Refusal } from '../../kit/input/refusals.ts'

export const totalMismatchRefusal: Refusal = {
  code: 902,
  status: 422,
  tr: 'Ürünlerin toplamı ödeme tutarından farklı.',
  en: 'The products add up to another total than the amount.',
  when: {
    tr: '`products` ve `product_ids` ile verilen ürünlerin fiyatlarının toplamı `amount` değerine eşit değil. `errors.amount` her iki toplamı da bildirir.',
    en: 'The prices of the products in `products` and `product_ids` do not add up to `amount`. `errors.amount` says both totals.',
  },
}

export const amountNotHeldRefusal: Refusal = {
  code: 940,
  status: 409,
  tr: 'Bu işlem, tamamlanmış bir ön provizyon değil.',
  en: 'This transaction is not a completed pre-authorization.',
  when: {
    tr: 'Ön provizyon olarak başlatılmamış ya da tutarı henüz bloke edilmemiş bir işlem kapatılmak isteniyor.',
    en: 'A transaction is to be resolved that was not started as a pre-authorization, or whose amount is not held.',
  },
}

export const preAuthAlreadyResolved: Refusal = {
  code: 941,
  status: 409,
  tr: 'Bu ön provizyon daha önce kapatıldı.',
  en: 'This pre-authorization was resolved before.',
  when: {
    tr: 'Ön provizyonun kapatılması daha önce istendi ya da süresi dolduğunda kendiliğinden kapatıldı.',
    en: 'It was asked before to resolve the pre-authorization, or its deadline has resolved it.',
  },
}
