import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import { inlineStyle } from '../files/inline-style.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { moneyText } from '../texts/money-text.ts'
import { textsIn } from '../texts/part.ts'
import { contactPart } from './outcome-part.ts'

/** Inside the file, because it must look the same after years, without a network. */
export const receiptStyle = inlineStyle(`
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 32rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.25; }
h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
p { margin: 0.25rem 0; }
.test { margin-bottom: 1rem; color: light-dark(#9a6700, #e3b341); font-weight: 600; }
dl, ul { margin: 1rem 0; padding: 0; border-top: 1px solid #8886; }
dl div, li { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-bottom: 1px solid #8886; }
dt, small, .note { opacity: 0.75; }
dd, .price { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
small { display: block; }
a { color: inherit; }
.note { margin-top: 2rem; font-size: 0.8125rem; }
`)

/** The receipt of a payment with its items, as a file of its own. */
export function receiptFile(visitor: VisitedPageContext, { title, text, receipt }: PageState): Html {
  const { payment, merchant, language } = visitor
  const { items, currency, id } = payment
  const texts = textsIn[language]
  const rows = items.map(({ product_name, description, price }) => {
    const about = description === null ? undefined : html` <small>${description}</small>`
    return html`<li><span>${product_name}${about}</span> <span class="price">${moneyText(price, currency, language)}</span></li>`
  })
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${merchant.name} · ${String(id)}</title>
${receiptStyle.markup}
</head>
<body>
<main>
${merchant.live ? undefined : html`<p class="test">${texts.test} · ${texts.testText}</p>`}
<h1>${title ?? texts.title}</h1>
<p>${text ?? undefined}</p>
<dl>${receipt.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${rows.length === 0 ? undefined : html`<h2>${texts.order}</h2><ul>${rows}</ul>`}
${contactPart(visitor)}
<p class="note">${texts.notInvoice}</p>
</main>
</body>
</html>
`
}
