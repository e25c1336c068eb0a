import type { TransactionCodeRow } from '../server/transaction-codes/index.ts'
import { retryTexts, transactionCodeRows } from '../server/transaction-codes/index.ts'

/** The page docs/integrate/transaction-codes.md, from the codes that the program knows. */
export function transactionCodesPage(): string {
  const rows = transactionCodeRows()
  return `# Transaction codes

<!-- Written by scripts/transaction-codes-page.ts from the codes in the program. -->

\`transaction_code\` is the last response to a payment: from the bank, from 3-D Secure, or from Vezne. This page says for
each code what it means, what the payer saw, what to do, and if another attempt makes sense. \`vezne explain 51\` prints the same for one code.

- A code is not an outcome. \`transaction_status\` says if the payment has ended. While it is \`pending\`, send the
  payer to the same payment page. It shows the form if another attempt is possible. Do not start a second payment.
- \`transaction_code\` is null before the first response, while a bank is asked, if the bank was not reached, after a
  reversal, and after you release a pre-authorization.
- A bank can use codes that are not listed here. Treat an unknown code as a decline, and ask the bank for its meaning.
- The payer never reads that a card is lost, stolen or suspected of fraud. Do not tell the payer either.

## Issuing banks

Two characters, as ISO 8583 defines them. The card's bank decides. The codes \`09\`, \`68\`, \`96\` and \`99\` appear only in
\`vezne payment show\`: while an outcome is unknown, \`transaction_code\` is null.

${table(rows.issuer)}

## Banks on NestPay

Codes of the bank's gateway. The gateway publishes no meaning for most of them. The table shows how Vezne treats
each code.

${table(rows.nestpay)}

## 3-D Secure

\`3DS-\` is followed by a status and, in most cases, by a reason of two digits: \`3DS-N-11\` has the status \`N\` and the
reason \`11\`. Nothing was charged.

${table(rows.three_ds_status)}

The reasons are those of EMV 3DS. Reasons from 80 on belong to the card scheme.

${table(rows.three_ds_reason)}

If the card's bank sent no usable response, the code is one of these:

${table(rows.three_ds_own)}

## 3-D Secure on the bank's own page

Banks on NestPay authenticate the payer on their own page. The part after \`3DS-\` is the bank's code. Nothing was charged.

${table(rows.bank_page)}

## Vezne

${table(rows.vezne)}

## The sandbox

The sandbox bank uses the codes of issuing banks, and these:

${table(rows.sandbox)}

## Attempts

These codes are not in the API. \`vezne payment show\` prints them for an attempt that ended before a bank was asked for money.

${table(rows.attempt)}
`
}

function table(rows: readonly TransactionCodeRow[]): string {
  const lines = rows.map(({ shown, meaning, payer, action, retry }) => {
    const codes = shown.map((code) => `\`${code}\``).join(', ')
    return `| ${[codes, meaning.en, payer?.en ?? 'No text.', action.en, retryTexts[retry].en].join(' | ')} |`
  })
  return ['| code | meaning | payer saw | what to do | try again |', '|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
