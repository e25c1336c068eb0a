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
    title: { tr: 'Ödendi, sunucuda denetlendi', en: 'Paid, and checked on the server' },
    text: {
      tr: 'Teşekkür ederiz. Sunucu işlemi Vezne’ye kendisi sordu; her şey siparişle aynı.',
      en: 'Thank you. The server asked Vezne for the transaction itself, and everything is as in the order.',
    },
  },
  waiting: {
    tone: 'wait',
    title: { tr: 'Henüz ödenmedi', en: 'Not paid yet' },
    text: {
      tr: 'İşlem bekliyor: ödeme tamamlanmadı veya bankanın yanıtı henüz belli değil.',
      en: 'The transaction is pending: it was not paid yet, or the bank’s answer is not known.',
    },
  },
  failed: {
    tone: 'bad',
    title: { tr: 'Ödenmedi', en: 'Not paid' },
    text: {
      tr: 'Deneme hakkı bitti, para çekilmedi. Yeni bir sipariş verebilirsiniz.',
      en: 'No attempt is left, and no money was taken. You can make a new order.',
    },
  },
  expired: {
    tone: 'bad',
    title: { tr: 'Ödeme süresi doldu', en: 'The time to pay is over' },
    text: {
      tr: 'Para çekilmedi. Yeni bir sipariş verebilirsiniz.',
      en: 'No money was taken. You can make a new order.',
    },
  },
  held: {
    tone: 'bad',
    title: { tr: 'Ödenmedi: tutar yalnızca bloke', en: 'Not paid: the amount is only held' },
    text: {
      tr: 'Bu mağaza ön provizyon istemedi, bu yüzden sipariş ödenmiş sayılmaz.',
      en: 'This shop asked for no pre-authorization, so the order does not count as paid.',
    },
  },
  refunded: {
    tone: 'wait',
    title: { tr: 'Ödendi ve iade edildi', en: 'Paid, and refunded' },
    text: { tr: 'Tutarın tamamı veya bir bölümü geri verildi.', en: 'All of it, or a part, was given back.' },
  },
  other: {
    tone: 'bad',
    title: { tr: 'Bu siparişin ödemesi değil', en: 'Not the payment of this order' },
    text: {
      tr: 'İşlem var, ama siparişle aynı değil. Tarayıcıya inanan bir mağaza ürünü şimdi göndermiş olurdu.',
      en: 'There is such a transaction, but it is not as in the order. A shop that believes the browser would have sent the goods by now.',
    },
  },
  again: {
    tone: 'bad',
    title: { tr: 'Bu sipariş daha önce ödenmişti', en: 'This order was paid before' },
    text: {
      tr: 'Aynı sipariş ikinci kez ödendi. Gerçek bir mağaza ikinci ödemeyi iade eder.',
      en: 'The same order was paid a second time. A real shop gives the second payment back.',
    },
  },
  unknown: {
    tone: 'bad',
    title: { tr: 'Böyle bir işlem yok', en: 'There is no such transaction' },
    text: {
      tr: 'Gelen işlem numarası Vezne’de bulunamadı. Adres çubuğuna herkes her şeyi yazabilir.',
      en: 'Vezne knows no transaction of this number. Anybody can write anything into an address.',
    },
  },
  unreachable: {
    tone: 'wait',
    title: { tr: 'Vezne’ye sorulamadı', en: 'Vezne could not be asked' },
    text: {
      tr: 'Sonuç henüz bilinmiyor. Sayfayı birazdan yenileyin.',
      en: 'What came of it is not known yet. Reload the page in a moment.',
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
