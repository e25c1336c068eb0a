import type { TransactionCode } from '../server/transaction-codes/index.ts'
import { retryTexts, transactionCodes } from '../server/transaction-codes/index.ts'

/** The page docs/integrate/transaction-codes.md, from the codes that the program knows. */
export function transactionCodesPage(): string {
  const codes = transactionCodes()
  const from = (...sources: TransactionCode['source'][]) =>
    codes.filter(({ source }) => sources.includes(source))
  const threeDs = from('three_ds')
  const own = threeDs.filter(({ code }) => !/^3DS-[A-Z](-|$)/.test(code))
  return `# Transaction codes

<!-- Written by scripts/transaction-codes-page.ts from the codes in the program. -->

\`transaction_code\` is the last answer to a payment: of the bank, of 3-D Secure, or of Vezne. This page says what each code
means, what the payer saw, what to do, and if another try makes sense. \`vezne explain 51\` prints the same for one code.

- A code is not an outcome. \`transaction_status\` says if the payment has ended. While it is \`pending\`, the payer can try again.
- \`transaction_code\` is null before the first answer, and while a bank is asked.
- A bank can answer codes that are not listed here. Treat an unknown code as a decline, and ask the bank for its meaning.
- The payer never reads that a card is lost, stolen or suspected of fraud. Do not tell the payer either.

## Issuing banks

Two characters, as ISO 8583 defines them. The card's bank decides.

${table(from('issuer').toSorted((a, b) => a.code.localeCompare(b.code)))}

## Banks on NestPay

Codes of the bank's gateway. It publishes no meaning for most of them, so this table has the meaning that Vezne gives to them.

${table(from('nestpay'))}

## 3-D Secure

\`3DS-\` is followed by a status and, in most cases, by a reason of two digits: \`3DS-N-11\` has the status \`N\` and the
reason \`11\`. Nothing was charged.

${table(threeDs.filter(({ code }) => /^3DS-[A-Z]$/.test(code)))}

The reasons are those of EMV 3DS. Reasons from 80 on belong to the card scheme.

${table(reasonsOf(threeDs))}

Without an answer of the card's bank the code is one of these:

${table(own)}

## 3-D Secure on the bank's own page

Banks on NestPay authenticate the payer on their own page. The part after \`3DS-\` is the bank's code. Nothing was charged.

${table(from('bank_page'))}

## Vezne

${table(from('vezne'))}

## The sandbox

The sandbox bank answers the codes of issuing banks, and these:

${table(from('sandbox'))}

## Attempts

These codes are not in the API. \`vezne payment show\` prints them for an attempt that ended before a bank was asked for money.

${table(from('attempt'))}
`
}

/** Reasons once, without the status that each of them follows. */
function reasonsOf(threeDs: readonly TransactionCode[]): TransactionCode[] {
  const status = threeDs.find(({ code }) => code === '3DS-N')?.meaning.en ?? ''
  return threeDs
    .filter(({ code }) => code.startsWith('3DS-N-'))
    .map((reason) => ({
      ...reason,
      code: `3DS-…-${reason.code.slice(-2)}`,
      meaning: { ...reason.meaning, en: reason.meaning.en.slice(status.length + 1) },
    }))
}

/** Codes that share every text share a row. */
function table(codes: readonly TransactionCode[]): string {
  const rows = Map.groupBy(codes, ({ meaning, payer, action, retry }) =>
    [meaning.en, payer?.en ?? 'No text.', action.en, retryTexts[retry].en].join(' | '),
  )
  const lines = [...rows].map(
    ([texts, members]) => `| ${members.map(({ code }) => `\`${code}\``).join(', ')} | ${texts} |`,
  )
  return ['| code | meaning | payer saw | what to do | try again |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
