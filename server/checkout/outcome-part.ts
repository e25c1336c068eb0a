import type { Html } from '../kit/html.ts'
import { html } from '../kit/html.ts'
import { hiddenUnless } from './part.ts'
import { sign } from './signs.ts'
import type { Standing } from './standing.ts'
import type { Visitor } from './visitor.ts'
import { filled, words } from './words.ts'

/** What came of it, or that somebody is being asked; and what the payer may keep of it. */
export function outcomePart({ merchant, payment, language }: Visitor, standing: Standing): Html {
  const say = (word: keyof typeof words) => words[word][language]
  const { view, title, text, receipt, returnUrl, leaves } = standing
  const seller = { merchant: merchant.name }
  return html`<section id="outcome" class="outcome" data-view="${view}"${hiddenUnless(view !== 'form')}>
<div class="outcome-sign">${sign}</div>
<h2 id="outcome-title" tabindex="-1">${title ?? undefined}</h2>
<p id="outcome-text" role="status">${text ?? undefined}</p>
<dl id="receipt" class="receipt" aria-label="${say('receipt')}"${hiddenUnless(receipt.length > 0)}>${receipt.map(
    ({ name, label, value }) => html`<div data-line="${name}"><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>
<div id="receipt-deeds" class="deeds"${hiddenUnless(receipt.length > 0)}>
<button id="copy-id" type="button" class="quiet" data-id="${payment.id}" data-done="${say('copied')}">${say('copy')}</button>
<button id="print" type="button" class="quiet">${say('print')}</button>
</div>
<p id="leaving" class="muted"${hiddenUnless(leaves)}>${filled(say('leaving'), seller)}</p>
<p class="way"><a id="return" class="button" href="${returnUrl ?? '#'}"${hiddenUnless(returnUrl !== null)}>${filled(say('back'), seller)}</a></p>
<p id="transaction" class="muted"${hiddenUnless(receipt.length === 0)}>${say('transaction')}: <span class="id">${payment.id}</span></p>
</section>`
}
