import type { LocalizedText } from '../../kit/text/locale.ts'
import type { ModificationFault, TestCard } from './fault.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

const doneOnce: LocalizedText = {
  tr: 'Ödeme tamamlanır; sonrası bankaya sorulunca anlaşılır ve bir kez yapılır.',
  en: 'It is paid; what follows is known once the bank was asked again, and done once.',
}
const doneSoon: LocalizedText = {
  tr: 'Ödeme tamamlanır; sonrası da yapılır.',
  en: 'It is paid, and what follows is done.',
}
const neverDone: LocalizedText = {
  tr: 'Ödeme tamamlanır; tahsilat ve iade dört denemeden sonra başarısız olur, serbest bırakmaya bir insanın bakması gerekir.',
  en: 'It is paid; a capture or a refund fails after the fourth time that it is tried again, a release waits for a person.',
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
      en: 'Approves; does the first capture, void or refund, and its answer is lost.',
    },
  ),
  later(
    '4190000000000713',
    'lost-undone',
    { done: 'never', answer: 'lost' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iade isteği yanıtıyla birlikte kaybolur, yapılmaz.',
      en: 'Approves; the first request for a capture, void or refund is lost with its answer, and not done.',
    },
  ),
  later(
    '4190000000000721',
    'late',
    { done: { afterMs: 90 * secondMs }, answer: 'lost' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeye yanıt vermez; hâlâ yapılabiliyorsa 90 saniye sonra yapar.',
      en: 'Approves; gives no answer to the first capture, void or refund, and does it after 90 seconds if it still can.',
    },
  ),
  later(
    '4190000000000739',
    'slow',
    { answer: { afterMs: 30 * secondMs } },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, 30 saniye sonra yanıt verir.',
      en: 'Approves; does the first capture, void or refund, and answers after 30 seconds.',
    },
    doneSoon,
  ),
  later(
    '4190000000000747',
    'slower',
    { answer: { afterMs: 120 * secondMs } },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, kimsenin beklemediği kadar geç, 120 saniye sonra yanıt verir.',
      en: 'Approves; does the first capture, void or refund, and answers after 120 seconds, later than anybody waits.',
    },
  ),
  later(
    '4190000000000754',
    'garbled',
    { answer: 'garbled' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtı yarım gelir.',
      en: 'Approves; does the first capture, void or refund, and half of its answer arrives.',
    },
  ),
  later(
    '4190000000000762',
    'page',
    { answer: 'page' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıt yerine bir HTML sayfası gelir.',
      en: 'Approves; does the first capture, void or refund, and answers with an HTML page.',
    },
  ),
  later(
    '4190000000000770',
    'failure',
    { answer: 'failure' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, 500 ile yanıt verir.',
      en: 'Approves; does the first capture, void or refund, and answers 500.',
    },
  ),
  later(
    '4190000000000788',
    'failure-undone',
    { done: 'never', answer: 'failure' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapmaz, 500 ile yanıt verir.',
      en: 'Approves; does not do the first capture, void or refund, and answers 500.',
    },
  ),
  later(
    '4190000000000796',
    'other-amount',
    { answer: 'other amount' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi doğru yapar, yanıtında 1,00 fazlasını söyler (NestPay yanıtında tutar yoktur).',
      en: 'Approves; does the first capture, void or refund rightly, and its answer names 1.00 more (by NestPay it names no amount).',
    },
  ),
  later(
    '4190000000000804',
    'other-reference',
    { answer: 'other reference' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtında başka bir referans söyler.',
      en: 'Approves; does the first capture, void or refund, and its answer names another reference.',
    },
  ),
  later(
    '4190000000000812',
    'busy',
    { declines: '96' },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi sistem hatasıyla reddeder, sonrakini yapar.',
      en: 'Approves; declines the first capture, void or refund with a system malfunction, and does the next.',
    },
  ),
  later(
    '4190000000000820',
    'broken',
    { isLasting: true, declines: '96' },
    {
      tr: 'Onaylar; kapama, iptal ve iadeyi hep sistem hatasıyla reddeder.',
      en: 'Approves; declines every capture, void and refund with a system malfunction.',
    },
    neverDone,
  ),
  later(
    '4190000000000838',
    'silent',
    { answer: 'lost', statusFailsForMs: 10 * minuteMs },
    {
      tr: 'Onaylar; ilk kapama, iptal ya da iadeyi yapar, yanıtı kaybolur; durum sorgusuna 10 dakika yanıt vermez.',
      en: 'Approves; does the first capture, void or refund, its answer is lost, and for 10 minutes it answers no query.',
    },
  ),
]
