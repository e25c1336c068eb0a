import { asStaticHtml, Html, html, rawHtml } from '../../../kit/text/html.ts'
import type { Language } from '../../../kit/text/locale.ts'
import type { PageState } from '../state/page-state.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { hiddenUnless, perLanguage } from '../texts/part.ts'
import type { ReceiptLine } from '../texts/receipt.ts'
import { interpolate, pageTexts } from '../texts/texts.ts'
import { multiStateStatusIcon } from './icons.ts'

/** Outcome or progress of a payment, with its receipt. */
export function outcomePart({ merchant, payment, language }: VisitedPageContext, pageState: PageState): Html {
  const labels = { seller: merchant.name, id: String(payment.id) }
  return pageState.view === 'form' ? stillOpen(labels, language) : outcomeHtml(labels, pageState, language)
}

interface PaymentLabels {
  seller: string
  id: string
}

/** Part of an open payment. Except for the seller and the id it is the same for everyone, so it is cached. */
function stillOpen(labels: PaymentLabels, language: Language): Html {
  return html`${openParts[language].map((part) => (part instanceof Html ? part : labels[part]))}`
}

const noOutcome = {
  view: 'form',
  title: null,
  text: null,
  receipt: [],
  returnUrl: null,
  leaves: false,
} as const
const names = { seller: '\ue000', id: '\ue001' }

const openParts = perLanguage((language) =>
  outcomeHtml(names, noOutcome, language)
    .text.split(/(\ue000|\ue001)/)
    .map((part) => {
      if (part === names.seller) return 'seller'
      return part === names.id ? 'id' : asStaticHtml(rawHtml(part))
    }),
)

type OutcomeView = Pick<PageState, 'view' | 'title' | 'text' | 'returnUrl' | 'leaves'> & {
  receipt: readonly ReceiptLine[]
}

function outcomeHtml({ seller: name, id }: PaymentLabels, outcome: OutcomeView, language: Language): Html {
  const translated = (word: keyof typeof pageTexts) => pageTexts[word][language]
  const { view, title, text, receipt, returnUrl, leaves } = outcome
  const seller = { merchant: name }
  return html`<section id="outcome" class="outcome" data-view="${view}"${hiddenUnless(view !== 'form')}>
<div class="outcome-sign">${multiStateStatusIcon}</div>
<h2 id="outcome-title" tabindex="-1">${title ?? undefined}</h2>
<p id="outcome-text" role="status">${text ?? undefined}</p>
<dl id="receipt" class="receipt" aria-label="${translated('receipt')}"${hiddenUnless(receipt.length > 0)}>${receipt.map(
    ({ name, label, value }) => html`<div data-line="${name}"><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>
<div id="receipt-actions" class="receipt-actions"${hiddenUnless(receipt.length > 0)}>
<button id="copy-id" type="button" class="quiet" data-id="${id}" data-done="${translated('copied')}">${translated('copy')}</button>
<button id="print" type="button" class="quiet">${translated('print')}</button>
</div>
<p id="leaving" class="muted"${hiddenUnless(leaves)}>${interpolate(translated('leaving'), seller)}</p>
<p class="way"><a id="return" class="button" href="${returnUrl ?? '#'}"${hiddenUnless(returnUrl !== null)}>${interpolate(translated('back'), seller)}</a></p>
<p id="transaction" class="muted"${hiddenUnless(receipt.length === 0)}>${translated('transaction')}: <span class="id">${id}</span></p>
</section>`
}
