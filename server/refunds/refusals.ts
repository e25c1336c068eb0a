import type { Refusal } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { displayTime } from '../../kit/text/zoned-time.ts'
import type { Merchant } from '../merchants/index.ts'
import type { Refund, RefundWaitReason } from './refund.ts'
import { waitReasonAndDueAt } from './refund.ts'

export const refundAlreadyOpen: Refusal = {
  code: 930,
  status: 409,
  tr: 'Bu işlemin henüz sonuçlanmamış bir iade talebi var.',
  en: 'A refund of this transaction has not reached its outcome.',
  when: {
    tr: 'Aynı işlem için daha önce verilmiş bir iade talebi incelemede ya da bankadan yanıt bekliyor. Sonuçlanınca yeniden talep edilebilir. Mesaj, neyin beklendiğini bildirir; bir sonraki adımın zamanı belliyse mesaj bu zamanı, `Retry-After` ise o zamana kadar kalan saniyeyi de bildirir.',
    en: 'An earlier refund of the same transaction is under review, or its bank is being asked. When it has its outcome, another can be asked for. The message says what it waits for; where the time of its next step is known, it names that too, and `Retry-After` the seconds until then.',
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

/** Texts of the wait reasons. */
const waitSentences: Record<RefundWaitReason, LocalizedText> = {
  review: { tr: 'Talep incelemededir.', en: 'It is under review.' },
  bank_day: {
    tr: 'Bankanın gün sonu bekleniyor: Banka, çekimin yapıldığı gün kısmi iade yapmamaktadır.',
    en: 'It waits for the end of the bank’s day: the bank gives back no part on the day of the charge.',
  },
  bank_answer: { tr: 'Bankanın yanıtı bekleniyor.', en: 'The bank’s answer is awaited.' },
}

/** Text of the service's next step and its time. */
function nextStep(waitsFor: RefundWaitReason, time: string): LocalizedText {
  return waitsFor === 'review'
    ? {
        tr: `Otomatik inceleme ${time} itibarıyla yapılacaktır.`,
        en: `It is reviewed automatically on ${time}.`,
      }
    : {
        tr: `Bankaya ${time} itibarıyla yeniden sorulacaktır.`,
        en: `The bank is asked again on ${time}.`,
      }
}

/**
 * `16.11.2026 00:15`, with seconds unless they are zero. Rounded up, so a request at the shown time is never
 * too early.
 */
function timeText(at: Date, timeZone: string): string {
  const second = new Date(Math.ceil(at.getTime() / 1000) * 1000)
  const seconds = second.getUTCSeconds()
  return `${displayTime(second, timeZone)}${seconds > 0 ? `:${String(seconds).padStart(2, '0')}` : ''}`
}

/**
 * Details of a refusal because of an open refund: its wait reason, and the time of the next step if known.
 */
export function refundAlreadyOpenDetails(
  open: Refund,
  { timeZone }: Pick<Merchant, 'timeZone'>,
  now: Date,
): { because?: LocalizedText; retryAfterS?: number } {
  const { waitsFor, dueAt } = waitReasonAndDueAt(open)
  if (!waitsFor) return {}
  const why = waitSentences[waitsFor]
  if (!dueAt || dueAt <= now) return { because: why }
  const step = nextStep(waitsFor, timeText(dueAt, timeZone))
  return {
    because: { tr: `${why.tr} ${step.tr}`, en: `${why.en} ${step.en}` },
    retryAfterS: Math.ceil((dueAt.getTime() - now.getTime()) / 1000),
  }
}
