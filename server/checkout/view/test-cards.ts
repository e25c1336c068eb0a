import { BoundedCache } from '../../../kit/runtime/bounded-cache.ts'
import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Language, Localized, LocalizedText } from '../../../kit/text/locale.ts'
import { htmlPerLanguage } from '../texts/part.ts'
import { pageTexts } from '../texts/texts.ts'

/** Sandbox cards for the main outcomes. */
export const testCards: readonly { number: string; label: LocalizedText }[] = [
  { number: '5200000000002235', label: { tr: 'Onay', en: 'Approved' } },
  { number: '4000000000002503', label: { tr: 'Doğrulama', en: 'Verify' } },
  { number: '5400360000000003', label: { tr: 'Taksit', en: 'Installments' } },
  { number: '4111111111111129', label: { tr: 'Yetersiz bakiye', en: 'No funds' } },
  { number: '9792030394440796', label: { tr: 'TROY', en: 'TROY' } },
]

const validForYears = 3

/** One button per test card. `since` is the start of the payment; the expiry date follows from it. */
export function testCardsPart(since: Date, language: Language): Html {
  return parts.get(`12/${String(since.getUTCFullYear() + validForYears).slice(-2)}`, makeParts)[language]
}

/** Cached; the expiry date changes once a year. */
const parts = new BoundedCache<string, Localized<Html>>(10)

function makeParts(expiry: string): Localized<Html> {
  return htmlPerLanguage(
    (language) =>
      html`<div id="test-cards" class="test-cards" role="group" aria-label="${pageTexts.testCards[language]}"><span aria-hidden="true">Test:</span>${testCards.map(
        ({ number, label }) =>
          html`<button type="button" class="test-card" data-number="${number}" data-expiry="${expiry}" data-cvc="123" data-holder="Ayşe Yılmaz">${label[language]}</button>`,
      )}</div>`,
  )
}
