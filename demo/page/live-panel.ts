import { maskSecrets } from './mask-secrets.ts'
import type { EntryKind } from './page.ts'
import { createElement, language, priceText, requiredElement, texts } from './page.ts'
import { paymentIn } from './payment-in.ts'
import { loadFromSession, saveInSession } from './session-storage.ts'

/** An entry of the live feed, from this page or from the shop's server. */
export interface LiveEntry {
  kind: EntryKind
  at: string
  /** Number that the server gave the entry; absent for entries of this page. */
  id?: number
  method?: string
  to?: string
  path?: string
  status?: number
  durationMs?: number
  type?: string
  isNew?: boolean
  sent?: unknown
  answered?: unknown
  body?: unknown
}

const most = 120
const maxSaved = 60

let entries: LiveEntry[] = []
/** Last entry from the server, so that the server repeats neither shown nor cleared entries. */
let lastId = 0
const listeners = new Set<(entry: LiveEntry) => void>()
/** Amount of each transaction, for entries that name only the transaction. */
const amountsMinor = new Map<string, number>()

/** Shows the live feed, newest on top: the entries stored in this tab, then new ones. */
export function mountLivePanel(): void {
  lastId = loadFromSession('last', 0)
  for (const entry of loadFromSession<LiveEntry[]>('entries', [])) show(entry)
  window.addEventListener('demo:request', (event) =>
    addEntry(maskSecrets((event as CustomEvent<LiveEntry>).detail) as LiveEntry),
  )
  const source = new EventSource(`/live?after=${lastId}`)
  source.addEventListener('message', ({ data }) => addEntry(JSON.parse(data) as LiveEntry))
  const panel = requiredElement('live', HTMLElement)
  source.addEventListener('open', () => panel.setAttribute('data-open', ''))
  source.addEventListener('error', () => panel.removeAttribute('data-open'))
  requiredElement('live-clear', HTMLElement).addEventListener('click', clear)
  const toggle = requiredElement('live-toggle', HTMLButtonElement)
  // On wide screens the panel is always open, and the button has no function.
  const wide = window.matchMedia('(min-width: 1080px)')
  const settle = () => {
    toggle.disabled = wide.matches
  }
  wide.addEventListener('change', settle)
  settle()
  toggle.addEventListener('click', () => {
    const isOpen = panel.toggleAttribute('data-unfolded')
    toggle.setAttribute('aria-expanded', String(isOpen))
  })
}

export function addEntry(entry: LiveEntry): void {
  if (entry.id !== undefined) {
    if (entry.id <= lastId) return
    lastId = entry.id
    saveInSession('last', lastId)
  }
  show(entry)
  saveInSession('entries', entries.slice(-maxSaved))
  announce(entry)
  for (const listener of listeners) listener(entry)
}

/** Calls the listener with each existing entry and each new one. */
export function onEntry(listener: (entry: LiveEntry) => void): void {
  for (const entry of entries) listener(entry)
  listeners.add(listener)
}

function show(entry: LiveEntry): void {
  // Entries of the browser and of the server can arrive out of order.
  const index = entries.findLastIndex(({ at }) => at <= entry.at) + 1
  entries.splice(index, 0, entry)
  const list = requiredElement('entries', HTMLElement)
  const above = list.children[entries.length - 1 - index] ?? null
  list.insertBefore(rowOf(entry), above)
  if (entries.length > most) {
    entries = entries.slice(1)
    list.lastElementChild?.remove()
  }
  count()
}

/** Announces a webhook. The requests before it would be too many words. */
function announce(entry: LiveEntry): void {
  if (entry.kind !== 'webhook') return
  const words = [texts.kinds.webhook, entry.type, paymentOf(entry), texts.signatureValid]
  requiredElement('live-said', HTMLElement).textContent = words.join(', ')
}

function clear(): void {
  entries = []
  saveInSession('entries', [])
  requiredElement('entries', HTMLElement).replaceChildren()
  count()
  requiredElement('live-toggle', HTMLElement).focus()
}

function count(): void {
  const { length } = entries
  const pill = requiredElement('live-count', HTMLElement)
  pill.textContent = String(length)
  pill.hidden = length === 0
  requiredElement('live-empty', HTMLElement).hidden = length > 0
  requiredElement('live-clear', HTMLElement).hidden = length === 0
}

function rowOf(entry: LiveEntry): HTMLElement {
  const time = createElement(
    'time',
    '',
    new Date(entry.at).toLocaleTimeString(language === 'tr' ? 'tr-TR' : 'en-GB'),
  )
  time.dateTime = entry.at
  const title = createElement('span', 'title', titleOf(entry))
  const under = createElement(
    'span',
    'under',
    createElement('span', 'kind', kindOf(entry)),
    time,
    createElement('span', 'payment', paymentOf(entry)),
  )
  const details = createElement(
    'details',
    '',
    createElement('summary', '', title, createElement('span', 'signs', ...signsOf(entry)), under),
  )
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(jsonOf(entry))
  })
  const row = createElement('li', 'entry', details)
  row.dataset['kind'] = entry.kind
  return row
}

function kindOf({ kind, to }: LiveEntry): string {
  const name = texts.kinds[kind]
  if (kind === 'browser') return `${name} → ${to === window.location.origin ? texts.toShop : texts.toApi}`
  return kind === 'server' ? `${name} → ${texts.toApi}` : name
}

function titleOf({ method, path, type }: LiveEntry): string {
  return method === undefined ? (type ?? '') : `${method} ${path}`
}

/** Transaction and amount of an entry: `10000000000123 · ₺189.90`. */
function paymentOf(entry: LiveEntry): string {
  const { transaction, amountMinor = amountsMinor.get(transaction ?? '') } = paymentIn(entry)
  if (transaction !== undefined && amountMinor !== undefined) amountsMinor.set(transaction, amountMinor)
  const amount = amountMinor === undefined ? undefined : priceText(amountMinor)
  return [transaction, amount].filter((text) => text !== undefined).join(' · ')
}

/** Result of an entry, in a word. */
function signsOf({ kind, status, durationMs, isNew }: LiveEntry): HTMLElement[] {
  const signs: HTMLElement[] = []
  const sign = (text: string, tone: 'good' | 'bad' | '') => {
    const made = createElement('span', 'sign', text)
    made.dataset['tone'] = tone
    signs.push(made)
  }
  if (durationMs !== undefined) sign(`${durationMs} ms`, '')
  if (status !== undefined) {
    const isGood = status >= 200 && status < 400
    sign(status === 0 ? texts.noAnswer : String(status), isGood ? 'good' : 'bad')
  }
  if (kind === 'webhook') sign(texts.signatureValid, 'good')
  if (isNew === false) sign(texts.known, '')
  return signs
}

function jsonOf({ sent, answered, body, to }: LiveEntry): HTMLElement {
  const parts = body === undefined ? { ...(to ? { to } : {}), sent, answered } : body
  const code = createElement('pre', '', JSON.stringify(parts, null, 2) ?? '')
  code.tabIndex = 0
  return code
}
