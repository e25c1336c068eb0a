/** Finds operations, parameters, error codes and their descriptions while the reader types. */

/** @import { Say } from './key.js' */

/** @import { Entry, Hit, Part } from './find.js' */

import { folded, hitsIn, searchTextOf } from './find.js'

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
    const isEmpty = input.value.trim() === ''
    results.toggleAttribute('hidden', isEmpty)
    outline.toggleAttribute('hidden', !isEmpty)
    entries ??= entriesOfPage()
    const hits = hitsIn(entries, input.value)
    results.replaceChildren(...hits.map(block))
    const count = hits.reduce((sum, { parts }) => sum + Math.max(1, parts.length), 0)
    found.textContent = isEmpty ? '' : count === 0 ? say('foundNothing') : say('found', { count })
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
 * The arrow keys move from the field through the results, and back.
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

/** Opens a folded part before the browser goes there. @param {string} id */
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
    return { words, title, about, searchText: searchTextOf(about), href: `#${section.id}`, method, parts }
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
    const codes = code.split(' ').map(folded)
    // The lists of codes have the meaning. An operation repeats it, so there the code is enough.
    const about = isOfOperation ? '' : textOf(part, 'td:last-child')
    const name = [textOf(part, 'td:not(:last-child) > code:first-child'), textOf(part, '.status')]
      .filter(Boolean)
      .join(' · ')
    return { words: codes.join(' '), name, codes, isCode: true, about, searchText: searchTextOf(about), href }
  }
  const field = part.getAttribute('data-name')
  const name = field ?? textOf(part, 'h3')
  const about = textOf(part, field === null ? 'p' : ':scope > dd > p')
  return {
    words: folded(name),
    name,
    codes: [],
    isCode: field !== null,
    about,
    searchText: searchTextOf(about),
    href,
  }
}

/**
 * @param {Element} place
 * @param {string} selector
 */
function textOf(place, selector) {
  return [...place.querySelectorAll(selector)].map(({ textContent }) => textContent).join(' ')
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
    const sentence = document.createElement('span')
    sentence.className = 'excerpt'
    sentence.textContent = excerpt
    element.append(' ', sentence)
  }
  return element
}
