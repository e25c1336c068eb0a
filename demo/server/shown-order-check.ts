import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import type { OrderCheck } from './check-order.ts'
import type { FieldComparison, OrderOutcome } from './compare-order.ts'
import { priceText } from './price-text.ts'

type Tone = 'good' | 'wait' | 'bad'

/** Result of an order check, for the reader and for the page's script. */
export interface ShownOrderCheck {
  outcome: OrderOutcome
  tone: Tone
  title: string
  text: string
  order: string | null
  transaction_id: string | null
  compared: { what: string; ours: string; theirs: string; is_same: boolean }[]
  /** True if a webhook has reported the payment; null if none is expected. */
  is_webhook_received: boolean | null
}

const sentences: Readonly<Record<OrderOutcome, { tone: Tone; title: LocalizedText; text: LocalizedText }>> = {
  paid: {
    tone: 'good',
    title: { tr: 'Ödendi ve sunucuda kontrol edildi', en: 'Paid and checked on the server' },
    text: {
      tr: 'Teşekkür ederiz. Sunucu, işlemi Vezne’den kendisi sorguladı; bütün bilgiler siparişle aynı.',
      en: 'Thank you. The server read the transaction from Vezne itself. Every value matches the order.',
    },
  },
  waiting: {
    tone: 'wait',
    title: { tr: 'Henüz ödenmedi', en: 'Not paid yet' },
    text: {
      tr: 'İşlem beklemede: ödeme yapılmadı veya bankanın yanıtı henüz bilinmiyor.',
      en: 'The transaction is pending: it is not paid yet, or the bank’s response is not known.',
    },
  },
  failed: {
    tone: 'bad',
    title: { tr: 'Ödenmedi', en: 'Not paid' },
    text: {
      tr: 'Deneme hakkı kalmadı, para çekilmedi. Yeni bir sipariş verebilirsiniz.',
      en: 'No attempts are left, and nothing was charged. You can place a new order.',
    },
  },
  expired: {
    tone: 'bad',
    title: { tr: 'Ödeme sayfasının süresi doldu', en: 'The payment page expired' },
    text: {
      tr: 'Para çekilmedi. Yeni bir sipariş verebilirsiniz.',
      en: 'Nothing was charged. You can place a new order.',
    },
  },
  held: {
    tone: 'bad',
    title: { tr: 'Ödenmedi: tutar yalnızca bloke edildi', en: 'Not paid: the amount is only held' },
    text: {
      tr: 'Bu mağaza ön provizyon istemedi, bu yüzden sipariş ödenmiş sayılmaz.',
      en: 'This shop did not request a pre-authorization, so the order does not count as paid.',
    },
  },
  refunded: {
    tone: 'wait',
    title: { tr: 'Ödendi ve iade edildi', en: 'Paid and refunded' },
    text: { tr: 'Tutarın tamamı veya bir kısmı iade edildi.', en: 'All or part of the amount was refunded.' },
  },
  other: {
    tone: 'bad',
    title: { tr: 'Bu ödeme bu siparişe ait değil', en: 'This payment is not for this order' },
    text: {
      tr: 'Böyle bir işlem var, ancak siparişle aynı değil. Tarayıcıya güvenen bir mağaza ürünü şimdi göndermiş olurdu.',
      en: 'The transaction exists, but it does not match the order. A shop that trusts the browser would now have sent the goods.',
    },
  },
  again: {
    tone: 'bad',
    title: { tr: 'Bu sipariş daha önce ödendi', en: 'This order was already paid' },
    text: {
      tr: 'Aynı sipariş ikinci kez ödendi. Gerçek bir mağaza ikinci ödemeyi iade eder.',
      en: 'The same order was paid a second time. A real shop refunds the second payment.',
    },
  },
  unknown: {
    tone: 'bad',
    title: { tr: 'Böyle bir işlem yok', en: 'There is no such transaction' },
    text: {
      tr: 'Gelen işlem numarası Vezne’de bulunamadı. Adres çubuğuna herkes her şeyi yazabilir.',
      en: 'Vezne has no transaction with this ID. Anyone can type anything into an address bar.',
    },
  },
  unreachable: {
    tone: 'wait',
    title: { tr: 'Vezne’ye ulaşılamadı', en: 'Vezne could not be reached' },
    text: {
      tr: 'Sonuç henüz bilinmiyor. Lütfen birazdan sayfayı yenileyin.',
      en: 'The result is not known yet. Reload the page in a moment.',
    },
  },
}

const facts: Readonly<Record<FieldComparison['what'], LocalizedText>> = {
  order: { tr: 'Sipariş', en: 'Order' },
  amount: { tr: 'Tutar', en: 'Amount' },
  currency: { tr: 'Para birimi', en: 'Currency' },
  status: { tr: 'Durum', en: 'Status' },
}

export function shownOrderCheck(
  { outcome, order, transactionId, compared }: OrderCheck,
  language: Language,
): ShownOrderCheck {
  const { tone, title, text } = sentences[outcome]
  return {
    outcome,
    tone,
    title: title[language],
    text: text[language],
    order: order?.id ?? null,
    transaction_id: transactionId === '' ? null : transactionId,
    compared: compared.map(({ what, ours, theirs, isSame }) => ({
      what: facts[what][language],
      ours: factText(ours, language),
      theirs: factText(theirs, language),
      is_same: isSame,
    })),
    is_webhook_received: outcome === 'paid' ? (order?.isWebhookReceived ?? false) : null,
  }
}

function factText(fact: string | number, language: Language): string {
  if (typeof fact === 'number') return priceText(fact, language)
  return fact === '' ? '—' : fact
}
