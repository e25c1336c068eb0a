import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Payment } from '../../payments/index.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { moneyText } from '../texts/money-text.ts'
import { hiddenUnless, textsIn } from '../texts/part.ts'
import { interpolate, pageTexts } from '../texts/texts.ts'

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
  // Without details and with a name of few lines there is nothing to unfold.
  const isBare = items.length === 0 && description === null && merchant.name.length <= shortName
  return html`<section class="order" aria-label="${texts.order}">
<div class="head"><span class="mark" aria-hidden="true">${firstLetter(merchant)}</span><h1 class="merchant">${merchant.name}</h1></div>
<button id="order-toggle" type="button" class="order-toggle" aria-expanded="false" aria-controls="order-details"
 data-open="${texts.orderOpen}" data-close="${texts.orderClose}"${isBare ? html` disabled` : undefined}><strong id="total-folded">${total}</strong> <span id="order-toggle-label">${texts.orderOpen}</span></button>
<div id="order-details" class="order-details">
<p class="total"><span>${texts.total}</span> <strong id="total">${total}</strong></p>
${description === null ? undefined : html`<p class="order-about">${description}</p>`}
${itemList(items, price, language)}
<p id="extra" class="extra"${hiddenUnless(extra !== null)}><span>${texts.extra}</span> <span id="extra-amount" class="price">${extra ?? undefined}</span></p>
</div>
</section>`
}

/** Number of items that are shown before the others are unfolded. */
const shownItems = 5
/** Length of a name that never needs a third line on a phone. */
const shortName = 24

/** Items; the others of a long list are folded. A fold of one item would save no space. */
function itemList(
  items: Payment['items'],
  price: (amountMinor: number) => string,
  language: Language,
): Html | undefined {
  if (items.length === 0) return undefined
  const rows = items.map((item) => itemRow(item, price))
  if (rows.length <= shownItems + 1) return html`<ul>${rows}</ul>`
  const more = interpolate(pageTexts.moreItems[language], { count: rows.length - shownItems })
  return html`<ul>${rows.slice(0, shownItems)}</ul>
<details id="more-items"><summary><span>${more}</span><span>${pageTexts.fewerItems[language]}</span></summary>
<ul>${rows.slice(shownItems)}</ul></details>`
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
