import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import { languages } from '../../../kit/text/locale.ts'
import type { Config } from '../../config.ts'
import { markAddress } from '../files/assets.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { hiddenUnless, htmlPerLanguage } from '../texts/part.ts'
import { pageTexts } from '../texts/texts.ts'
import { formPart } from './form-part.ts'
import { orderPart } from './order-part.ts'
import { outcomePart } from './outcome-part.ts'

/**
 * Page content: the order, and one part for each state, of which one is shown. It holds no data of a stored
 * customer, because anyone with a public key could name a customer.
 */
export function pageBody(config: Config, visitor: VisitedPageContext, pageState: PageState): Html {
  const { merchant, language } = visitor
  const { notice, canGoOn, takesCard, isUnderWay } = pageState
  return html`<header class="top">${merchant.live ? undefined : testRibbon[language]}${languageSwitch[language]}</header>
<main class="card">
${orderPart(config, visitor, pageState)}
<div class="pay">
<p id="time-left" class="time-left" hidden></p><p id="time-said" class="unseen" role="status"></p>
<div id="notice" class="notice" data-tone="${isUnderWay ? 'warning' : 'danger'}" role="alert" tabindex="-1"${hiddenUnless(notice.length > 0)}>${notice.map((text) => html`<p>${text}</p>`)}</div>
${takesCard ? noScript[language] : undefined}
<button id="go-on" type="button" class="button"${hiddenUnless(canGoOn)}>${pageTexts.goOn[language]}</button>
<div id="pay-part"${hiddenUnless(takesCard)}>
${formPart(config, visitor)}
</div>
${outcomePart(config, visitor, pageState)}
</div>
</main>
${merchant.whiteLabel ? undefined : footer(config, language)}
${bankSheet[language]}`
}

const testRibbon = htmlPerLanguage(
  (language) =>
    html`<p class="test"><strong>${pageTexts.test[language]}</strong> <span>${pageTexts.testText[language]}</span></p>`,
)

const noScript = htmlPerLanguage(
  (language) =>
    html`<noscript><div class="notice" data-tone="warning"><p>${pageTexts.noScript[language]}</p></div></noscript>`,
)

/** Dialog for the bank's step, above the page. */
const bankSheet = htmlPerLanguage(
  (language) => html`<dialog id="bank-part" class="sheet" aria-labelledby="bank-title">
<div class="sheet-head"><h2 id="bank-title" tabindex="-1">${pageTexts.bankStep[language]}</h2> <strong id="bank-amount"></strong>
<p>${pageTexts.bankStepText[language]}</p></div>
<div id="bank-place"></div>
<button id="other-card" type="button" class="quiet">${pageTexts.otherCard[language]}</button>
</dialog>`,
)

const languageSwitch = htmlPerLanguage((language) => {
  const names = { tr: 'Türkçe', en: 'English' }
  const links = languages.map(
    (each) =>
      html`<a href="?lang=${each}" lang="${each}" hreflang="${each}"${each === language ? html` aria-current="true"` : undefined}>${names[each]}</a>`,
  )
  return html`<nav id="languages" class="languages" aria-label="${pageTexts.language[language]}">${links}</nav>`
})

/** Footer that names Vezne, unless the seller has a white label. */
function footer(config: Config, language: VisitedPageContext['language']): Html {
  return html`<footer class="foot"><img src="${markAddress(config)}" width="18" height="18" alt=""> ${pageTexts.securedBy[language]}</footer>`
}
