import { mountBasket } from './basket.ts'
import { mountCheckout, showBasket } from './checkout.ts'
import { mountLivePanel } from './live-panel.ts'
import { language, texts } from './page.ts'
import { mountResult } from './result.ts'
import { loadFromSession, saveInSession } from './session-storage.ts'

/** The chosen language is kept when the payer returns to an address without a language. */
const chosen = new URLSearchParams(window.location.search).get('lang')
const isElsewhere = chosen === null && loadFromSession('language', language) !== language
if (chosen !== null) saveInSession('language', language)
if (isElsewhere) {
  const there = new URL(window.location.href)
  there.searchParams.set('lang', loadFromSession('language', language))
  window.location.replace(there)
} else {
  mount()
}

function mount(): void {
  mountLivePanel()
  const isShop = document.getElementById('basket') !== null
  // An error page has no result and no basket.
  if (document.getElementById('result') !== null)
    mountResult(isShop ? showBasket : () => window.location.assign(`/?lang=${language}`))
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    button.disabled = false
    button.addEventListener('click', () => copy(button))
  }
  if (!isShop) return
  mountBasket()
  mountCheckout()
}

async function copy(button: HTMLElement): Promise<void> {
  await navigator.clipboard.writeText(button.dataset['copy'] ?? '')
  const word = button.querySelector('.copy-word')
  if (!word || word.textContent === texts.copied) return
  const before = word.textContent
  word.textContent = texts.copied
  setTimeout(() => {
    word.textContent = before
  }, 1_500)
}
