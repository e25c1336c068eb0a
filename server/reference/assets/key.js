/** The test key that examples are run with, and the access token made from it. */

/** @typedef {(word: string, values?: Record<string, string | number>) => string} Say */
/** @typedef {{ text: string, isPublic: boolean }} Key */

const place = 'key'

/**
 * Takes a key from the field, or from `#key=…` of the address, out of which it is removed at once. It is kept for this
 * tab alone and never leaves it but to the service itself. Live keys are not taken at all.
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
  }
  const show = () => {
    const key = current()
    form?.classList.toggle('is-ready', key !== undefined)
    if (forget instanceof HTMLElement) forget.hidden = key === undefined
    if (key) tell(say(key.isPublic ? 'readyPublic' : 'ready', { key: masked(key.text) }), 'good')
    for (const listener of listeners) listener()
  }
  /** @param {string} text */
  const take = (text) => {
    const problem = problemWith(text)
    if (problem) return tell(say(problem), 'bad')
    sessionStorage.setItem(place, text)
    if (input) input.value = ''
    show()
  }

  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    take((input?.value ?? '').trim())
  })
  forget?.addEventListener('click', () => {
    sessionStorage.removeItem(place)
    tell('', '')
    show()
    input?.focus()
  })
  show()
  const offer = () => {
    const offered = /^#key=(.*)$/.exec(location.hash)?.[1]
    if (offered === undefined) return
    history.replaceState(null, '', location.pathname + location.search)
    take(offered)
  }
  addEventListener('hashchange', offer)
  offer()
  return {
    current,
    /** @param {() => void} listener */
    onChange: (listener) => listeners.add(listener),
    /** Leads the reader to the field. */
    ask: () => {
      tell(say('keyFirst'), '')
      form?.scrollIntoView({ block: 'center' })
      input?.focus({ preventScroll: true })
    },
  }
}

/** @returns {Key | undefined} */
function current() {
  const text = sessionStorage.getItem(place)
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
