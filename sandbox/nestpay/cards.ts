import type { SecretPan } from '../../kit/money/card.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import { cards } from '../cards/cards.ts'

/**
 * Result of the gate: 1 authenticated, 2 to 4 half authenticated, 5 to 8 could not authenticate, 0 not
 * authenticated.
 */
export type MdStatus = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8'

/** Faults of the callback to the merchant. */
export type CallbackTrick =
  | 'wrong hash'
  | 'other amount'
  | 'other order'
  | 'other currency'
  | 'other installments'
  | 'doubled'
  | 'no status'
  | 'never'
  | 'latin5'
  | 'used xid'

/** Behaviour of the gate for a card. */
export interface GateRule {
  /**
   * True if the payer must type a code. The fields below apply after the right code, or immediately without a
   * challenge.
   */
  isChallenged: boolean
  mdStatus: MdStatus
  trick?: CallbackTrick
}

/** A card number for which the NestPay gate has a rule. */
export interface NestpayCard extends GateRule {
  number: string
  /** Behaviour of the gate, in a sentence. */
  does: LocalizedText
  /** Outcome of the payment, in a sentence. */
  outcome: LocalizedText
  /**
   * Outcome of the payment, for programs:
   * - `refused`: because of the gate's status
   * - `half`: refused unless the POS accepts half an authentication
   * - `disbelieved`: the callback fails verification, and nothing is charged
   * - `silence`: the gate never sends a callback
   * - `unsure`: the bank refuses the charge
   */
  expected: 'paid' | 'refused' | 'half' | 'disbelieved' | 'silence' | 'unsure'
}

const paid: LocalizedText = { tr: 'Ödeme tamamlanır.', en: 'The payment is paid.' }
const refused: LocalizedText = {
  tr: 'Kart hamili doğrulanmaz; ödeyen yeniden deneyebilir.',
  en: 'The payer is not authenticated, and can try again.',
}
const half: LocalizedText = {
  tr: 'POS yarım doğrulamayı (`accept_half_3d`) kabul etmiyorsa reddedilir.',
  en: 'The payment is refused, unless the POS accepts it (`accept_half_3d`).',
}
const disbelieved: LocalizedText = {
  tr: 'Yanıt kabul edilmez, para çekilmez.',
  en: 'The service does not accept the answer. Nothing is charged.',
}
const silence: LocalizedText = {
  tr: 'Banka ödeyeni geri göndermez; sayfanın süresi dolar.',
  en: 'The bank never sends the payer back. The page expires.',
}
const unsure: LocalizedText = {
  tr: 'Beklemede kalır, bankaya sorulur; para çekilmemiştir.',
  en: 'The payment stays pending while the service inquires at the bank. No money was taken.',
}

const outcomes = { paid, refused, half, disbelieved, silence, unsure }

type CardRow = [
  number: string,
  does: LocalizedText,
  expected: NestpayCard['expected'],
  rule: Partial<GateRule>,
]

const rows: readonly CardRow[] = [
  [
    '5451030000000018',
    { tr: 'Sormadan doğrular (mdStatus 1).', en: 'Authenticates without a code (mdStatus 1).' },
    'paid',
    {},
  ],
  [
    '5451030000000109',
    {
      tr: 'Kod sorar, sonra doğrular (mdStatus 1).',
      en: 'Asks for a code, then authenticates (mdStatus 1).',
    },
    'paid',
    { isChallenged: true },
  ],
  [
    '5451030000001008',
    { tr: 'Doğrulama başarısız (mdStatus 0).', en: 'Authentication failed (mdStatus 0).' },
    'refused',
    { mdStatus: '0' },
  ],
  [
    '5451030000001024',
    {
      tr: 'Kart veya bankası 3D Secure’e kayıtlı değil (mdStatus 2).',
      en: 'The card or its bank is not enrolled in 3-D Secure (mdStatus 2).',
    },
    'half',
    { mdStatus: '2' },
  ],
  [
    '5451030000001032',
    {
      tr: 'Kartın bankası 3D Secure’e kayıtlı değil (mdStatus 3).',
      en: 'The card’s bank is not enrolled in 3-D Secure (mdStatus 3).',
    },
    'half',
    { mdStatus: '3' },
  ],
  [
    '5451030000001040',
    { tr: 'Doğrulama denendi (mdStatus 4).', en: 'Authentication was attempted (mdStatus 4).' },
    'half',
    { mdStatus: '4' },
  ],
  [
    '5451030000001057',
    { tr: 'Doğrulama yapılamıyor (mdStatus 5).', en: 'Authentication is not possible (mdStatus 5).' },
    'refused',
    { mdStatus: '5' },
  ],
  [
    '5451030000001065',
    { tr: '3D Secure hatası (mdStatus 6).', en: '3-D Secure error (mdStatus 6).' },
    'refused',
    { mdStatus: '6' },
  ],
  [
    '5451030000001073',
    { tr: 'Sistem hatası (mdStatus 7).', en: 'System error (mdStatus 7).' },
    'refused',
    { mdStatus: '7' },
  ],
  [
    '5451030000001081',
    { tr: 'Bilinmeyen kart (mdStatus 8).', en: 'Unknown card (mdStatus 8).' },
    'refused',
    { mdStatus: '8' },
  ],
  [
    '5451030000002014',
    { tr: 'Doğrular, yanıtı yanlış imzalar.', en: 'Authenticates. The signature of its answer is wrong.' },
    'disbelieved',
    { trick: 'wrong hash' },
  ],
  [
    '5451030000002022',
    {
      tr: 'Doğrular, yanıtta 1,00 fazla tutar bildirir.',
      en: 'Authenticates. Its answer has an amount that is 1.00 more.',
    },
    'disbelieved',
    { trick: 'other amount' },
  ],
  [
    '5451030000002030',
    {
      tr: 'Doğrular, yanıtta başka bir sipariş numarası bildirir.',
      en: 'Authenticates. Its answer has another order number.',
    },
    'disbelieved',
    { trick: 'other order' },
  ],
  [
    '5451030000002048',
    {
      tr: 'Doğrular, yanıtta başka bir para birimi bildirir.',
      en: 'Authenticates. Its answer has another currency.',
    },
    'disbelieved',
    { trick: 'other currency' },
  ],
  [
    '5451030000002055',
    {
      tr: 'Doğrular, yanıtta başka bir taksit sayısı bildirir.',
      en: 'Authenticates. Its answer has another number of installments.',
    },
    'disbelieved',
    { trick: 'other installments' },
  ],
  [
    '5451030000003012',
    { tr: 'Doğrular, yanıtı iki kez gönderir.', en: 'Authenticates. Sends its answer twice.' },
    'paid',
    { trick: 'doubled' },
  ],
  [
    '5451030000003020',
    { tr: 'Doğrular, yanıtta mdStatus yoktur.', en: 'Authenticates. Its answer has no mdStatus.' },
    'refused',
    { trick: 'no status' },
  ],
  ['5451030000003038', { tr: 'Yanıt göndermez.', en: 'Sends no answer.' }, 'silence', { trick: 'never' }],
  [
    '5451030000003046',
    { tr: 'Doğrular, yanıtı ISO-8859-9 ile gönderir.', en: 'Authenticates. Sends its answer in ISO-8859-9.' },
    'paid',
    { trick: 'latin5' },
  ],
  [
    '5451030000003053',
    { tr: 'Doğrular, kullanılmış bir XID verir.', en: 'Authenticates. Gives an XID that was already used.' },
    'unsure',
    { trick: 'used xid' },
  ],
]

/** Every card for which the gate has a rule. */
export const nestpayCards: readonly NestpayCard[] = rows.map(([number, does, expected, rule]) => ({
  number,
  does,
  outcome: outcomes[expected],
  expected,
  isChallenged: false,
  mdStatus: '1',
  ...rule,
}))

const rules = new Map<string, GateRule>([
  // Cards of the issuer's rules pass the gate without a challenge.
  ...cards
    .filter(({ declines, fault }) => declines || fault)
    .map(({ number }): [string, GateRule] => [number, { isChallenged: false, mdStatus: '1' }]),
  ...nestpayCards.map((card): [string, GateRule] => [card.number, card]),
])

/** Rule for a card. Without one, the payer is asked for a code. */
export function gateRuleFor(pan: SecretPan): GateRule {
  return rules.get(pan.reveal()) ?? { isChallenged: true, mdStatus: '1' }
}
