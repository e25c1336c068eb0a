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
  ...reasonOf('not_permitted_to_terminal', [
    'CORE-2105',
    'CORE-2126',
    'CORE-2201',
    'CORE-2202',
    'CORE-2252',
    'CORE-2254',
    'CORE-2255',
    'CORE-2256',
    'CORE-2517',
  ]),
  ...reasonOf('invalid_transaction', [
    'CORE-1023',
    'CORE-2001',
    'CORE-2009',
    'CORE-2011',
    'CORE-2012',
    'CORE-2015',
    'CORE-2106',
    'CORE-2119',
    'CORE-2124',
    'CORE-2204',
    'CORE-2316',
    'CORE-2503',
    'CORE-2505',
    'CORE-2506',
    'CORE-2512',
    'CORE-2513',
    'CORE-2514',
    'CORE-2601',
    'CORE-2603',
  ]),
  ...reasonOf('nothing_to_undo', [
    'CORE-2008',
    'CORE-2115',
    'CORE-2116',
    'CORE-2117',
    'CORE-2120',
    'CORE-2122',
    'CORE-2123',
    'CORE-2504',
    'CORE-2509',
    '215021',
  ]),
  ...reasonOf('authentication_failed', ['CORE-2121', 'CORE-2206']),
  ...reasonOf('suspected_fraud', ['CORE-2250', 'CORE-2251', 'CORE-2253']),
  ...reasonOf('duplicate_reference', ['CORE-2016', 'CORE-2127', 'CORE-2302', 'CORE-2304', 'CORE-2507']),
  'CORE-2010': 'expired_card',
  'CORE-2508': 'not_settled_yet',
  'CORE-2515': 'wrong_cvc',
}

function reasonOf(reason: DeclineReason, codes: readonly string[]): Record<string, DeclineReason> {
  return Object.fromEntries(codes.map((code) => [code, reason]))
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

const pageError: AuthenticationCode = {
  meaning: {
    tr: 'Bankanın sayfası bir hata bildirdi. Kodun devamı bankanın kendi kodudur.',
    en: 'The bank’s page reported an error. The rest of the code is the bank’s own.',
  },
  retry: 'later',
}

/** Values of `mdStatus`, and the beginning of the error codes, with which the bank's page returns a payer who is not authenticated. */
export const nestpayAuthenticationCodes: Readonly<Record<string, AuthenticationCode>> = {
  '0': {
    meaning: {
      tr: 'Banka kart hamilini doğrulamadı veya kart hamili vazgeçti.',
      en: 'The bank did not authenticate the cardholder, or the payer cancelled.',
    },
    retry: 'same_card',
  },
  '1': {
    meaning: {
      tr: 'Banka kart hamilini doğruladı, ancak doğrulamanın kanıtı eksik.',
      en: 'The bank authenticated the cardholder, but the proof is incomplete.',
    },
    retry: 'same_card',
  },
  '2': {
    meaning: {
      tr: 'Kart veya bankası 3D Secure hizmetine kayıtlı değil.',
      en: 'The card or its bank is not enrolled in 3-D Secure.',
    },
    retry: 'other_card',
  },
  '3': {
    meaning: {
      tr: 'Kartın bankası 3D Secure hizmetine kayıtlı değil.',
      en: 'The issuing bank is not enrolled in 3-D Secure.',
    },
    retry: 'other_card',
  },
  '4': {
    meaning: {
      tr: 'Doğrulama denendi; kart hamili henüz 3D Secure hizmetine kayıtlı değil.',
      en: 'Authentication was attempted; the cardholder is not enrolled yet.',
    },
    retry: 'other_card',
  },
  '5': {
    meaning: { tr: 'Doğrulama şu anda yapılamıyor.', en: 'Authentication is not possible at the moment.' },
    retry: 'later',
  },
  '6': { meaning: { tr: '3D Secure hatası.', en: '3-D Secure error.' }, retry: 'later' },
  '7': {
    meaning: {
      tr: 'Bankada sistem hatası oluştu veya POS ayarı hatalı.',
      en: 'System error at the bank, or a wrong setting of the POS.',
    },
    retry: 'later',
  },
  '8': {
    meaning: { tr: 'Banka kartı tanımıyor.', en: 'The bank does not know the card.' },
    retry: 'other_card',
  },
  'HPP-…': pageError,
  '3D-…': pageError,
  'MPI-…': pageError,
  'CORE-…': pageError,
}
