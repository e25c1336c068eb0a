import { command } from '../kit/command-line/command.ts'
import { wrappedText } from '../kit/command-line/text-table.ts'
import { choiceField, objectSchema, optional, textField } from '../kit/input/fields.ts'
import type { Refusal } from '../kit/input/refusals.ts'
import type { LocalizedText } from '../kit/text/locale.ts'
import { languages } from '../kit/text/locale.ts'
import { allRefusals } from './api.ts'
import type { TransactionCode } from './transaction-codes/index.ts'
import { retryTexts, transactionCodeOf } from './transaction-codes/index.ts'

/** Prints the meaning of a code and what to do. Needs no database. */
export const explainCodeCommand = command({
  positionals: ['code'],
  input: objectSchema({
    code: textField('A transaction_code, the code of an attempt, or an error_code of the API.', { max: 40 }),
    language: optional(choiceField('Language of the texts. Default: English.', languages)),
  }),
  run: (_context: unknown, { code, language = 'en' }, print) => {
    const explanations = explanationsOf(code)
    if (explanations.length === 0) throw new Error(`This code is unknown. ${whereCodesAre}`)
    const width = Math.max(...explanations.flat().map(([label]) => label[language].length)) + 2
    const blocks = explanations.map((rows) =>
      rows
        .map(([label, value]) => wrappedText(label[language].padEnd(width) + value[language], width))
        .join('\n'),
    )
    print(blocks.join('\n\n'))
  },
})

const whereCodesAre =
  'All codes are in docs/integrate/transaction-codes.md and docs/errors.md. A bank can have codes of its own: ask the bank.'

type Row = [label: LocalizedText, value: LocalizedText]

/** A code can be a transaction's, and it can stand for several errors of the API, which differ in their status. */
function explanationsOf(code: string): Row[][] {
  const known = transactionCodeOf(code) ?? transactionCodeOf(code.toUpperCase())
  const errors = allRefusals().filter((refusal) => String(refusal.code) === code)
  return [...(known ? [rowsOf(known)] : []), ...errors.map(rowsOfError)]
}

function rowsOf({ code, source, meaning, payer, action, retry }: TransactionCode): Row[] {
  return [
    [{ tr: 'kod', en: 'code' }, inBoth(code)],
    [{ tr: 'kaynağı', en: 'from' }, sourceTexts[source]],
    [{ tr: 'anlamı', en: 'meaning' }, meaning],
    [
      { tr: 'ödeyene gösterilen', en: 'payer saw' },
      payer ?? { tr: 'Bir metin gösterilmez.', en: 'No text.' },
    ],
    [{ tr: 'yapılacak', en: 'what to do' }, action],
    [{ tr: 'yeniden denenir mi', en: 'try again' }, retryTexts[retry]],
  ]
}

function rowsOfError({ code, status, when, ...message }: Refusal): Row[] {
  return [
    [{ tr: 'hata kodu', en: 'error code' }, inBoth(code)],
    [{ tr: 'HTTP durumu', en: 'HTTP status' }, inBoth(status)],
    [{ tr: 'ne zaman', en: 'when' }, when],
    [{ tr: 'mesaj', en: 'message' }, message],
  ]
}

function inBoth(value: string | number): LocalizedText {
  return { tr: String(value), en: String(value) }
}

const sourceTexts: Readonly<Record<TransactionCode['source'], LocalizedText>> = {
  issuer: { tr: 'Kartı veren banka (ISO 8583).', en: 'The issuing bank (ISO 8583).' },
  nestpay: { tr: 'NestPay kullanan bankanın sistemi.', en: 'The gateway of a bank on NestPay.' },
  sandbox: { tr: 'Sandbox bankası.', en: 'The sandbox bank.' },
  three_ds: { tr: '3D Secure doğrulaması.', en: 'The 3-D Secure authentication.' },
  bank_page: { tr: 'Bankanın kendi 3D Secure sayfası.', en: 'The bank’s own 3-D Secure page.' },
  vezne: { tr: 'Vezne.', en: 'Vezne.' },
  attempt: {
    tr: 'Vezne. Bir denemenin kodudur; yalnızca `vezne payment show` gösterir.',
    en: 'Vezne. It is the code of an attempt; only `vezne payment show` prints it.',
  },
}
