import { itemsInBasket, readBasket } from './basket.ts'
import { addEntry } from './live-panel.ts'
import { apiUrl, language, priceText, publicKey, requiredElement, texts } from './page.ts'
import { followPayment, hideResult, showChecking } from './result.ts'

/** Part of the payment element that the shop uses. The element's script creates `window.Vezne`. */
interface Payment {
  on(name: string, listener: (detail: { transaction_id?: number; step?: string }) => void): () => void
  mount(container: string): Payment
  unmount(): void
}

type MakeVezne = (
  key: string,
  options: { apiUrl: string; language: 'tr' | 'en' },
) => { payment(options: object): Payment }

/** Amount to pay, as the shop's server returns it. */
interface Due {
  amount: number
  currency: string
  products: object[]
  metadata: { key: string; value: string }[]
}

/** Time after which a navigation counts as stopped by the shopper. */
const navigationTimeoutMs = 10_000

let payment: Payment | undefined
let isBusy = false

/** Connects the buttons from the basket to the payment and back. */
export function mountCheckout(): void {
  for (const [id, pay] of [
    ['pay-here', payHere],
    ['pay-there', payThere],
  ] as const)
    requiredElement(id, HTMLElement).addEventListener('click', () => press(pay))
  requiredElement('back', HTMLElement).addEventListener('click', showBasket)
  // Going back shows the page as it was left. At the first load a press may be under way.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) setBusy(false)
  })
}

/** Guarantee: two presses make one order. */
async function press(pay: () => Promise<void>): Promise<void> {
  if (isBusy) return
  setBusy(true)
  showError('')
  await pay().catch((error) => showError(error instanceof Error ? error.message : texts.cannotOrder))
  setBusy(false)
}

function setBusy(busy: boolean): void {
  isBusy = busy
  // A disabled button would lose the focus.
  for (const button of document.querySelectorAll('.ways button'))
    button.setAttribute('aria-disabled', String(busy))
}

/** Takes the window to the payment page. The shop's server has started the payment. */
async function payThere(): Promise<void> {
  const { payment_page_url } = await placeOrder<{ payment_page_url: string }>('/checkout')
  window.location.assign(payment_page_url)
  await new Promise((resolve) => setTimeout(resolve, navigationTimeoutMs))
}

/** Shows the payment in this page. The browser starts it, with the amount that the shop's server computed. */
async function payHere(): Promise<void> {
  const makeVezne = (window as { Vezne?: MakeVezne }).Vezne
  if (!makeVezne) throw new Error(texts.noElement)
  const { order, ...due } = await placeOrder<Due & { order: string }>('/orders')
  const vezne = makeVezne(publicKey, { apiUrl, language })
  const own = vezne.payment(isCheating() ? cheated(due) : due)
  showEvents(own)
  own.on('success', ({ transaction_id }) => finish(own, order, transaction_id))
  own.on('failure', ({ transaction_id }) => finish(own, order, transaction_id))
  own.on('expired', ({ transaction_id }) => finish(own, order, transaction_id))
  showPayment(order, due.amount)
  payment = own.mount('#pay')
}

const isCheating = () => requiredElement('cheat', HTMLInputElement).checked

/** A cheating browser sends another amount. The server detects it when it checks the payment. */
function cheated({ currency, metadata }: Due): Partial<Due> {
  return { amount: 100, currency, metadata }
}

/** Creates an order. The browser sends the basket, and the server returns the price. */
async function placeOrder<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${path}?lang=${language}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: itemsInBasket() }),
  }).catch(() => undefined)
  if (!response?.ok)
    throw new Error((await response?.json().catch(() => undefined))?.message ?? texts.cannotOrder)
  return response.json()
}

/**
 * The element's event is only a hint. The server checks the payment. The element is removed before the result
 * is shown and scrolled to: not every browser keeps its place in a page that becomes shorter above it.
 */
async function finish(own: Payment, order: string, transactionId: number | undefined): Promise<void> {
  showChecking()
  await followPayment(order, String(transactionId ?? ''), () => {
    // A shopper who went back to the basket may already be paying for another order.
    if (payment === own) showNoPayment()
  })
}

/** Shows the element's events in the live feed. The element shows its errors to the shopper itself. */
function showEvents(shown: Payment): void {
  for (const name of ['ready', 'change', 'success', 'failure', 'expired', 'error']) {
    shown.on(name, (detail) => {
      const type = detail.step === undefined ? name : `${name} · ${detail.step}`
      addEntry({ kind: 'element', at: new Date().toISOString(), type, body: detail })
    })
  }
}

function showNoPayment(): void {
  payment?.unmount()
  payment = undefined
  requiredElement('paying', HTMLElement).hidden = true
}

function showPayment(order: string, amountMinor: number): void {
  hideResult()
  requiredElement('order-id', HTMLElement).textContent = order
  requiredElement('order-total', HTMLElement).textContent = priceText(amountMinor)
  requiredElement('shopping', HTMLElement).hidden = true
  requiredElement('paying', HTMLElement).hidden = false
  requiredElement('back', HTMLElement).focus()
  window.scrollTo({ top: 0 })
}

export function showBasket(): void {
  showNoPayment()
  showError('')
  hideResult()
  readBasket()
  requiredElement('shopping', HTMLElement).hidden = false
  window.scrollTo({ top: 0 })
}

/** Shows an error where the shopper is: at the basket or at the payment. */
function showError(text: string): void {
  for (const id of ['fault', 'pay-fault']) {
    const target = requiredElement(id, HTMLElement)
    target.textContent = text
    target.hidden = text === ''
  }
}
