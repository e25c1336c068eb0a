export type Language = 'tr' | 'en'

/** Text in both languages. Every visible text has both. */
export interface Sentence {
  tr: string
  en: string
}

/** Language of the element: the requested one, otherwise that of the web page, otherwise Turkish. */
export function languageOf(requested: Language | undefined, ofPage: string): Language {
  return requested ?? languageInTag(ofPage) ?? 'tr'
}

/** Turkish or English, if a tag such as `en-GB` names it. */
export function languageInTag(tag: string): Language | undefined {
  const [word = ''] = tag.toLowerCase().split('-')
  return word === 'tr' || word === 'en' ? word : undefined
}

/** Texts for payers, visible or read by a screen reader. */
export const texts = {
  title: { tr: 'Ödeme formu', en: 'Payment form' },
  loading: { tr: 'Ödeme formu yükleniyor', en: 'Loading the payment form' },
  pay: { tr: 'Ödemeye geç', en: 'Continue to payment' },
  opening: { tr: 'Ödeme sayfası açılıyor…', en: 'Opening the payment page…' },
  again: { tr: 'Yeniden dene', en: 'Try again' },
  whole: { tr: 'Tam pencerede aç', en: 'Open in full window' },
  refused: {
    tr: 'Ödeme başlatılamadı. Lütfen satıcıyla iletişime geçin.',
    en: 'The payment could not be started. Please contact the seller.',
  },
  unreachable: {
    tr: 'Ödeme hizmetine ulaşılamıyor. Bağlantınızı kontrol edip yeniden deneyin.',
    en: 'The payment service cannot be reached. Please check your connection and try again.',
  },
  not_shown: {
    tr: 'Ödeme formu burada gösterilemedi. Yeniden deneyebilir veya formu tam pencerede açabilirsiniz.',
    en: 'The payment form could not be shown here. You can try again or open it in the full window.',
  },
} satisfies Record<string, Sentence>
