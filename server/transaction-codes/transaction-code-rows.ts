import type { LocalizedText } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import type { DeclineAdvice } from './decline-advice.ts'
import type { TransactionCode } from './transaction-code.ts'
import { transactionCodes } from './transaction-code.ts'

/** Codes that share every text, as one row of a table. */
export interface TransactionCodeRow extends DeclineAdvice {
  /** Codes as a reader sees them: `3DS-…-11` stands for every status with the reason 11. */
  shown: string[]
  codes: string[]
  payer: LocalizedText | undefined
}

export type TransactionCodeSection =
  | Exclude<TransactionCode['source'], 'three_ds'>
  | 'three_ds_status'
  | 'three_ds_reason'
  | 'three_ds_own'

/** Rows of each section, in the order of the documents. */
export function transactionCodeRows(): Record<TransactionCodeSection, TransactionCodeRow[]> {
  const codes = transactionCodes()
  const from = (source: TransactionCode['source']) => codes.filter((code) => code.source === source)
  const threeDs = Object.groupBy(from('three_ds'), ({ code }) =>
    /^3DS-[NRUI]$/.test(code) ? 'status' : /^3DS-[NRUI]-/.test(code) ? 'reason' : 'own',
  )
  return {
    issuer: grouped(from('issuer').toSorted((a, b) => a.code.localeCompare(b.code))),
    nestpay: grouped(from('nestpay')),
    three_ds_status: grouped(threeDs.status ?? []),
    three_ds_reason: reasonRows(threeDs.status ?? [], threeDs.reason ?? []),
    three_ds_own: grouped(threeDs.own ?? []),
    bank_page: grouped(from('bank_page')),
    vezne: grouped(from('vezne')),
    sandbox: grouped(from('sandbox')),
    attempt: grouped(from('attempt')),
  }
}

function grouped(codes: readonly TransactionCode[]): TransactionCodeRow[] {
  const rows = Map.groupBy(codes, ({ meaning, payer, action, retry }) =>
    [meaning.en, payer?.en, action.en, retry].join('\n'),
  )
  return [...rows.values()].flatMap((members) => {
    const names = members.map(({ code }) => code)
    return members.slice(0, 1).map((first) => ({ ...first, shown: names, codes: names }))
  })
}

/** Reasons once, without the status that each of them follows. */
function reasonRows(
  statuses: readonly TransactionCode[],
  reasons: readonly TransactionCode[],
): TransactionCodeRow[] {
  const rows = Map.groupBy(reasons, ({ code }) => code.slice(-2))
  return [...rows].flatMap(([digits, members]) => {
    const codes = members.map(({ code }) => code)
    return members.slice(0, 1).map((first) => {
      const status = statuses.find(({ code }) => first.code.startsWith(`${code}-`))?.meaning
      const [tr = '', en = ''] = languages.map((language) =>
        first.meaning[language].slice((status?.[language].length ?? 0) + 1),
      )
      return { ...first, meaning: { tr, en }, shown: [`3DS-…-${digits}`], codes }
    })
  })
}
