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
  en: 'This transaction already has a refund without an outcome.',
  when: {
    tr: 'Aynı işlemin daha önceki bir iade talebi incelemede veya bankanın yanıtını bekliyor. Sonuçlandığında yeni bir iade talep edilebilir. Mesaj, neyin beklendiğini bildirir. Bir sonraki adımın zamanı belliyse mesajda bu zaman, `Retry-After` başlığında o zamana kadar kalan saniye bulunur.',
    en: 'An earlier refund of the same transaction is under review or waits for the bank. After its outcome, another refund can be requested. The message shows what the refund waits for. If the time of its next step is known, the message shows that time, and `Retry-After` has the seconds until then.',
  },
}

export const notRefundable: Refusal = {
  code: 931,
  status: 409,
  tr: 'Bu işlem iade edilebilecek durumda değil.',
  en: 'This transaction cannot be refunded in its current state.',
  when: {
    tr: 'İşlem ödenmemiş, başarısız, süresi dolmuş, sonuçlandırılmamış bir ön provizyon veya tamamı iade edilmiş.',
    en: 'The transaction is unpaid, failed, expired, an unresolved pre-authorization, or fully refunded.',
  },
}

/** Texts of the wait reasons. */
const waitSentences: Record<RefundWaitReason, LocalizedText> = {
  review: { tr: 'Talep incelemede.', en: 'The refund is under review.' },
  bank_day: {
    tr: 'Bankanın gün sonu bekleniyor: banka, çekimin yapıldığı gün kısmi iade yapmaz.',
    en: 'The refund waits for the end of the bank’s day: the bank makes no partial refunds on the day of the charge.',
  },
  bank_answer: { tr: 'Bankanın yanıtı bekleniyor.', en: 'The refund waits for the bank’s response.' },
}

/** Text of the service's next step and its time. */
function nextStep(waitsFor: RefundWaitReason, time: string): LocalizedText {
  return waitsFor === 'review'
    ? {
        tr: `Otomatik inceleme ${time} tarihinde yapılacak.`,
        en: `The automatic review is at ${time}.`,
      }
    : {
        tr: `Bankaya ${time} tarihinde yeniden sorulacak.`,
        en: `The next request to the bank is at ${time}.`,
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
