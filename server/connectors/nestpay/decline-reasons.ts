import type { LocalizedText } from '../../../kit/text/locale.ts'
import type { AuthenticationCode, DeclineCode, DeclineReason } from '../contract/contract.ts'
import { issuerDeclineCodes } from '../contract/issuer-codes.ts'

/** Codes that are no decline by an issuer: approval, and error of the gateway itself. */
export const approvedCode = '00'
export const gatewayErrorCode = '99'

/** Codes that do not say if money moved: the charge may still have been made. */
export const nestpayUnknownCodes: Readonly<Record<string, LocalizedText>> = {
  '09': { tr: 'Banka işlemi hâlâ yürütüyor.', en: 'The bank still processes the transaction.' },
  '68': { tr: 'Bankanın yanıtı geç geldi.', en: 'The bank’s response came too late.' },
  '96': { tr: 'Bankada sistem hatası oluştu.', en: 'The bank had a system malfunction.' },
  [gatewayErrorCode]: {
    tr: 'Bankanın sistemi, sonucu belirtmeyen bir hata bildirdi.',
    en: 'The bank’s gateway reported an error that does not tell the outcome.',
  },
}

/** Issuer's decline reason; undefined if the code is no certain decline. */
export function issuerDeclineReason(code: string): DeclineReason | undefined {
  if (code === approvedCode || Object.hasOwn(nestpayUnknownCodes, code)) return undefined
  return issuerDeclineCodes[code]?.reason ?? 'other'
}

/**
 * Gateway errors found before the issuer is asked: nothing was charged. Later errors, such as a broken
 * connection to the host (BM-…, CORE-27xx to CORE-30xx), are left out on purpose.
 */
const byGatewaysCode: Readonly<Record<string, DeclineReason>> = {
  ...coreErrors('not_permitted_to_terminal', [2105, 2126, 2201, 2202, 2252, 2254, 2255, 2256, 2517]),
  ...coreErrors(
    'invalid_transaction',
    [
      1023, 2001, 2009, 2011, 2012, 2015, 2106, 2119, 2124, 2204, 2316, 2503, 2505, 2506, 2512, 2513, 2514,
      2601, 2603,
    ],
  ),
  ...coreErrors('nothing_to_undo', [2008, 2115, 2116, 2117, 2120, 2122, 2123, 2504, 2509]),
  '215021': 'nothing_to_undo',
  ...coreErrors('authentication_failed', [2121, 2206]),
  ...coreErrors('suspected_fraud', [2250, 2251, 2253]),
  ...coreErrors('duplicate_reference', [2016, 2127, 2302, 2304, 2507]),
  ...coreErrors('expired_card', [2010]),
  ...coreErrors('not_settled_yet', [2508]),
  ...coreErrors('wrong_cvc', [2515]),
}

function coreErrors(reason: DeclineReason, numbers: readonly number[]): Record<string, DeclineReason> {
  return Object.fromEntries(numbers.map((number) => [`CORE-${number}`, reason]))
}

/**
 * Gateway's decline reason; undefined if the error is no certain decline. An authentication that was already
 * used is also recognised by its message, because banks give it different codes.
 */
export function gatewayDeclineReason(errorCode: string, message: string): DeclineReason | undefined {
  const issuers = /^ISO8583-(\w\w)$/.exec(errorCode)?.[1]
  if (issuers !== undefined) return issuerDeclineReason(issuers)
  if (Object.hasOwn(byGatewaysCode, errorCode)) return byGatewaysCode[errorCode]
  return /\bXID\b.*kullan[ıi]lm[ıi][sş]/i.test(message) ? 'duplicate_reference' : undefined
}

/** Codes by which a bank on NestPay declines. The gateway's documents give its own codes no texts that could be cited. */
export const nestpayDeclineCodes: Readonly<Record<string, DeclineCode>> = {
  ...issuerDeclineCodes,
  ...Object.fromEntries(Object.entries(byGatewaysCode).map(([code, reason]) => [code, { reason }])),
}

const pageError = unauthenticated(
  'later',
  'Bankanın sayfası bir hata bildirdi. Kodun devamı bankanın kendi kodudur.',
  'The bank’s page reported an error. The rest of the code is the bank’s own.',
)

/** Values of `mdStatus`, and the beginning of the error codes, with which the bank's page returns a payer who is not authenticated. */
export const nestpayAuthenticationCodes: Readonly<Record<string, AuthenticationCode>> = {
  '0': unauthenticated(
    'same_card',
    'Banka kart hamilini doğrulamadı veya kart hamili vazgeçti.',
    'The bank did not authenticate the cardholder, or the payer cancelled.',
  ),
  '1': unauthenticated(
    'same_card',
    'Banka kart hamilini doğruladı, ancak doğrulamanın kanıtı eksik.',
    'The bank authenticated the cardholder, but the proof is incomplete.',
  ),
  '2': unauthenticated(
    'other_card',
    'Kart veya bankası 3D Secure hizmetine kayıtlı değil.',
    'The card or its bank is not enrolled in 3-D Secure.',
  ),
  '3': unauthenticated(
    'other_card',
    'Kartın bankası 3D Secure hizmetine kayıtlı değil.',
    'The issuing bank is not enrolled in 3-D Secure.',
  ),
  '4': unauthenticated(
    'other_card',
    'Doğrulama denendi; kart hamili henüz 3D Secure hizmetine kayıtlı değil.',
    'Authentication was attempted; the cardholder is not enrolled yet.',
  ),
  '5': unauthenticated(
    'later',
    'Doğrulama şu anda yapılamıyor.',
    'Authentication is not possible at the moment.',
  ),
  '6': unauthenticated('later', '3D Secure hatası.', '3-D Secure error.'),
  '7': unauthenticated(
    'later',
    'Bankada sistem hatası oluştu veya POS ayarı hatalı.',
    'System error at the bank, or a wrong setting of the POS.',
  ),
  '8': unauthenticated('other_card', 'Banka kartı tanımıyor.', 'The bank does not know the card.'),
  'HPP-…': pageError,
  '3D-…': pageError,
  'MPI-…': pageError,
  'CORE-…': pageError,
}

function unauthenticated(retry: AuthenticationCode['retry'], tr: string, en: string): AuthenticationCode {
  return { meaning: { tr, en }, retry }
}
