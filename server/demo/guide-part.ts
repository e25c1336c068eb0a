import type { Html } from '../kit/html.ts'
import { html } from '../kit/html.ts'
import type { Language } from '../kit/locale.ts'
import type { ShopOptions, TryCard } from './shop.ts'
import { words } from './words.ts'

/** Cards to try it with, each a press away. */
export function cardsPart(cards: readonly TryCard[], language: Language): Html {
  const rows = cards.map(
    ({ number, label, does }) =>
      html`<li><div><strong>${label[language]}</strong><span class="muted">${does[language]}</span></div><button type="button" class="copy" data-copy="${number}"><code>${inFours(number)}</code><span class="copy-word">${words.copy[language]}</span></button></li>`,
  )
  return html`<section class="card cards" aria-labelledby="cards-title"><h2 id="cards-title">${words.cards[language]}</h2><p class="muted">${words.cardsAbout[language]}</p><ul>${rows}</ul></section>`
}

/** The code that the page itself runs, in short. */
export function howPart({ apiUrl, publicKey }: ShopOptions, language: Language): Html {
  const code = [
    `const vezne = Vezne('${publicKey.slice(0, 12)}…', { apiUrl: '${apiUrl}' })`,
    'const payment = vezne.payment({ amount, products, metadata })',
    "payment.on('success', ({ transaction_id }) => askServer(transaction_id))",
    "payment.mount('#pay')",
  ]
  const files = html`<code>demo/checkout.ts</code>, <code>server/demo/</code>`
  return html`<section class="card how" aria-labelledby="how-title"><h2 id="how-title">${words.how[language]}</h2><p class="muted">${words.howBrowser[language]}</p><pre tabindex="0"><code>${code.join('\n')}</code></pre><p class="muted">${words.howServer[language]}</p><p class="links"><a href="${apiUrl}/docs">${words.reference[language]}</a><span class="muted">${words.ownCode[language]}: ${files}</span><span class="muted">${words.quickStart[language]}: <code>docs/integrate/quick-start.md</code></span></p></section>`
}

function inFours(number: string): string {
  return /^3[47]/.test(number)
    ? number.replace(/(\d{4})(\d{6})(\d+)/, '$1 $2 $3')
    : number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
}
