import type { Html } from '../kit/html.ts'
import { html } from '../kit/html.ts'
import type { Payment } from '../payments/index.ts'
import { moneyText } from './money-text.ts'
import { planWords } from './plan-words.ts'
import type { Standing } from './standing.ts'
import type { Visitor } from './visitor.ts'
import { filled, words } from './words.ts'

/**
 * What stands on the page: the order, and one part for each way in which the payment can stand, of which one is shown.
 * Nothing of a stored customer is among it: whoever holds a public key could name any.
 */
export function pageBody(visitor: Visitor, standing: Standing): Html {
  const { merchant, payment, language } = visitor
  const say = (word: keyof typeof words) => words[word][language]
  const isForm = standing.view === 'form'
  return html`<main class="card">
<header class="head">
<p class="merchant">${merchant.name}</p>
${merchant.live ? undefined : html`<p class="test">${say('test')}</p>`}
</header>
${orderPart(visitor, standing)}
<div id="notice" class="notice" role="alert" tabindex="-1"${hiddenUnless(standing.notice.length > 0)}>${standing.notice.map((text) => html`<p>${text}</p>`)}</div>
<noscript><div class="notice"><p>${say('noScript')}</p></div></noscript>
<button id="go-on" type="button" class="button"${hiddenUnless(standing.canGoOn)}>${say('goOn')}</button>
<div id="pay-part"${hiddenUnless(standing.takesCard)}>
${formPart(visitor)}
</div>
<section id="bank-part" aria-labelledby="bank-title" hidden>
<h1 id="bank-title" tabindex="-1">${say('bankStep')}</h1>
<p>${say('bankStepText')}</p>
<div id="bank-place"></div>
<button id="other-card" type="button" class="quiet">${say('otherCard')}</button>
</section>
<section id="outcome" aria-live="polite" data-view="${standing.view}"${hiddenUnless(!isForm)}>
<h1 id="outcome-title" tabindex="-1">${standing.title ?? undefined}</h1>
<p id="outcome-text">${standing.text ?? undefined}</p>
<p class="muted">${say('transaction')}: <span class="id">${payment.id}</span></p>
<p><a id="return" class="button" href="${standing.returnUrl ?? '#'}"${hiddenUnless(standing.returnUrl !== null)}>${filled(say('back'), { merchant: merchant.name })}</a></p>
</section>
</main>`
}

const hiddenUnless = (isShown: boolean) => (isShown ? undefined : html` hidden`)

function orderPart({ payment, language }: Visitor, { takesCard, charge }: Standing): Html {
  const { currency, items } = payment
  const price = (amountMinor: number) => moneyText(amountMinor, currency, language)
  // Where the form is shown its choice counts, which is a single payment at first.
  const { total, extra } = takesCard ? { total: price(payment.amountMinor), extra: null } : charge
  return html`<section class="order" aria-label="${words.order[language]}">
${payment.description === null ? undefined : html`<p>${payment.description}</p>`}
${items.length === 0 ? undefined : html`<ul>${items.map((item) => itemRow(item, price))}</ul>`}
<p id="extra" class="extra"${hiddenUnless(extra !== null)}><span>${words.extra[language]}</span> <span id="extra-amount" class="price">${extra ?? undefined}</span></p>
<p class="total"><span>${words.total[language]}</span> <strong id="total">${total}</strong></p>
</section>`
}

function itemRow(item: Payment['items'][number], price: (amountMinor: number) => string): Html {
  const about = item.description === null ? undefined : html` <small>${item.description}</small>`
  return html`<li><span>${item.product_name}${about}</span> <span class="price">${price(item.price)}</span></li>`
}

function formPart({ payment, language }: Visitor): Html {
  const { amountMinor, currency } = payment
  const say = (word: keyof typeof words) => words[word][language]
  const amount = moneyText(amountMinor, currency, language)
  const single = html`<label class="plan"><input type="radio" name="installment" value="1" checked
 data-charged="${amountMinor}" data-total="${amount}"> <span>${planWords([amountMinor], () => amount, language).text}</span></label>`
  return html`<form id="form" method="post" novalidate aria-label="${say('card')}">
${field('number', say('number'), 'cc-number', 'numeric', 23)}
<div class="pair">
${field('expiry', say('expiry'), 'cc-exp', 'numeric', 7)}
${field('cvc', say('cvc'), 'cc-csc', 'numeric', 4)}
</div>
${field('holder', say('holder'), 'cc-name', 'text', 100)}
<fieldset id="plans"><legend>${say('installments')}</legend><div id="plan-list">${single}</div></fieldset>
<button id="pay" type="submit" class="button">${filled(say('pay'), { amount })}</button>
</form>`
}

function field(name: string, label: string, autofill: string, keyboard: string, longest: number): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="text" inputmode="${keyboard}" autocomplete="${autofill}" maxlength="${longest}"
 autocapitalize="off" autocorrect="off" spellcheck="false" required aria-describedby="${name}-fault">
<p id="${name}-fault" class="fault" hidden></p>
</div>`
}
