import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Payment } from '../../payments/index.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { moneyText } from '../texts/money-text.ts'
import { hiddenUnless, textsIn } from '../texts/part.ts'

/** Seller, amount and items. On a phone it folds to one line with the seller and the total. */
export function orderPart(
  { payment, merchant, language }: VisitedPageContext,
  { takesCard, charge }: PageState,
): Html {
  const { currency, items, description } = payment
  const texts = textsIn[language]
  const price = (amountMinor: number) => moneyText(amountMinor, currency, language)
  // While the form is shown, its plan decides the total: a single payment at first.
  const { total, extra } = takesCard ? { total: price(payment.amountMinor), extra: null } : charge
  // Without details there is nothing to unfold.
  const isBare = items.length === 0 && description === null
  return html`<section class="order" aria-label="${texts.order}">
<div class="head"><span class="mark" aria-hidden="true">${firstLetter(merchant)}</span><h1 class="merchant">${merchant.name}</h1></div>
<button id="order-toggle" type="button" class="order-toggle" aria-expanded="false" aria-controls="order-details"
 data-open="${texts.orderOpen}" data-close="${texts.orderClose}"${isBare ? html` disabled` : undefined}><strong id="total-folded">${total}</strong> <span id="order-toggle-label">${texts.orderOpen}</span></button>
<div id="order-details" class="order-details">
<p class="total"><span>${texts.total}</span> <strong id="total">${total}</strong></p>
${description === null ? undefined : html`<p class="order-about">${description}</p>`}
${items.length === 0 ? undefined : html`<ul>${items.map((item) => itemRow(item, price))}</ul>`}
<p id="extra" class="extra"${hiddenUnless(extra !== null)}><span>${texts.extra}</span> <span id="extra-amount" class="price">${extra ?? undefined}</span></p>
</div>
</section>`
}

function itemRow(item: Payment['items'][number], price: (amountMinor: number) => string): Html {
  const about = item.description === null ? undefined : html` <small>${item.description}</small>`
  return html`<li><span>${item.product_name}${about}</span> <span class="price">${price(item.price)}</span></li>`
}

/** First letter in upper case, by the seller's language: a Turkish i keeps its dot. */
function firstLetter({ name, language }: VisitedPageContext['merchant']): string {
  const [first = ''] = name.trim()
  return first.toLocaleUpperCase(language)
}
