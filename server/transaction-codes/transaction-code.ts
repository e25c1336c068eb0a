import type { LocalizedText } from '../../kit/text/locale.ts'
import { failedAttemptText } from '../checkout/index.ts'
import type { DeclineCode, DeclineReason } from '../connectors/index.ts'
import { connectors } from '../connectors/index.ts'
import type { ThreeDsCode } from '../three-ds/index.ts'
import { threeDsCodeOf, threeDsCodes } from '../three-ds/index.ts'
import { attemptCodes } from './attempt-codes.ts'
import type { DeclineAdvice, RetryAdvice } from './decline-advice.ts'
import { anotherAttempt, declineAdvice, otherCardOrBank } from './decline-advice.ts'

/** A code with everything a merchant's staff needs to know about it. */
export interface TransactionCode extends DeclineAdvice {
  code: string
  source: 'issuer' | 'nestpay' | 'sandbox' | 'three_ds' | 'bank_page' | 'vezne' | 'attempt'
  /** Text on the payment page; undefined if the payer is not there, or sees nothing. */
  payer: LocalizedText | undefined
}

export const retryTexts: Readonly<Record<RetryAdvice, LocalizedText>> = {
  same_card: { tr: 'Evet, aynı kartla.', en: 'Yes, with the same card.' },
  other_card: { tr: 'Başka bir kartla.', en: 'With another card.' },
  later: { tr: 'Daha sonra.', en: 'Later.' },
  never: { tr: 'Hayır.', en: 'No.' },
}

const threeDsActions: Readonly<Record<ThreeDsCode['retry'], LocalizedText>> = {
  same_card: anotherAttempt,
  other_card: otherCardOrBank,
  later: {
    tr: 'Ödeyenden biraz sonra yeniden denemesini isteyin.',
    en: 'Ask the payer to try again in a few minutes.',
  },
}

/** Every code in the order of the documents: approval, issuers, banks, 3-D Secure, banks' pages, ours, attempts. */
export function transactionCodes(): TransactionCode[] {
  return [approved, ...bankCodes(), ...threeDsCodes().map(fromThreeDs), ...bankPageCodes(), ...ourCodes()]
}

/**
 * One code as a merchant gets it. A two-character code that no table has is an issuer's own. Guarantee: a code that
 * is not of two characters comes from a table, so no input is repeated.
 */
export function transactionCodeOf(code: string): TransactionCode | undefined {
  const threeDs = threeDsCodeOf(code)
  if (threeDs) return fromThreeDs(threeDs)
  const known = transactionCodes().find((each) => isMeant(each.code, code))
  if (known) return known
  return /^[0-9A-Z]{2}$/.test(code) ? fromBank('issuer', code, { reason: 'other' }) : undefined
}

/** A listed code that ends in `…` stands for every code with its beginning. */
function isMeant(listed: string, code: string): boolean {
  return listed.endsWith('…')
    ? code.length > listed.length && code.startsWith(listed.slice(0, -1))
    : listed === code
}

const approved: TransactionCode = {
  code: '00',
  source: 'issuer',
  meaning: { tr: 'Onaylandı.', en: 'Approved.' },
  payer: undefined,
  action: { tr: 'Bir işlem yapmanız gerekmez.', en: 'No action is needed.' },
  retry: 'never',
}

/** Reasons that the payer never reads: of a capture, release or refund, or of a charge whose outcome is inquired. */
const unseenReasons: readonly DeclineReason[] = [
  'nothing_to_undo',
  'already_settled',
  'not_settled_yet',
  'sums_differ',
  'duplicate_reference',
]

function bankCodes(): TransactionCode[] {
  const codes = new Map<string, TransactionCode>()
  const inOrder = connectors.toSorted((a, b) => Number(b.mode === 'live') - Number(a.mode === 'live'))
  for (const { name, declineCodes, unknownCodes = {} } of inOrder) {
    for (const [code, meaning] of Object.entries(unknownCodes))
      codes.set(code, ofUnknownOutcome(code, meaning))
    for (const [code, decline] of Object.entries(declineCodes)) {
      const source = name === 'sandbox' ? 'sandbox' : /^\d\d$/.test(code) ? 'issuer' : 'nestpay'
      if (!codes.has(code)) codes.set(code, fromBank(source, code, decline))
    }
  }
  return [...codes.values()]
}

/** A second charge could take the money twice, so nobody is asked to try again. */
function ofUnknownOutcome(code: string, meaning: LocalizedText): TransactionCode {
  return {
    code,
    source: 'issuer',
    meaning: {
      tr: `${meaning.tr} Sonuç bilinmiyor: para çekilmiş olabilir.`,
      en: `${meaning.en} The outcome is unknown: money may have moved.`,
    },
    payer: undefined,
    action: {
      tr: 'Yeniden tahsil etmeyin: Vezne sonucu bankaya sorar. `vezne payment show` durumu gösterir.',
      en: 'Do not charge again: Vezne asks the bank for the outcome. `vezne payment show` shows the state.',
    },
    retry: 'never',
  }
}

function fromBank(
  source: TransactionCode['source'],
  code: string,
  { reason, meaning }: DeclineCode,
): TransactionCode {
  const advice = declineAdvice[reason]
  const isShown = !unseenReasons.includes(reason)
  const payer = isShown ? failedAttemptText({ state: 'declined', declineReason: reason, code }) : undefined
  return { ...advice, code, source, meaning: meaning ?? advice.meaning, payer }
}

function fromThreeDs({ code, meaning, payer, retry }: ThreeDsCode): TransactionCode {
  return { code, source: 'three_ds', meaning, payer, action: threeDsActions[retry], retry }
}

/** Codes of banks whose own page authenticates the payer. */
function bankPageCodes(): TransactionCode[] {
  const codes = new Map(
    connectors.flatMap(({ authenticationCodes = {} }) => Object.entries(authenticationCodes)),
  )
  return [...codes].map(([status, { meaning, retry }]) => {
    const code = `3DS-${status}`
    const payer = failedAttemptText({ state: 'declined', declineReason: 'authentication_failed', code })
    return { code, source: 'bank_page', meaning, payer, action: threeDsActions[retry], retry }
  })
}

function ourCodes(): TransactionCode[] {
  const attempts = Object.entries(attemptCodes).map(([code, advice]): TransactionCode => {
    const payer = failedAttemptText({ state: 'abandoned', declineReason: null, code })
    return { ...advice, code, source: 'attempt', payer }
  })
  return [notSupported, ...attempts]
}

const notSupported: TransactionCode = {
  code: 'not_supported',
  source: 'vezne',
  meaning: {
    tr: 'Bağlayıcı bu işlemi desteklemiyor; bankaya istek gönderilmedi.',
    en: 'The connector does not support this operation; no request was sent to the bank.',
  },
  payer: undefined,
  action: {
    tr: 'Hizmeti işletenlere bildirin: bu POS bu işlemi sunmuyor.',
    en: 'Tell the operator: this POS does not offer the operation.',
  },
  retry: 'never',
}
