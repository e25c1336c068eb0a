import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Html } from '../../../kit/text/html.ts'
import { asStaticHtml, html } from '../../../kit/text/html.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import { pageAsksForCustomer } from '../../payments/for-checkout.ts'
import { assetByName, loadedFile } from '../files/assets.ts'
import { countryName, phoneHint } from '../files/country-lists.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { moneyText } from '../texts/money-text.ts'
import { hiddenUnless, htmlPerLanguage, perLanguage, textsIn } from '../texts/part.ts'
import { interpolate, pageTexts } from '../texts/texts.ts'
import { cvcOnBackIcon, cvcOnFrontIcon, lockIcon } from './icons.ts'
import { testCardsPart } from './test-cards.ts'

/** Form for the payer's data, the card and the installment plan. */
export function formPart(config: Config, visitor: VisitedPageContext): Html {
  const { payment, merchant, language } = visitor
  const texts = textsIn[language]
  const amount = moneyText(payment.amountMinor, payment.currency, language)
  return html`<form id="form" method="post" novalidate aria-label="${texts.title}">
${pageAsksForCustomer(payment) ? payerPart(config, merchant.country, language) : undefined}
<fieldset id="card"><legend>${texts.card}</legend>
${merchant.live ? undefined : testCardsPart(payment.createdAt, language)}
${cardFields[language]}
</fieldset>
${plansPart(visitor, amount)}
${payment.preAuth ? holdHint[language] : undefined}
<div id="pay-bar" class="pay-bar"><button id="pay" type="submit" class="button">${interpolate(pageTexts.pay[language], { amount })}</button></div>
${secure[language]}
</form>`
}

const secure = htmlPerLanguage(
  (language) => html`<p class="secure">${lockIcon}${pageTexts.secure[language]}</p>`,
)

const holdHint = perLanguage((language) => html`<p class="hold">${pageTexts.holdHint[language]}</p>`)

/**
 * Installment plans: one line until the card is known, with a single payment as the choice. Hidden if the
 * merchant or the currency has no installments.
 */
function plansPart({ payment, merchant, language }: VisitedPageContext, amount: string): Html {
  const { amountMinor, currency } = payment
  const isChoice = merchant.supportsInstallment && currency === 'TRY'
  return html`<fieldset id="plans" aria-label="${pageTexts.installments[language]}" data-state="idle"${hiddenUnless(isChoice)}><legend>${pageTexts.installments[language]}</legend>
${plansLine[language]}
<div id="plan-list" class="plan-list"><input type="radio" name="installment" value="1" checked autocomplete="off"
 data-charged="${amountMinor}" data-total="${amount}"></div></fieldset>`
}

const plansLine = htmlPerLanguage(
  (language) =>
    html`<p class="plans-line"><b>${pageTexts.installments[language]}</b> <span class="plans-idle">${pageTexts.plansIdle[language]}</span><span class="plans-none">${pageTexts.plansNone[language]}</span></p>`,
)

interface Field {
  name: string
  label: string
  /** Format hint in the label. */
  form?: string
  autofill: string
  keyboard: 'numeric' | 'text' | 'email' | 'tel'
  longest: number
  /** Markup after the input. */
  after?: Html
}

function field({ name, label, form, autofill, keyboard, longest, after }: Field): Html {
  return html`<div class="field">
<label for="${name}">${label}${form === undefined ? undefined : html` <span>${form}</span>`}</label>
<div class="input"><input id="${name}" name="${name}" type="${keyboard === 'email' || keyboard === 'tel' ? keyboard : 'text'}" inputmode="${keyboard}" autocomplete="${autofill}" maxlength="${longest}"
 autocapitalize="${keyboard === 'text' ? 'words' : 'off'}" autocorrect="off" spellcheck="false" required aria-describedby="${name}-fault">${after}</div>
<p id="${name}-fault" class="fault" hidden></p>
</div>`
}

/** Accepted brands. Once the card's brand is known, only its picture is shown. */
const brands = html`<span id="brand" class="brand" data-brand=""></span><span class="brands" role="img" aria-label="Visa, Mastercard, American Express, TROY">${[
  'visa',
  'mastercard',
  'amex',
  'troy',
].map(
  (brand) => html`<i class="brand" data-brand="${brand}"></i>`,
)}</span><span id="brand-name" class="unseen" role="status"></span>`

const cardFields = htmlPerLanguage((language) => {
  const texts = textsIn[language]
  const where = html`<button id="cvc-where" type="button" class="where" aria-expanded="false" aria-controls="cvc-help" aria-label="${texts.cvcWhere}">?</button>`
  return html`${field({ name: 'number', label: texts.number, autofill: 'cc-number', keyboard: 'numeric', longest: 23, after: brands })}
<div class="pair">
${field({ name: 'expiry', label: texts.expiry, form: texts.expiryForm, autofill: 'cc-exp', keyboard: 'numeric', longest: 7 })}
${field({ name: 'cvc', label: texts.cvc, form: texts.cvcForm, autofill: 'cc-csc', keyboard: 'numeric', longest: 4, after: where })}
</div>
<div id="cvc-help" class="help" hidden>${cvcOnBackIcon}${cvcOnFrontIcon}<p>${texts.cvcHelp}</p></div>
${field({ name: 'holder', label: texts.holder, autofill: 'cc-name', keyboard: 'text', longest: 100 })}`
})

/**
 * Payer's details. The merchant's country is preselected; the page's script adds the others after the page is
 * complete.
 */
function payerPart(config: Config, country: string, language: Language): Html {
  const key = `${config.pageUrl} ${country} ${language}`
  return payerParts.get(key, () => asStaticHtml(payerFields(config, country, language)))
}

/** Cached, because few countries have merchants. */
const payerParts = new BoundedCache<string, Html>(500)

function payerFields(config: Config, country: string, language: Language): Html {
  const texts = textsIn[language]
  const { address } = loadedFile(config, assetByName(`countries-${language}.json`))
  return html`<fieldset id="payer"><legend>${texts.payer}</legend>
<div class="pair">
${field({ name: 'name', label: texts.name, autofill: 'given-name', keyboard: 'text', longest: 100 })}
${field({ name: 'lastname', label: texts.lastname, autofill: 'family-name', keyboard: 'text', longest: 100 })}
</div>
${field({ name: 'email', label: texts.email, autofill: 'email', keyboard: 'email', longest: 254 })}
<div class="pair roomy">
<div class="field">
<label for="country">${texts.country}</label>
<div class="input"><select id="country" name="country" autocomplete="country" aria-describedby="country-fault" data-list="${address}"><option value="${country}" selected>${countryName(country, language)}</option></select></div>
<p id="country-fault" class="fault" hidden></p>
</div>
${field({ name: 'phone', label: texts.phone, form: phoneHint(country, language), autofill: 'tel', keyboard: 'tel', longest: 40 })}
</div>
</fieldset>`
}
