/** Finds operations, parameters and error codes as one types. */

/** @import { Say } from './key.js' */

/** @typedef {{ words: string, name: string, href: string }} Part */
/** @typedef {{ words: string, title: string, href: string, method: string, parts: Part[] }} Entry */

const shownPartsAtMost = 4

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
    results.replaceChildren(...hits.map(block))
    const count = hits.reduce((sum, { parts, isItself }) => sum + parts.length + (isItself ? 1 : 0), 0)
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
    const parts = [...section.querySelectorAll('[data-name], [data-code]')].map((part) => {
      const name = part.getAttribute('data-name') ?? part.getAttribute('data-code') ?? ''
      const status = part.hasAttribute('data-code') ? (part.querySelector('.status')?.textContent ?? '') : ''
      return { words: folded(name), name: status === '' ? name : `${name} · ${status}`, href: `#${part.id}` }
    })
    return { words: folded(`${title} ${method} ${path}`), title, href: `#${section.id}`, method, parts }
  })
}

/**
 * @param {Entry} entry
 * @param {string[]} wanted
 * @returns {(Entry & { isItself: boolean })[]}
 */
function hitOf(entry, wanted) {
  const isItself = wanted.every((word) => entry.words.includes(word))
  const parts = entry.parts
    .filter(({ words }) => wanted.some((word) => words.includes(word)))
    .filter(({ words }) => wanted.every((word) => `${entry.words} ${words}`.includes(word)))
    .slice(0, shownPartsAtMost)
  return isItself || parts.length > 0 ? [{ ...entry, parts, isItself }] : []
}

/** @param {Entry} entry */
function block({ title, href, method, parts }) {
  const box = document.createElement('div')
  const head = link(title, href)
  if (method !== '') {
    const badge = document.createElement('span')
    badge.className = `method ${method.toLowerCase()}`
    badge.textContent = method
    head.append(' ', badge)
  }
  box.append(head, ...parts.map((part) => link(part.name, part.href, 'part')))
  return box
}

/**
 * @param {string} text
 * @param {string} href
 * @param {string} [className]
 */
function link(text, href, className = '') {
  const element = document.createElement('a')
  element.href = href
  element.textContent = text
  element.className = className
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
