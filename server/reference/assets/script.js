/** Functions of the page beyond reading: search, copy, choose a sample, run an example. */

import { mountKey } from './key.js'
import { mountRuns } from './run.js'
import { mountSearch } from './search.js'

/** @type {Record<string, string>} */
const words = JSON.parse(document.body.dataset['words'] ?? '{}')

/**
 * A sentence in the page's language, with the values inserted.
 *
 * @param {string} word
 * @param {Record<string, string | number>} [values]
 * @returns {string}
 */
const say = (word, values = {}) =>
  (words[word] ?? '').replaceAll(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

const closeMenu = mountMenu()
mountSearch(say, closeMenu)
mountCopying()
mountTabs()
mountPlace()
mountRuns(say, mountKey(say))

/** On a narrow screen the contents open over the page; following a link closes them. */
function mountMenu() {
  const button = document.querySelector('.menu')
  const contents = document.getElementById('contents')
  /** @param {boolean} isOpen */
  const open = (isOpen) => {
    button?.setAttribute('aria-expanded', String(isOpen))
    document.documentElement.classList.toggle('menu-open', isOpen)
  }
  button?.addEventListener('click', () => open(button.getAttribute('aria-expanded') !== 'true'))
  contents?.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) open(false)
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || button?.getAttribute('aria-expanded') !== 'true') return
    open(false)
    if (button instanceof HTMLElement) button.focus()
  })
  return () => open(false)
}

function mountCopying() {
  document.addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest('.copy') : null
    const blocks = button?.closest('.card')?.querySelectorAll('pre') ?? []
    const block = [...blocks].find((each) => each.offsetParent !== null)
    if (!button || !block) return
    const label = button.textContent
    // Only a secure page may write to the clipboard; elsewhere the text is selected, ready to be copied.
    const isCopied = await copy(block.textContent ?? '')
    if (!isCopied) return getSelection()?.selectAllChildren(block)
    button.textContent = say('copied')
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  })
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The choice of a sample language applies to all samples. */
function mountTabs() {
  /** @param {string} value */
  const choose = (value) => {
    for (const tab of document.querySelectorAll('.tabs input')) {
      if (tab instanceof HTMLInputElement) tab.checked = tab.value === value
    }
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.tabs')) return
    const topBefore = target.getBoundingClientRect().top
    choose(target.value)
    // The samples above have changed their height; the visible part must stay in place.
    scrollBy({ top: target.getBoundingClientRect().top - topBefore, behavior: 'instant' })
    sessionStorage.setItem('sample', target.value)
  })
  const chosen = sessionStorage.getItem('sample')
  if (chosen !== null) choose(chosen)
}

/** Marks the reader's position in the contents, and keeps it when the language changes. */
function mountPlace() {
  const sections = [...document.querySelectorAll('main section[id]')]
  const links = new Map(
    [...document.querySelectorAll('.outline a')].map((link) => [link.getAttribute('href')?.slice(1), link]),
  )
  let here = ''
  const look = () => {
    const passed = sections.filter((section) => section.getBoundingClientRect().top < innerHeight / 3)
    const id = passed.at(-1)?.id ?? 'introduction'
    if (id === here) return
    links.get(here)?.removeAttribute('aria-current')
    links.get(id)?.setAttribute('aria-current', 'location')
    here = id
    const link = links.get(id)
    const list = link?.closest('.contents')
    if (link instanceof HTMLElement && list) keepInSight(link, list)
  }
  let isWaiting = false
  document.addEventListener('scroll', () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      look()
    })
  })
  look()
  for (const link of document.querySelectorAll('.languages a')) {
    link.addEventListener('click', () => {
      look()
      if (link instanceof HTMLAnchorElement && here !== 'introduction') link.hash = here
    })
  }
}

/**
 * @param {HTMLElement} link
 * @param {Element} list
 */
function keepInSight(link, list) {
  const { top, bottom } = link.getBoundingClientRect()
  const box = list.getBoundingClientRect()
  if (top < box.top + 80 || bottom > box.bottom - 40) list.scrollTop += top - box.top - box.height / 2
}
