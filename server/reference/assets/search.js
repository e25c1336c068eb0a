/** Finds operations, parameters, error codes and what is said of them as one types. */

/** @import { Say } from './key.js' */

/** @typedef {{ words: string, name: string, isCode: boolean, about: string, told: string, href: string }} Part */
/**
 * @typedef {{ words: string, title: string, about: string, told: string, href: string, method: string, parts: Part[] }} Entry
 */
/** @typedef {{ name: string, isCode: boolean, href: string, excerpt: string }} FoundPart */
/** @typedef {{ entry: Entry, rank: number, parts: FoundPart[] }} Hit */

const shownPartsAtMost = 4

/** A shorter word stands in too many sentences to mean one of them. */
const shortestWordOfText = 3

/**
 * @param {Say} say
 * @param {() => void} closeMenu
 */
export function mountSearch(say, closeMenu) {
  const input = document.querySelector('#search')
  const results = document.querySelector('.results')
  const outline = document.querySelector('.outline')
  const found = document.querySelector('#found')
  if (!(input instanceof HTMLInputElement) || !results || !outline || !found) return
  /** @type {Entry[] | undefined} */
  let entries

  const show = () => {
    const wanted = folded(input.value).split(/\s+/).filter(Boolean)
    results.toggleAttribute('hidden', wanted.length === 0)
    outline.toggleAttribute('hidden', wanted.length > 0)
    entries ??= entriesOfPage()
    const hits = wanted.length === 0 ? [] : entries.flatMap((entry) => hitOf(entry, wanted))
    hits.sort((a, b) => a.rank - b.rank)
    results.replaceChildren(...hits.map(block))
    const count = hits.reduce((sum, { rank, parts }) => sum + parts.length + (rank === 0 ? 1 : 0), 0)
    found.textContent = wanted.length === 0 ? '' : count === 0 ? say('foundNothing') : say('found', { count })
  }
  const clear = () => {
    input.value = ''
    show()
  }

  input.addEventListener('input', show)
  input.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const first = results.querySelector('a')
    first?.click()
  })
  results.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link) reveal(link.hash.slice(1))
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      input.focus()
      input.select()
    } else if (event.key === 'Escape' && event.target === input) {
      clear()
      input.blur()
      closeMenu()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event, input, results)
  })
}

/**
 * The arrows walk from the field through what was found, and back.
 *
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {Element} results
 */
function step(event, input, results) {
  /** @type {(Element | null)[]} */
  const stops = [input, ...results.querySelectorAll('a')]
  const here = stops.indexOf(document.activeElement)
  const next = stops[here + (event.key === 'ArrowDown' ? 1 : -1)]
  if (here < 0 || !(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

/** What is folded away is opened before the browser goes there. @param {string} id */
function reveal(id) {
  let place = document.getElementById(id)?.parentElement?.closest('details')
  while (place) {
    place.open = true
    place = place.parentElement?.closest('details')
  }
}

/** @returns {Entry[]} */
function entriesOfPage() {
  const sections = [...document.querySelectorAll('main .entry')].filter((each) => each instanceof HTMLElement)
  return sections.map((section) => {
    const title = section.querySelector('h1, h2:not(.card-title), h3')?.textContent ?? ''
    const { method = '', path = '' } = section.dataset
    const about = textOf(section, ':scope > .text > p:not(.endpoint, .credential)')
    const isOperation = section.classList.contains('operation')
    const parts = [...section.querySelectorAll('[data-name], [data-code], .topic')].map((part) =>
      partOf(part, isOperation),
    )
    const schema = textOf(section, ':scope > .text > .endpoint')
    const words = folded(`${title} ${method} ${path} ${schema}`)
    return { words, title, about, told: toldIn(about), href: `#${section.id}`, method, parts }
  })
}

/**
 * @param {Element} part
 * @param {boolean} isOfOperation
 * @returns {Part}
 */
function partOf(part, isOfOperation) {
  const href = `#${part.id}`
  const code = part.getAttribute('data-code')
  if (code !== null) {
    // What a code means is told with every operation; it is enough to find it once, among the errors.
    const about = isOfOperation ? '' : textOf(part, 'td:last-child')
    const name = `${code} · ${textOf(part, '.status')}`
    return { words: folded(code), name, isCode: true, about, told: toldIn(about), href }
  }
  const field = part.getAttribute('data-name')
  const name = field ?? textOf(part, 'h3')
  const about = textOf(part, field === null ? 'p' : ':scope > dd > p')
  return { words: folded(name), name, isCode: field !== null, about, told: toldIn(about), href }
}

/**
 * @param {Element} place
 * @param {string} selector
 */
function textOf(place, selector) {
  return [...place.querySelectorAll(selector)].map(({ textContent }) => textContent).join(' ')
}

/** The words of a text, each with a space before it, so that a search can ask for their beginnings. @param {string} text */
function toldIn(text) {
  return ` ${folded(text).replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')}`
}

/**
 * Names come before what is said of them: an entry is found by its own name, by that of a part, or by a sentence.
 *
 * @param {Entry} entry
 * @param {string[]} wanted
 * @returns {Hit[]}
 */
function hitOf(entry, wanted) {
  const isItself = wanted.every((word) => entry.words.includes(word))
  const named = entry.parts
    .filter(({ words }) => wanted.some((word) => words.includes(word)))
    .filter(({ words }) => wanted.every((word) => `${entry.words} ${words}`.includes(word)))
  // Who finds the whole entry by its name needs no sentences out of it.
  const told = isItself
    ? []
    : [{ ...entry, name: '', isCode: false }, ...entry.parts]
        .filter((part) => !named.some(({ href }) => href === part.href))
        .filter((part) => isTold(part.told, `${entry.words} ${part.words}`, wanted))
  if (!isItself && named.length === 0 && told.length === 0) return []
  const parts = [
    ...named.map((part) => ({ ...part, excerpt: '' })),
    ...told.map((part) => ({ ...part, excerpt: excerptOf(part.about, wanted) })),
  ]
  const rank = isItself ? 0 : named.length > 0 ? 1 : 2
  return [{ entry, rank, parts: parts.slice(0, shownPartsAtMost) }]
}

/**
 * Whether a text has words that are wanted, and names have the others.
 *
 * @param {string} told
 * @param {string} names
 * @param {string[]} wanted
 */
function isTold(told, names, wanted) {
  /** @param {string} word */
  const has = (word) => word.length >= shortestWordOfText && told.includes(` ${word}`)
  return wanted.some(has) && wanted.every((word) => has(word) || names.includes(word))
}

/**
 * The first sentence that has one of the words; of a long one the part around it, so that it can be seen.
 *
 * @param {string} about
 * @param {string[]} wanted
 */
function excerptOf(about, wanted) {
  /** @param {string} text */
  const has = (text) => wanted.some((word) => toldIn(text).includes(` ${word}`))
  const words = (about.split(/(?<=\.) /).find(has) ?? about).split(' ')
  const place = words.findIndex(has)
  return place < 7 ? words.join(' ') : `… ${words.slice(place - 3).join(' ')}`
}

/** @param {Hit} hit */
function block({ entry: { title, href, method }, parts }) {
  const box = document.createElement('div')
  const head = link(title, href)
  if (method !== '') {
    const badge = document.createElement('span')
    badge.className = `method ${method.toLowerCase()}`
    badge.textContent = method
    head.append(' ', badge)
  }
  box.append(head)
  for (const part of parts)
    box.append(link(part.name, part.href, part.isCode ? 'part code' : 'part', part.excerpt))
  return box
}

/**
 * @param {string} text
 * @param {string} href
 * @param {string} [className]
 * @param {string} [excerpt]
 */
function link(text, href, className = '', excerpt = '') {
  const element = document.createElement('a')
  element.href = href
  element.textContent = text
  element.className = className
  if (excerpt !== '') {
    const said = document.createElement('span')
    said.className = 'excerpt'
    said.textContent = excerpt
    element.append(' ', said)
  }
  return element
}

/**
 * Without regard to case or to the dots and tails of Turkish letters: `musteri` finds `Müşteri`.
 *
 * @param {string} text
 */
function folded(text) {
  return text.toLocaleLowerCase('tr').normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')
}
