import type { LocalizedText } from '../../kit/text/locale.ts'
import type { CardFault, TestCard } from './fault.ts'
import { modificationCards } from './modification-cards.ts'
import { otherAmountCards, otherAmountOutcome } from './other-amount-cards.ts'
import type { ResponseCode } from './response-codes.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs

const paid: LocalizedText = { tr: 'Ödeme tamamlanır.', en: 'The payment is paid.' }
const refused: LocalizedText = {
  tr: 'Reddedilir; ödeyen yeniden deneyebilir.',
  en: 'The payment is declined. The payer can try again.',
}
const paidLater: LocalizedText = {
  tr: 'Beklemede kalır; bankaya sorulunca ödeme tamamlanır.',
  en: 'The payment stays pending until an inquiry finds the charge. Then it is paid.',
}
const notPaidLater: LocalizedText = {
  tr: 'Beklemede kalır, bankaya sorulur; para çekilmemiştir.',
  en: 'The payment stays pending while the service inquires at the bank. No money was taken.',
}
const reversed: LocalizedText = {
  tr: 'Beklemede kalır; sonra çekim geri alınır, karttan para çekilmiş olmaz.',
  en: 'The payment stays pending. Then the charge is reversed, and the payer is not charged.',
}

function declining(number: string, declines: ResponseCode, does: LocalizedText): TestCard {
  return { number, declines, does, outcome: refused }
}

function faulty(number: string, fault: CardFault, does: LocalizedText, outcome: LocalizedText): TestCard {
  return { number, fault, does, outcome }
}

const approving: readonly TestCard[] = [
  {
    number: '5400360000000003',
    does: { tr: 'Onaylar (Bonus, kredi kartı).', en: 'Approves (Bonus credit card).' },
    outcome: paid,
  },
  {
    number: '5451030000000000',
    does: { tr: 'Onaylar (World, kredi kartı).', en: 'Approves (World credit card).' },
    outcome: paid,
  },
  faulty(
    '5406670000000009',
    { name: 'for-good', undoing: 'not permitted' },
    {
      tr: 'Onaylar; sonra iptal, iade ve ön provizyon kapama yapılamaz.',
      en: 'Approves. Later refuses every void, refund and capture.',
    },
    { tr: 'Ödeme tamamlanır; iadesi başarısız olur.', en: 'The payment is paid. A refund of it fails.' },
  ),
]

const declinings: readonly TestCard[] = [
  declining('4111111111111129', '51', { tr: 'Yetersiz bakiye.', en: 'Insufficient funds.' }),
  declining('4129111111111111', '05', { tr: 'İşlem onaylanmaz.', en: 'Do not honour.' }),
  declining('4128111111111112', '12', { tr: 'Geçersiz işlem.', en: 'Invalid transaction.' }),
  declining('4127111111111113', '41', { tr: 'Kayıp kart.', en: 'Lost card.' }),
  declining('4126111111111114', '43', { tr: 'Çalıntı kart.', en: 'Stolen card.' }),
  declining('4125111111111115', '54', { tr: 'Son kullanma tarihi geçmiş kart.', en: 'Expired card.' }),
  declining('4124111111111116', '82', { tr: 'Hatalı güvenlik kodu.', en: 'Wrong security code.' }),
  declining('4123111111111117', '57', {
    tr: 'Kart hamiline kapalı işlem.',
    en: 'Not permitted to the cardholder.',
  }),
  declining('4122111111111118', '58', {
    tr: 'Terminale kapalı işlem.',
    en: 'Not permitted to the terminal.',
  }),
  declining('4121111111111119', '59', { tr: 'Sahtecilik şüphesi.', en: 'Suspected fraud.' }),
  declining('4120111111111110', '04', { tr: 'Karta el konulmalı.', en: 'Pick up the card.' }),
  declining('4130111111111118', '96', { tr: 'Genel hata.', en: 'General error.' }),
]

const badAnswers: readonly TestCard[] = [
  faulty(
    '4190000000000101',
    { name: 'lost', answer: 'lost' },
    { tr: 'Parayı çeker, yanıtı kaybolur.', en: 'Takes the money. Its answer is lost.' },
    paidLater,
  ),
  faulty(
    '4190000000000119',
    { name: 'lost-undone', done: 'never', answer: 'lost' },
    {
      tr: 'İstek ve yanıt kaybolur, para çekilmez.',
      en: 'The request and the answer are lost. No money is taken.',
    },
    notPaidLater,
  ),
  faulty(
    '4190000000000127',
    { name: 'late', done: { afterMs: 90 * secondMs }, answer: 'lost' },
    {
      tr: 'Yanıt vermez; parayı 90 saniye sonra çeker, o zamana kadar işlemi tanımaz.',
      en: 'Does not answer. Takes the money after 90 seconds; until then an inquiry finds no charge.',
    },
    paidLater,
  ),
  faulty(
    '4190000000000135',
    { name: 'very-late', done: { afterMs: 100 * minuteMs }, answer: 'lost' },
    {
      tr: 'Yanıt vermez; parayı 100 dakika sonra çeker, o zamana kadar işlemi tanımaz.',
      en: 'Does not answer. Takes the money after 100 minutes; until then an inquiry finds no charge.',
    },
    reversed,
  ),
  faulty(
    '4190000000000200',
    { name: 'slow', answer: { afterMs: 30 * secondMs } },
    { tr: '30 saniye sonra onaylar.', en: 'Approves after 30 seconds.' },
    paid,
  ),
  faulty(
    '4190000000000218',
    { name: 'slower', answer: { afterMs: 120 * secondMs } },
    {
      tr: 'Parayı çeker, zaman aşımından sonra, 120 saniyede yanıt verir.',
      en: 'Takes the money. Answers after 120 seconds, which is after the timeout.',
    },
    paidLater,
  ),
  faulty(
    '4190000000000309',
    { name: 'garbled', answer: 'garbled' },
    { tr: 'Parayı çeker, yanıtı yarım gelir.', en: 'Takes the money. Only half of its answer arrives.' },
    paidLater,
  ),
  faulty(
    '4190000000000317',
    { name: 'page', answer: 'page' },
    {
      tr: 'Parayı çeker, yanıt yerine bir HTML sayfası gelir.',
      en: 'Takes the money. Answers with an HTML page.',
    },
    paidLater,
  ),
  faulty(
    '4190000000000325',
    { name: 'failure', answer: 'failure' },
    { tr: 'Parayı çeker, 500 ile yanıt verir.', en: 'Takes the money. Answers with HTTP status 500.' },
    paidLater,
  ),
  faulty(
    '4190000000000333',
    { name: 'failure-undone', done: 'never', answer: 'failure' },
    { tr: 'Para çekmez, 500 ile yanıt verir.', en: 'Takes no money. Answers with HTTP status 500.' },
    notPaidLater,
  ),
  faulty(
    '4190000000000408',
    { name: 'other-amount', extraMinor: 100 },
    {
      tr: 'İstenenden 1,00 fazlasını çeker ve onaylar.',
      en: 'Takes and approves 1.00 more than requested.',
    },
    otherAmountOutcome,
  ),
  faulty(
    '4190000000000416',
    { name: 'other-reference', answer: 'other reference' },
    {
      tr: 'Parayı çeker, başka bir referansla onaylar.',
      en: 'Takes the money. Its approval names another reference.',
    },
    paidLater,
  ),
]

const silentMs = 61 * minuteMs

const badLaterAnswers: readonly TestCard[] = [
  faulty(
    '4190000000000507',
    { name: 'silent', answer: 'lost', statusFailsForMs: 10 * minuteMs },
    {
      tr: 'Parayı çeker, yanıtı kaybolur; durum sorgusuna 10 dakika yanıt vermez.',
      en: 'Takes the money. Its answer is lost, and it answers no inquiry for 10 minutes.',
    },
    paidLater,
  ),
  faulty(
    '4190000000000606',
    { name: 'void-lost', answer: 'lost', statusFailsForMs: silentMs, undoing: 'void answer lost' },
    {
      tr: 'Yanıtı kaybolur, 61 dakika sorguya yanıt vermez; iptali yapar ama onun yanıtı da kaybolur.',
      en: 'Takes the money. Its answer is lost, and it answers no inquiry for 61 minutes. Then it voids the charge, and that answer is lost too.',
    },
    reversed,
  ),
  faulty(
    '4190000000000614',
    { name: 'void-fails-once', answer: 'lost', statusFailsForMs: silentMs, undoing: 'void fails once' },
    {
      tr: 'Yanıtı kaybolur, 61 dakika sorguya yanıt vermez; ilk iptali sistem hatasıyla reddeder.',
      en: 'Takes the money. Its answer is lost, and it answers no inquiry for 61 minutes. The first void fails with a system malfunction.',
    },
    reversed,
  ),
  faulty(
    '4190000000000622',
    { name: 'void-settled', answer: 'lost', statusFailsForMs: silentMs, undoing: 'settled' },
    {
      tr: 'Yanıtı kaybolur, 61 dakika sorguya yanıt vermez; iptal yerine iade ister.',
      en: 'Takes the money. Its answer is lost, and it answers no inquiry for 61 minutes. It refuses a void, because the charge is settled, and makes a refund.',
    },
    reversed,
  ),
  faulty(
    '4190000000000630',
    { name: 'stuck', answer: 'lost', statusFailsForMs: silentMs, undoing: 'fails' },
    {
      tr: 'Yanıtı kaybolur, 61 dakika sorguya yanıt vermez; iptal de iade de hep sistem hatası verir.',
      en: 'Takes the money. Its answer is lost, and it answers no inquiry for 61 minutes. Every void and refund fails.',
    },
    {
      tr: 'Beklemede kalır, çekim geri alınamaz; elle inceleme gerekir.',
      en: 'The payment stays pending, and the charge cannot be reversed. It needs manual review.',
    },
  ),
]

/** Every card that is not simply approved, and two of the many that are. */
export const cards: readonly TestCard[] = [
  ...approving,
  ...declinings,
  ...badAnswers,
  ...badLaterAnswers,
  ...modificationCards,
  ...otherAmountCards,
]
