import type { Refusal } from '../../kit/input/refusals.ts'

export const totalMismatchRefusal: Refusal = {
  code: 902,
  status: 422,
  tr: 'Ürünlerin toplamı ödeme tutarından farklı.',
  en: 'The total of the products differs from the amount.',
  when: {
    tr: '`products` ve `product_ids` ile gönderilen ürünlerin fiyat toplamı `amount` değerine eşit değil. `errors.amount` iki toplamı da bildirir.',
    en: 'The prices of the products in `products` and `product_ids` do not add up to `amount`. `errors.amount` shows both totals.',
  },
}

export const amountNotHeldRefusal: Refusal = {
  code: 940,
  status: 409,
  tr: 'Bu işlem, tamamlanmış bir ön provizyon değil.',
  en: 'This transaction is not a completed pre-authorization.',
  when: {
    tr: 'İşlem ön provizyon olarak başlatılmamış veya tutarı henüz bloke edilmemiş.',
    en: 'The transaction was not started as a pre-authorization, or its amount is not held.',
  },
}

export const preAuthAlreadyResolved: Refusal = {
  code: 941,
  status: 409,
  tr: 'Bu ön provizyon daha önce sonuçlandırıldı.',
  en: 'This pre-authorization is already resolved.',
  when: {
    tr: 'Ön provizyonun sonuçlandırılması daha önce istendi veya ön provizyon, süresi dolduğunda kendiliğinden sonuçlandı.',
    en: 'An earlier request resolved the pre-authorization, or its deadline did.',
  },
}
