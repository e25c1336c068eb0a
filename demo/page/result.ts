import { onEntry } from './live-panel.ts'
import { createElement, language, requiredElement, texts } from './page.ts'
import { saveInSession } from './session-storage.ts'

/** The server's check of a payment, as texts. */
export interface ShownOrderCheck {
  outcome: string
  tone: 'good' | 'wait' | 'bad'
  title: string
  text: string
  order: string | null
  transaction_id: string | null
  compared: { what: string; ours: string; theirs: string; is_same: boolean }[]
  is_webhook_received: boolean | null
}

const askAgainMs = 2_000
/** Transactions that a webhook has reported. The shop's server has verified its signature. */
const webhooksReceived = new Set<string>()
let again: () => void = () => undefined
let nextLook: ReturnType<typeof setTimeout> | undefined
let shownCheck = ''

/** Shows the result of a payment. `startAgain` runs when the shopper presses the button for a new order. */
export function mountResult(startAgain: () => void): void {
  again = startAgain
  onEntry(({ kind, body }) => {
    const data = (body as { data?: { transaction_id?: number } } | undefined)?.data
    if (kind !== 'webhook' || data?.transaction_id === undefined) return
    webhooksReceived.add(String(data.transaction_id))
    const line = document.getElementById('told')
    if (line?.dataset['transaction'] === String(data.transaction_id)) showWebhookState(line, true)
  })
  const { check } = requiredElement('result', HTMLElement).dataset
  if (check !== undefined) follow(JSON.parse(check) as ShownOrderCheck)
}

/** Asks the shop's server, which asks Vezne, and shows the result. `beforeShown` runs when it is known. */
export async function followPayment(
  order: string,
  transactionId: string,
  beforeShown: () => void,
): Promise<void> {
  const query = new URLSearchParams({ transaction_id: transactionId, lang: language })
  const answer = await fetch(`/orders/${encodeURIComponent(order)}?${query}`).catch(() => undefined)
  if (!answer || answer.status >= 500) {
    lookAgain(order, transactionId, beforeShown)
    return
  }
  const check = await answer.json()
  beforeShown()
  follow(answer.ok ? check : { ...refused, title: check.message })
}

/** Result shown when the shop's server does not know the order, for example after its restart. */
const refused: Omit<ShownOrderCheck, 'title'> = {
  outcome: 'other',
  tone: 'bad',
  text: '',
  order: null,
  transaction_id: null,
  compared: [],
  is_webhook_received: null,
}

/** Shows the check, and asks again while the outcome is open. The same check is not shown twice. */
function follow(check: ShownOrderCheck): void {
  const text = JSON.stringify(check)
  if (text !== shownCheck) show(check)
  shownCheck = text
  const { order, transaction_id: id, outcome } = check
  // A paid order leaves the basket, also when the payer returns from the payment page.
  if (outcome === 'paid') saveInSession('basket', [])
  if (order === null || id === null || !['waiting', 'unreachable'].includes(outcome)) return
  lookAgain(order, id, () => undefined)
}

function lookAgain(order: string, transactionId: string, beforeShown: () => void): void {
  clearTimeout(nextLook)
  nextLook = setTimeout(() => followPayment(order, transactionId, beforeShown), askAgainMs)
}

export function showChecking(): void {
  shownCheck = ''
  const card = requiredElement('result', HTMLElement)
  card.dataset['tone'] = 'wait'
  card.replaceChildren(createElement('p', 'muted', texts.checking))
  card.hidden = false
}

/** Hides the result and stops asking, when the payer starts something else. */
export function hideResult(): void {
  clearTimeout(nextLook)
  shownCheck = ''
  requiredElement('result', HTMLElement).hidden = true
}

function show({ tone, title, text, compared, is_webhook_received, transaction_id }: ShownOrderCheck): void {
  const card = requiredElement('result', HTMLElement)
  card.dataset['tone'] = tone
  const parts: HTMLElement[] = [createElement('h1', '', title), createElement('p', '', text)]
  if (compared.length > 0) parts.push(tableOf(compared))
  if (is_webhook_received !== null && transaction_id !== null) {
    const line = createElement('p', 'told')
    line.id = 'told'
    line.dataset['transaction'] = transaction_id
    // The live feed announces the webhook.
    line.ariaLive = 'off'
    showWebhookState(line, is_webhook_received || webhooksReceived.has(transaction_id))
    parts.push(line)
  }
  const button = createElement('button', 'button', texts.again)
  button.type = 'button'
  button.addEventListener('click', () => again())
  card.replaceChildren(...parts, button)
  card.hidden = false
  card.focus({ preventScroll: true })
  card.scrollIntoView({ block: 'start', behavior: 'instant' })
}

function showWebhookState(line: HTMLElement, hasCome: boolean): void {
  line.textContent = hasCome ? texts.webhookCame : texts.webhookDue
  line.dataset['tone'] = hasCome ? 'good' : 'wait'
}

function tableOf(compared: ShownOrderCheck['compared']): HTMLElement {
  const head = createElement(
    'tr',
    '',
    createElement('td', ''),
    createElement('th', '', texts.ours),
    createElement('th', '', texts.theirs),
    createElement('td', ''),
  )
  const rows = compared.map(({ what, ours, theirs, is_same }) => {
    const sign = createElement('td', 'sign', is_same ? '✓' : '✕')
    sign.dataset['tone'] = is_same ? 'good' : 'bad'
    sign.setAttribute('aria-label', is_same ? texts.same : texts.differs)
    const name = createElement('th', '', what)
    name.scope = 'row'
    return createElement('tr', '', name, createElement('td', '', ours), createElement('td', '', theirs), sign)
  })
  const caption = createElement('caption', 'muted', texts.compared)
  return createElement(
    'table',
    'compared',
    caption,
    createElement('thead', '', head),
    createElement('tbody', '', ...rows),
  )
}
