import type { Html } from '../../kit/text/html.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import type { TransactionCodeRow, TransactionCodeSection } from '../transaction-codes/index.ts'
import { retryTexts, transactionCodeRows } from '../transaction-codes/index.ts'
import type { RenderContext } from './field-list.ts'

/** Sections on the page. Codes of attempts are missing: the API never answers them. */
const sections = [
  'issuer',
  'nestpay',
  'three_ds_own',
  'three_ds_status',
  'three_ds_reason',
  'bank_page',
  'vezne',
  'sandbox',
] as const satisfies readonly TransactionCodeSection[]

/** Every `transaction_code` with its meaning and with advice, so that a search finds it. */
export function transactionCodeSection(context: RenderContext): Html {
  const { text } = context
  const rows = transactionCodeRows()
  const parts = sections.map(
    (section) => html`<h3>${text(`codes_${section}`)}</h3>${codeTable(context, rows[section])}`,
  )
  return html`
<section class="entry" id="codes">
<div class="text wide">
<h2><a class="anchor" href="#codes">${text('codes')}</a></h2>
<p>${htmlWithBackticksAsCode(text('codesText'))}</p>
${parts}
</div>
</section>`
}

function codeTable({ text, language }: RenderContext, rows: readonly TransactionCodeRow[]): Html {
  const lines = rows.map(({ shown, codes, meaning, action, retry }) => {
    const names = shown.map((code) => html`<code>${code}</code> `)
    const advice = html`<p>${htmlWithBackticksAsCode(`${meaning[language]} ${action[language]}`)}</p>`
    return html`<tr id="code.${codes[0]}" data-code="${codes.join(' ')}"><td>${names}</td><td data-label="${text('tryAgain')}:">${retryTexts[retry][language]}</td><td>${advice}</td></tr>`
  })
  return html`<table class="refusals codes"><thead><tr><th scope="col">${text('code')}</th><th scope="col">${text('tryAgain')}</th><th scope="col">${text('meaning')}</th></tr></thead><tbody>${lines}</tbody></table>`
}
