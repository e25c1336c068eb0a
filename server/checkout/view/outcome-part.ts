import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import { displayPhone } from '../../../kit/text/phone.ts'
import type { Config } from '../../config.ts'
import { pageBasePathOf } from '../files/assets.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { hiddenUnless, textsIn } from '../texts/part.ts'
import { interpolate } from '../texts/texts.ts'
import { multiStateStatusIcon } from './icons.ts'

/** Outcome or progress of a payment, with its receipt. */
export function outcomePart(config: Config, visitor: VisitedPageContext, pageState: PageState): Html {
  const { merchant, payment, language, page } = visitor
  const texts = textsIn[language]
  const { view, title, text, receipt, returnUrl, leaves, isReleased } = pageState
  const save = `${pageBasePathOf(config)}/p/${page}/receipt`
  const seller = { merchant: merchant.name }
  return html`<section id="outcome" class="outcome" data-view="${view}"${isReleased ? html` data-released` : undefined}${hiddenUnless(view !== 'form')}>
<div class="outcome-sign">${multiStateStatusIcon}</div>
<h2 id="outcome-title" tabindex="-1">${title ?? undefined}</h2>
<p id="outcome-text" role="status">${text ?? undefined}</p>
<dl id="receipt" class="receipt" aria-label="${texts.receipt}"${hiddenUnless(receipt.length > 0)}>${receipt.map(
    ({ name, label, value }) => html`<div data-line="${name}"><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>
<div id="receipt-actions" class="receipt-actions"${hiddenUnless(receipt.length > 0)}>
<button id="copy-id" type="button" class="quiet" data-id="${payment.id}" data-done="${texts.copied}">${texts.copy}</button>
<button id="print" type="button" class="quiet">${texts.print}</button>
<a class="quiet" href="${save}" download>${texts.save}</a>
</div>
<p id="leaving" class="muted"${hiddenUnless(leaves)}>${interpolate(texts.leaving, seller)}</p>
<p class="way"><a id="return" class="button" href="${returnUrl ?? '#'}"${hiddenUnless(returnUrl !== null)}>${interpolate(texts.back, seller)}</a></p>
${contactPart(visitor)}
<p id="transaction" class="muted"${hiddenUnless(receipt.length === 0)}>${texts.transaction}: <span class="id">${payment.id}</span></p>
</section>`
}

/** Addresses at which the payer reaches the seller; nothing if the merchant has set neither address nor number. */
export function contactPart({ merchant, payment, language }: VisitedPageContext): Html | undefined {
  const { supportEmail, supportPhone } = merchant
  if (supportEmail === null && supportPhone === null) return undefined
  const { questions, transaction } = textsIn[language]
  const subject = encodeURIComponent(`${transaction} ${payment.id}`)
  return html`<p class="contact">${questions} ${
    supportEmail === null
      ? undefined
      : html`<a href="mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}?subject=${subject}">${supportEmail}</a> `
  }${supportPhone === null ? undefined : html`<a href="tel:${supportPhone}">${displayPhone(supportPhone)}</a>`}</p>`
}
