import type { LocalizedText } from '../../kit/text/locale.ts'
import type { ModificationFault, TestCard } from './fault.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

const doneOnce: LocalizedText = {
  tr: 'Ödeme tamamlanır; sonraki işlemin sonucu bankaya sorulunca öğrenilir, işlem bir kez yapılır.',
  en: 'The payment is paid. An inquiry finds the outcome of the later request, which is done once.',
}
const doneSoon: LocalizedText = {
  tr: 'Ödeme tamamlanır; sonraki işlem de yapılır.',
  en: 'The payment is paid. The later request is done too.',
}
const neverDone: LocalizedText = {
  tr: 'Ödeme tamamlanır; kapama ve iade dört yeni denemeden sonra başarısız olur, ön provizyon iptali için elle inceleme gerekir.',
  en: 'The payment is paid. A capture or a refund fails after four retries. A release needs manual review.',
}

/** A card that is charged normally; its modifications have the fault. */
function later(
  number: string,
  name: string,
  modificationFault: ModificationFault,
  does: LocalizedText,
  outcome: LocalizedText = doneOnce,
): TestCard {
  return { number, fault: { name: `modification-${name}`, modificationFault }, does, outcome }
}

/** Approved cards whose captures, voids and refunds fail. */
export const modificationCards: readonly TestCard[] = [
  later(
    '4190000000000705',
    'lost',
    { answer: 'lost' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtı kaybolur.',
      en: 'Approves. Does the first capture, void or refund, but its answer is lost.',
    },
  ),
  later(
    '4190000000000713',
    'lost-undone',
    { done: 'never', answer: 'lost' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iade isteği yanıtıyla birlikte kaybolur, yapılmaz.',
      en: 'Approves. The first capture, void or refund is not done: the request and the answer are lost.',
    },
  ),
  later(
    '4190000000000721',
    'late',
    { done: { afterMs: 90 * secondMs }, answer: 'lost' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeye yanıt vermez; hâlâ yapılabiliyorsa 90 saniye sonra yapar.',
      en: 'Approves. Does not answer the first capture, void or refund, and does it after 90 seconds if it is still possible.',
    },
  ),
  later(
    '4190000000000739',
    'slow',
    { answer: { afterMs: 30 * secondMs } },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, 30 saniye sonra yanıt verir.',
      en: 'Approves. Does the first capture, void or refund, and answers after 30 seconds.',
    },
    doneSoon,
  ),
  later(
    '4190000000000747',
    'slower',
    { answer: { afterMs: 120 * secondMs } },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, zaman aşımından sonra, 120 saniyede yanıt verir.',
      en: 'Approves. Does the first capture, void or refund, and answers after 120 seconds, which is after the timeout.',
    },
  ),
  later(
    '4190000000000754',
    'garbled',
    { answer: 'garbled' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtı yarım gelir.',
      en: 'Approves. Does the first capture, void or refund, but only half of its answer arrives.',
    },
  ),
  later(
    '4190000000000762',
    'page',
    { answer: 'page' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıt yerine bir HTML sayfası gelir.',
      en: 'Approves. Does the first capture, void or refund, and answers with an HTML page.',
    },
  ),
  later(
    '4190000000000770',
    'failure',
    { answer: 'failure' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, 500 ile yanıt verir.',
      en: 'Approves. Does the first capture, void or refund, and answers with HTTP status 500.',
    },
  ),
  later(
    '4190000000000788',
    'failure-undone',
    { done: 'never', answer: 'failure' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapmaz, 500 ile yanıt verir.',
      en: 'Approves. Does not do the first capture, void or refund, and answers with HTTP status 500.',
    },
  ),
  later(
    '4190000000000796',
    'other-amount',
    { answer: 'other amount' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi doğru yapar, yanıtında 1,00 fazlasını söyler (NestPay yanıtında tutar yoktur).',
      en: 'Approves. Does the first capture, void or refund correctly, but its answer names 1.00 more (a NestPay answer names no amount).',
    },
  ),
  later(
    '4190000000000804',
    'other-reference',
    { answer: 'other reference' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtında başka bir referans söyler.',
      en: 'Approves. Does the first capture, void or refund, but its answer names another reference.',
    },
  ),
  later(
    '4190000000000812',
    'busy',
    { declines: '96' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi sistem hatasıyla reddeder, sonrakini yapar.',
      en: 'Approves. Declines the first capture, void or refund with a system malfunction, and does the next one.',
    },
  ),
  later(
    '4190000000000820',
    'broken',
    { isLasting: true, declines: '96' },
    {
      tr: 'Onaylar; kapama, iptal ve iadeyi hep sistem hatasıyla reddeder.',
      en: 'Approves. Declines every capture, void and refund with a system malfunction.',
    },
    neverDone,
  ),
  later(
    '4190000000000838',
    'silent',
    { answer: 'lost', statusFailsForMs: 10 * minuteMs },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtı kaybolur; durum sorgusuna 10 dakika yanıt vermez.',
      en: 'Approves. Does the first capture, void or refund, but its answer is lost, and it answers no inquiry for 10 minutes.',
    },
  ),
]
