import { keep, kept } from './kept.ts'
import type { EntryKind } from './page.ts'
import { element, make, words } from './page.ts'
import { shortened } from './shortened.ts'

/** Something that happened, in this page or on the shop's server. */
export interface Entry {
  kind: EntryKind
  at: string
  /** Of what the server told, its number there. */
  id?: number
  method?: string
  to?: string
  path?: string
  status?: number
  durationMs?: number
  type?: string
  signature?: 'right' | 'wrong'
  isNew?: boolean
  sent?: unknown
  answered?: unknown
  body?: unknown
}

const most = 120
const mostKept = 60

let entries: Entry[] = []
/** The last that the server told, so that it tells nothing twice, and nothing again that was cleared. */
let lastId = 0
const listeners = new Set<(entry: Entry) => void>()

/** Shows what happens, newest on top, from now on and what this tab has seen before. */
export function mountLivePanel(): void {
  lastId = kept('last', 0)
  for (const entry of kept<Entry[]>('entries', [])) show(entry)
  window.addEventListener('demo:request', (event) =>
    addEntry(shortened((event as CustomEvent<Entry>).detail) as Entry),
  )
  const source = new EventSource(`/live?after=${lastId}`)
  source.addEventListener('message', ({ data }) => addEntry(JSON.parse(data) as Entry))
  const panel = element('live', HTMLElement)
  source.addEventListener('open', () => panel.setAttribute('data-open', ''))
  source.addEventListener('error', () => panel.removeAttribute('data-open'))
  element('live-clear', HTMLElement).addEventListener('click', clear)
  const toggle = element('live-toggle', HTMLButtonElement)
  // Beside the shop it is always open, and there is nothing to press.
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

export function addEntry(entry: Entry): void {
  if (entry.id !== undefined) {
    if (entry.id <= lastId) return
    lastId = entry.id
    keep('last', lastId)
  }
  show(entry)
  keep('entries', entries.slice(-mostKept))
  for (const listener of listeners) listener(entry)
}

/** Tells of everything that happens from now on, and of what is shown already. */
export function onEntry(listener: (entry: Entry) => void): void {
  for (const entry of entries) listener(entry)
  listeners.add(listener)
}

function show(entry: Entry): void {
  // What the browser and the server saw at the same time does not arrive in its order.
  const index = entries.findLastIndex(({ at }) => at <= entry.at) + 1
  entries.splice(index, 0, entry)
  const list = element('entries', HTMLElement)
  const above = list.children[entries.length - 1 - index] ?? null
  list.insertBefore(rowOf(entry), above)
  if (entries.length > most) {
    entries = entries.slice(1)
    list.lastElementChild?.remove()
  }
  count()
}

function clear(): void {
  entries = []
  keep('entries', [])
  element('entries', HTMLElement).replaceChildren()
  count()
  element('live-toggle', HTMLElement).focus()
}

function count(): void {
  const { length } = entries
  const pill = element('live-count', HTMLElement)
  pill.textContent = String(length)
  pill.hidden = length === 0
  element('live-empty', HTMLElement).hidden = length > 0
  element('live-clear', HTMLElement).hidden = length === 0
}

function rowOf(entry: Entry): HTMLElement {
  const time = make('time', '', new Date(entry.at).toLocaleTimeString('tr-TR'))
  time.dateTime = entry.at
  const title = make('span', 'title', titleOf(entry))
  const under = make('span', 'under', make('span', 'kind', kindOf(entry)), time, durationOf(entry))
  const details = make('details', '', make('summary', '', title, ...signsOf(entry), under))
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(jsonOf(entry))
  })
  const row = make('li', 'entry', details)
  row.dataset['kind'] = entry.kind
  return row
}

function kindOf({ kind, to }: Entry): string {
  const name = words.kinds[kind]
  if (kind === 'browser') return `${name} → ${to === window.location.origin ? words.toShop : words.toApi}`
  return kind === 'server' ? `${name} → ${words.toApi}` : name
}

function durationOf({ durationMs }: Entry): string {
  return durationMs === undefined ? '' : `${durationMs} ms`
}

function titleOf({ method, path, type }: Entry): string {
  return method === undefined ? (type ?? '') : `${method} ${path}`
}

/** How it went, in a word. */
function signsOf({ status, signature, isNew }: Entry): HTMLElement[] {
  const signs: HTMLElement[] = []
  const sign = (text: string, tone: 'good' | 'bad' | '') => {
    const made = make('span', 'sign', text)
    made.dataset['tone'] = tone
    signs.push(made)
  }
  if (status !== undefined) {
    const isGood = status >= 200 && status < 400
    sign(status === 0 ? words.noAnswer : String(status), isGood ? 'good' : 'bad')
  }
  if (signature) {
    const isRight = signature === 'right'
    sign(isRight ? words.signatureRight : words.signatureWrong, isRight ? 'good' : 'bad')
  }
  if (isNew === false) sign(words.known, '')
  return signs
}

function jsonOf({ sent, answered, body, to }: Entry): HTMLElement {
  const parts = body === undefined ? { ...(to ? { to } : {}), sent, answered } : body
  const code = make('pre', '', JSON.stringify(parts, null, 2) ?? '')
  code.tabIndex = 0
  return code
}
