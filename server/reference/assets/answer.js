/** The card of a response: an example at first, then the service's real response. */

/** @import { Say } from './key.js' */
/** @import { Sample } from './samples.js' */
import { announce } from './announce.js'
import { coloured } from './samples.js'

/** @typedef {{ status: number, tookMs: number, headers: Headers, text: string, json: any }} Answer */

const shownHeaders = ['X-Request-Id', 'X-Total-Count', 'Link', 'Retry-After']

/** Height of a card that must be visible for it to be noticed. */
const noticedPx = 160

/** @type {Map<Element, Node>} Examples that a real response has replaced. */
const examples = new Map()

/**
 * @param {HTMLElement} section
 * @param {Answer} answer
 * @param {Say} say
 */
export function showAnswer(section, { status, tookMs, headers, text, json }, say) {
  const card = section.querySelector('.answer')
  const badge = card?.querySelector('.status')
  const title = card?.querySelector('.card-title')
  if (!card || !badge || !title) return
  if (!examples.has(card)) examples.set(card, card.cloneNode(true))
  card.classList.add('is-real')
  title.textContent = say('answered')
  badge.textContent = `${status} · ${say('took', { ms: tookMs })}`
  badge.className = `status ${status < 400 ? 'good' : 'bad'}`
  card.querySelector('.answer-headers')?.remove()
  card.querySelector('pre')?.before(headerList(headers))
  paint(card.querySelector('pre'), json === undefined ? text : JSON.stringify(json, null, 2), 'json')
  announce(`${title.textContent}: ${badge.textContent}`)
  if (!isNoticed(card)) card.scrollIntoView({ block: 'nearest' })
}

/**
 * Replaces responses that show a deleted record by their examples.
 *
 * @param {string} id
 */
export function clearAnswersWith(id) {
  for (const [card, example] of examples) {
    if (!new RegExp(`\\b${id}\\b`).test(card.querySelector('pre')?.textContent ?? '')) continue
    card.replaceWith(example)
    examples.delete(card)
  }
}

/** @param {Element} card */
function isNoticed(card) {
  const { top, height } = card.getBoundingClientRect()
  // While its keyboard is open, a phone shows less than the window.
  const bottom = visualViewport?.height ?? innerHeight
  return top >= 0 && top + Math.min(height, noticedPx) <= bottom
}

/** @param {Headers} headers */
function headerList(headers) {
  const list = document.createElement('dl')
  list.className = 'answer-headers'
  for (const name of shownHeaders) {
    const value = headers.get(name)
    if (value === null) continue
    const [term, description] = [document.createElement('dt'), document.createElement('dd')]
    term.textContent = name
    description.textContent = value
    list.append(term, description)
  }
  return list
}

/** Longer text is shown in one colour: colouring would create hundreds of thousands of elements. */
const colouredAtMost = 200_000

/**
 * Inserts text as text nodes, so that no response can become markup.
 *
 * @param {Element | null} block
 * @param {string} text
 * @param {Sample} language
 */
export function paint(block, text, language) {
  const parts = text.length > colouredAtMost ? [{ kind: '', text }] : coloured(text, language)
  const pieces = parts.map(({ kind, text: piece }) => {
    if (kind === '') return piece
    const span = document.createElement('span')
    span.className = kind
    span.textContent = piece
    return span
  })
  block?.querySelector('code')?.replaceChildren(...pieces)
  if (block) block.scrollLeft = 0
}
