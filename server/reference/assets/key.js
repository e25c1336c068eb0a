/** The test key for running examples, and the access token made from it. */

import { announce } from './announce.js'

/** @typedef {(word: string, values?: Record<string, string | number>) => string} Say */
/** @typedef {{ text: string, isPublic: boolean }} Key */
/** @typedef {ReturnType<typeof mountKey>} Keys */

const keptAs = 'key'

/**
 * Takes a key from the field, or from `#key=…` of the address if there is none yet; it is removed from the
 * address immediately. The key is kept for this tab only and sent only to the service itself. Live keys are
 * refused.
 *
 * @param {Say} say
 */
export function mountKey(say) {
  const form = document.querySelector('.try')
  const input = form?.querySelector('input')
  const forget = form?.querySelector('.forget')
  const note = form?.querySelector('.note')
  /** @type {Set<() => void>} */
  const listeners = new Set()

  /** @param {string} sentence @param {'good' | 'bad' | ''} tone */
  const tell = (sentence, tone) => {
    if (!(note instanceof HTMLElement)) return
    note.textContent = sentence
    note.dataset['tone'] = tone
    note.hidden = sentence === ''
    announce(sentence)
  }
  const show = () => {
    const key = current()
    form?.classList.toggle('is-ready', key !== undefined)
    if (key) stopAsking()
    if (forget instanceof HTMLElement) forget.hidden = key === undefined
    if (key) tell(say(key.isPublic ? 'readyPublic' : 'ready', { key: masked(key.text) }), 'good')
    for (const listener of listeners) listener()
  }
  /** Stores the key, or returns its fault. @param {string} text */
  const take = (text) => {
    const problem = problemWith(text)
    if (problem) return say(problem)
    sessionStorage.setItem(keptAs, text)
    if (input) input.value = ''
    show()
    return undefined
  }
  /** @param {string} text */
  const takeHere = (text) => {
    const problem = take(text)
    if (problem !== undefined) tell(problem, 'bad')
  }

  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    takeHere((input?.value ?? '').trim())
  })
  forget?.addEventListener('click', () => {
    sessionStorage.removeItem(keptAs)
    tell('', '')
    show()
    input?.focus()
  })
  show()
  const offer = () => {
    const offered = /^#key=(.*)$/.exec(location.hash)?.[1]
    if (offered === undefined) return
    history.replaceState(null, '', location.pathname + location.search)
    // A foreign link must not switch the merchant that the reader works with.
    if (current() === undefined) takeHere(offered)
  }
  addEventListener('hashchange', offer)
  offer()
  return {
    current,
    /** @param {() => void} listener */
    onChange: (listener) => listeners.add(listener),
    /**
     * Asks for the key below a run button, and calls `then` once it is given.
     *
     * @param {HTMLElement} foot
     * @param {() => void} then
     */
    ask: (foot, then) => askBelow(foot, take, then),
  }
}

function stopAsking() {
  for (const asked of document.querySelectorAll('.ask')) asked.remove()
}

/**
 * @param {HTMLElement} foot
 * @param {(text: string) => string | undefined} take
 * @param {() => void} then
 */
function askBelow(foot, take, then) {
  const template = document.querySelector('#ask')
  if (!(template instanceof HTMLTemplateElement)) return
  stopAsking()
  foot.after(template.content.cloneNode(true))
  const form = foot.nextElementSibling
  const input = form?.querySelector('input')
  const note = form?.querySelector('.note')
  const close = () => {
    form?.remove()
    const button = foot.querySelector('.run')
    if (button instanceof HTMLElement) button.focus()
  }
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    const problem = take((input?.value ?? '').trim())
    if (problem === undefined) {
      close()
      return then()
    }
    if (note) note.textContent = problem
    note?.removeAttribute('hidden')
    announce(problem)
    input?.focus()
  })
  form?.addEventListener('keydown', (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Escape') close()
  })
  input?.focus()
}

/** @returns {Key | undefined} */
function current() {
  const text = sessionStorage.getItem(keptAs)
  return text === null ? undefined : { text, isPublic: text.startsWith('pk_') }
}

/** @param {string} text */
function problemWith(text) {
  if (/^[sp]k_live_/.test(text)) return 'liveKey'
  return /^[sp]k_test_\w+$/.test(text) ? undefined : 'strangeKey'
}

/** @param {string} text */
function masked(text) {
  return `${text.slice(0, 8)}…${text.slice(-4)}`
}
