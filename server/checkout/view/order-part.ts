import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import type { Payment } from '../../payments/index.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { moneyText } from '../texts/money-text.ts'
import { hiddenUnless, textsIn } from '../texts/part.ts'
import { interpolate, pageTexts } from '../texts/texts.ts'
import { tile } from './tile.ts'

/** Seller, amount and items. On a phone it folds to one line with the seller and the total. */
export function orderPart(
  config: Config,
  { payment, merchant, language }: VisitedPageContext,
  { takesCard, charge }: PageState,
): Html {
  const { currency, items, description } = payment
  const texts = textsIn[language]
  const price = (amountMinor: number) => moneyText(amountMinor, currency, language)
  // One picture gives every item a tile, so that the names stay in line.
  const hasTiles = items.some(({ image }) => image)
  const itemTile = ({ product_name: name, image: picture }: PaymentItem) =>
    hasTiles ? tile(config, merchant, { kind: 'image', name, picture }) : undefined
  // While the form is shown, its plan decides the total: a single payment at first.
  const { total, extra } = takesCard ? { total: price(payment.amountMinor), extra: null } : charge
  // Without details and with a name of few lines there is nothing to unfold.
  const isBare = items.length === 0 && description === null && merchant.name.length <= shortName
  return html`<section id="order" class="order" aria-label="${texts.order}">
<div class="head">${tile(config, merchant, { kind: 'logo', name: merchant.name, picture: merchant.logo })}<h1 class="merchant">${merchant.name}</h1></div>
<button id="order-toggle" type="button" class="order-toggle" aria-expanded="false" aria-controls="order-details"
 data-open="${texts.orderOpen}" data-close="${texts.orderClose}"${isBare ? html` disabled` : undefined}><strong id="total-folded">${total}</strong> <span id="order-toggle-label">${texts.orderOpen}</span></button>
<div id="order-details" class="order-details">
<p class="total"><span>${texts.total}</span> <strong id="total">${total}</strong></p>
${description === null ? undefined : html`<p class="order-about">${description}</p>`}
${itemList(items, { price, itemTile }, language)}
<p id="extra" class="extra"${hiddenUnless(extra !== null)}><span>${texts.extra}</span> <span id="extra-amount" class="price">${extra ?? undefined}</span></p>
</div>
</section>`
}

/** Number of items that are shown before the others are unfolded. */
const shownItems = 5
/** Length of a name that never needs a third line on a phone. */
const shortName = 24

/** Items; the others of a long list are folded. A fold of one item would save no space. */
function itemList(items: readonly PaymentItem[], row: ItemRow, language: Language): Html | undefined {
  if (items.length === 0) return undefined
  const rows = items.map((item) => itemRow(item, row))
  if (rows.length <= shownItems + 1) return html`<ul>${rows}</ul>`
  const more = interpolate(pageTexts.moreItems[language], { count: rows.length - shownItems })
  return html`<ul>${rows.slice(0, shownItems)}</ul>
<details id="more-items"><summary><span>${more}</span><span>${pageTexts.fewerItems[language]}</span></summary>
<ul>${rows.slice(shownItems)}</ul></details>`
}

type PaymentItem = Payment['items'][number]

interface ItemRow {
  price(amountMinor: number): string
  itemTile(item: PaymentItem): Html | undefined
}

function itemRow(item: PaymentItem, { price, itemTile }: ItemRow): Html {
  const about = item.description === null ? undefined : html` <small>${item.description}</small>`
  return html`<li>${itemTile(item)}<span>${item.product_name}${about}</span> <span class="price">${price(item.price)}</span></li>`
}
