import type { Html } from '../../kit/text/html.ts'
import { html } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { DemoCard, DemoShopOptions } from './shop.ts'
import { pageTexts } from './texts.ts'

/** Test cards, each with a copy button. */
export function testCardsPart(cards: readonly DemoCard[], language: Language): Html {
  const rows = cards.map(
    ({ number, label, does }) =>
      html`<li><div><strong>${label[language]}</strong><span class="muted">${does[language]}</span></div><button type="button" class="copy" data-copy="${number}" disabled><code>${inFours(number)}</code><span class="copy-word">${pageTexts.copy[language]}</span></button></li>`,
  )
  return html`<section class="card cards" aria-labelledby="cards-title"><h2 id="cards-title">${pageTexts.cards[language]}</h2><p class="muted">${pageTexts.cardsAbout[language]}</p><ul>${rows}</ul></section>`
}

/** Shortened version of the code that the page runs. */
export function howItWorksPart({ apiUrl, publicKey }: DemoShopOptions, language: Language): Html {
  const code = [
    `const vezne = Vezne('${publicKey.slice(0, 12)}…', { apiUrl: '${apiUrl}' })`,
    'const payment = vezne.payment({ amount, products, metadata })',
    "payment.on('success', ({ transaction_id }) => askServer(transaction_id))",
    "payment.mount('#pay')",
  ]
  const files = html`<code>demo/page/checkout.ts</code>, <code>demo/server/</code>`
  return html`<section class="card how" aria-labelledby="how-title"><h2 id="how-title">${pageTexts.how[language]}</h2><p class="muted">${pageTexts.howBrowser[language]}</p><pre tabindex="0"><code>${code.join('\n')}</code></pre><p class="muted">${pageTexts.howServer[language]}</p><p class="links"><a href="${apiUrl}/docs">${pageTexts.reference[language]}</a><span class="muted">${pageTexts.ownCode[language]}: ${files}</span><span class="muted">${pageTexts.quickStart[language]}: <code>docs/integrate/quick-start.md</code></span></p></section>`
}

function inFours(number: string): string {
  return /^3[47]/.test(number)
    ? number.replace(/(\d{4})(\d{6})(\d+)/, '$1 $2 $3')
    : number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
