import { itemsInBasket, readBasket } from './basket.ts'
import { addEntry } from './live-panel.ts'
import { apiUrl, language, priceText, publicKey, requiredElement, texts } from './page.ts'
import { checkPayment, hideResult, showChecking } from './result.ts'

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

interface Order extends Due {
  order: string
  redirect_url: string
}

let payment: Payment | undefined

/** Connects the buttons from the basket to the payment and back. */
export function mountCheckout(): void {
  const go = requiredElement('go', HTMLButtonElement)
  go.addEventListener('click', async () => {
    go.disabled = true
    showError('')
    await pay().catch((error) => showError(error instanceof Error ? error.message : texts.cannotOrder))
    go.disabled = false
  })
  requiredElement('back', HTMLElement).addEventListener('click', showBasket)
}

async function pay(): Promise<void> {
  const makeVezne = (window as { Vezne?: MakeVezne }).Vezne
  if (!makeVezne) throw new Error(texts.noElement)
  const { order, redirect_url, ...due } = await makeOrder()
  const vezne = makeVezne(publicKey, { apiUrl, language })
  const own = vezne.payment({
    ...(isCheating() ? cheated(due) : due),
    ...(isByRedirect() ? { display: 'redirect', redirect_url } : { display: 'frame' }),
  })
  showEvents(own)
  own.on('success', ({ transaction_id }) => finish(own, order, transaction_id))
  own.on('failure', ({ transaction_id }) => finish(own, order, transaction_id))
  own.on('expired', ({ transaction_id }) => finish(own, order, transaction_id))
  showPayment(order, due.amount)
  payment = own.mount('#pay')
}

const isByRedirect = () => document.querySelector('[name=display][value=redirect]:checked') !== null
const isCheating = () => requiredElement('cheat', HTMLInputElement).checked

/** A cheating browser sends another amount. The server detects it when it checks the payment. */
function cheated({ currency, metadata }: Due): Partial<Due> {
  return { amount: 100, currency, metadata }
}

/** Creates an order. The browser sends the basket, and the server returns the price. */
async function makeOrder(): Promise<Order> {
  const response = await fetch(`/orders?lang=${language}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ items: itemsInBasket() }),
  }).catch(() => undefined)
  if (!response?.ok) throw new Error((await response?.json())?.message ?? texts.cannotOrder)
  return response.json()
}

/** The element's event is only a hint. The server checks the payment. */
async function finish(own: Payment, order: string, transactionId: number | undefined): Promise<void> {
  showChecking()
  await checkPayment(order, String(transactionId ?? ''))
  // A shopper who went back to the basket may already be paying for another order.
  if (payment !== own) return
  showNoPayment()
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
