import type { Sentence } from '../kit/locale.ts'
import type { Refusal } from '../kit/refusals.ts'
import { displayTime } from '../kit/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Refund, RefundWait } from './refund.ts'
import { waitOf } from './refund.ts'

export const refundOpen: Refusal = {
  code: 930,
  status: 409,
  tr: 'Bu işlemin henüz sonuçlanmamış bir iade talebi var.',
  en: 'A refund of this transaction has not reached its outcome.',
  when: {
    tr: 'Aynı işlem için daha önce verilmiş bir iade talebi incelemede ya da bankadan yanıt bekliyor. Sonuçlanınca yeniden talep edilebilir. Bir sonraki adımın zamanı belliyse mesaj, nedeni ve zamanı; `Retry-After` ise o zamana kadar kalan saniyeyi bildirir.',
    en: 'An earlier refund of the same transaction is under review, or its bank is being asked. When it has its outcome, another can be asked for. Where the time of its next step is known, the message names it and the reason, and `Retry-After` the seconds until then.',
  },
}

export const notRefundable: Refusal = {
  code: 931,
  status: 409,
  tr: 'Bu işlem iade edilebilecek durumda değil.',
  en: 'This transaction cannot be refunded as it stands.',
  when: {
    tr: 'İşlem ödenmemiş, başarısız olmuş, süresi dolmuş, kapatılmamış bir ön provizyon ya da tamamı iade edilmiş.',
    en: 'The transaction is unpaid, failed, expired, an unresolved pre-authorization, or nothing is left of it to refund.',
  },
}

/** Why an open refund has no outcome yet, and when the service turns to it next. */
const waitSentences: Record<RefundWait, (time: string) => Sentence> = {
  review: (time) => ({
    tr: `Talep incelemededir; otomatik inceleme ${time} itibarıyla yapılacaktır.`,
    en: `It is under review; the rules review it on ${time}.`,
  }),
  bank_day: (time) => ({
    tr: `Bankanın gün sonu bekleniyor: Banka, çekimin yapıldığı gün kısmi iade yapmamaktadır. Bankaya ${time} itibarıyla yeniden sorulacaktır.`,
    en: `It waits for the end of the bank’s day: the bank gives back no part on the day of the charge. The bank is asked again on ${time}.`,
  }),
  bank_answer: (time) => ({
    tr: `Bankanın yanıtı bekleniyor; bankaya ${time} itibarıyla yeniden sorulacaktır.`,
    en: `The bank’s answer is awaited; the bank is asked again on ${time}.`,
  }),
}

const minuteMs = 60_000

/** The details of a refusal because of an open refund. Nothing where no time is known at which it goes on. */
export function openRefundDetails(
  open: Refund,
  { timeZone }: Pick<Merchant, 'timeZone'>,
  now: Date,
): { because?: Sentence; retryAfterS?: number } {
  const { waitsFor, dueAt } = waitOf(open)
  if (!waitsFor || !dueAt || dueAt <= now) return {}
  // Rounded up: whoever asks at the time that they read does not ask too early.
  const minute = new Date(Math.ceil(dueAt.getTime() / minuteMs) * minuteMs)
  return {
    because: waitSentences[waitsFor](displayTime(minute, timeZone)),
    retryAfterS: Math.ceil((dueAt.getTime() - now.getTime()) / 1000),
  }
}
