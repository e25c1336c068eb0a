/** Runs the examples against the service that serves this page. */

/** @import { Field, Ids, Operation } from './request.js' */
/** @import { Sample } from './samples.js' */
/** @import { Key, Say } from './key.js' */
import { idsAfter, kindOf, missing, prepare, sendable, withIds } from './request.js'
import { coloured, curlOf, nodeOf } from './samples.js'

/** @typedef {{ current(): Key | undefined, onChange(listener: () => void): void, ask(): void }} Keys */

const tokenPath = '/v1/token/get-token'
const expired = 911
const shownHeaders = ['X-Request-Id', 'X-Total-Count', 'Link', 'Retry-After']

/** @type {Ids} */
let ids = {}
/** @type {{ key: string, text: string, untilMs: number } | undefined} */
let token

/**
 * @param {Say} say
 * @param {Keys} keys
 */
export function mountRuns(say, keys) {
  const sections = [...document.querySelectorAll('.operation')].filter((each) => each instanceof HTMLElement)
  const refill = () => {
    for (const section of sections) fillIds(section)
  }
  for (const section of sections) {
    const values = section.querySelector('.values')
    const start = async () => {
      await run(section, say, keys)
      refill()
    }
    const edit = section.querySelector('.edit')
    values?.addEventListener('input', ({ target }) => {
      // What the reader typed is theirs: no later example fills over it.
      if (target instanceof HTMLInputElement) delete target.dataset['filled']
      showRequest(section)
    })
    values?.addEventListener('keydown', async (event) => {
      if (event instanceof KeyboardEvent && event.key === 'Enter') await start()
    })
    edit?.addEventListener('click', () => openValues(section, edit.getAttribute('aria-expanded') !== 'true'))
    section.querySelector('.run')?.addEventListener('click', start)
  }
  keys.onChange(() => {
    token = undefined
    for (const section of sections) tell(section, '')
  })
}

/**
 * @param {HTMLElement} section
 * @param {Say} say
 * @param {Keys} keys
 */
async function run(section, say, keys) {
  const operation = operationOf(section)
  const key = keys.current()
  if (!key) return keys.ask()
  if (key.isPublic && operation.credential === 'secret') return tell(section, say('publicKey'))
  const lacking = missing(operation)
  if (lacking.length > 0) {
    openValues(section, true)
    return tell(section, say('fillFirst', { names: lacking.join(', ') }))
  }
  const button = section.querySelector('.run')
  button?.setAttribute('disabled', '')
  tell(section, say('running'))
  try {
    const answer = await sendWithToken(operation, key)
    tell(section, '')
    showAnswer(section, answer, say)
    if (answer.status === 200) ids = idsAfter(ids, operation, answer.json)
  } catch (error) {
    tell(section, say(error instanceof NoToken ? 'noToken' : 'unreachable'))
    if (error instanceof NoToken) showAnswer(section, error.answer, say)
  } finally {
    button?.removeAttribute('disabled')
  }
}

/** @typedef {{ status: number, tookMs: number, headers: Headers, text: string, json: any }} Answer */

class NoToken extends Error {
  /** @param {Answer} answer */
  constructor(answer) {
    super('no token')
    this.answer = answer
  }
}

/**
 * Sends the example with the credential it needs. A token that ended a moment too early is replaced once.
 *
 * @param {Operation} operation
 * @param {Key} key
 * @returns {Promise<Answer>}
 */
async function sendWithToken(operation, key) {
  const prepared = prepare(operation)
  if (operation.credential === 'key') return send(prepared, key.text)
  const answer = await send(prepared, await tokenOf(key))
  if (answer.json?.error_code !== expired) return answer
  token = undefined
  return send(prepared, await tokenOf(key))
}

/**
 * @param {Key} key
 * @returns {Promise<string>}
 */
async function tokenOf(key) {
  const marginMs = 10_000
  if (token?.key === key.text && token.untilMs - marginMs > Date.now()) return token.text
  const answer = await send({ method: 'POST', path: tokenPath, query: [], body: [] }, key.text)
  if (answer.status !== 200) throw new NoToken(answer)
  const { access_token: text, expires_at: until } = answer.json.data
  token = { key: key.text, text, untilMs: Date.parse(until) }
  return text
}

/**
 * @param {ReturnType<typeof prepare>} prepared
 * @param {string} credential
 * @returns {Promise<Answer>}
 */
async function send(prepared, credential) {
  const { url, body, ...options } = sendable(prepared, credential, document.documentElement.lang)
  const startedAt = performance.now()
  // Relative, as everything on the page: the service may be below a path of a proxy.
  const response = await fetch(url.slice(1), { ...options, body: body ?? null, credentials: 'omit' })
  const text = await response.text()
  const tookMs = Math.round(performance.now() - startedAt)
  return { status: response.status, tookMs, headers: response.headers, text, json: jsonIn(text) }
}

/** @param {string} text */
function jsonIn(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @param {HTMLElement} section */
function inputsOf(section) {
  return [...section.querySelectorAll('.values input')].filter((each) => each instanceof HTMLInputElement)
}

/**
 * The operation as its section describes it, with the values that its fields hold now.
 *
 * @param {HTMLElement} section
 * @returns {Operation}
 */
function operationOf(section) {
  const { method = '', path = '', credential } = section.dataset
  const fields = inputsOf(section).map(({ name, value, placeholder, dataset }) => ({
    name,
    value: value.trim(),
    shown: placeholder,
    place: /** @type {Field['place']} */ (dataset['place']),
    kind: /** @type {Field['kind']} */ (dataset['kind']),
  }))
  return { method, path, credential: /** @type {Operation['credential']} */ (credential), fields }
}

/**
 * Puts the ids that are known into the fields that ask for them; those that were put there before may change or go.
 *
 * @param {HTMLElement} section
 */
function fillIds(section) {
  const inputs = inputsOf(section)
  for (const input of inputs) if (input.dataset['filled'] !== undefined) input.value = ''
  const operation = operationOf(section)
  withIds(operation, ids).fields.forEach((field, index) => {
    const input = inputs[index]
    if (!input || kindOf(operation.path, field) === undefined || input.value === field.value) return
    input.value = field.value
    input.dataset['filled'] = ''
  })
  showRequest(section)
}

/** @param {HTMLElement} section */
function showRequest(section) {
  const operation = operationOf(section)
  const base = document.body.dataset['base'] ?? ''
  paint(section.querySelector('.request [data-language="curl"]'), curlOf(operation, base), 'curl')
  paint(section.querySelector('.request [data-language="node"]'), nodeOf(operation, base), 'node')
}

/**
 * @param {HTMLElement} section
 * @param {Answer} answer
 * @param {Say} say
 */
function showAnswer(section, { status, tookMs, headers, text, json }, say) {
  const card = section.querySelector('.answer')
  const badge = card?.querySelector('.status')
  const title = card?.querySelector('.card-title')
  if (!card || !badge || !title) return
  card.classList.add('is-real')
  title.textContent = say('answered')
  badge.textContent = `${status} · ${say('took', { ms: tookMs })}`
  badge.className = `status ${status < 400 ? 'good' : 'bad'}`
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
  card.querySelector('.answer-headers')?.remove()
  card.querySelector('pre')?.before(list)
  paint(card.querySelector('pre'), json === undefined ? text : JSON.stringify(json, null, 2), 'json')
}

/**
 * Text goes in as text: nothing that the service answers can become markup.
 *
 * @param {Element | null} block
 * @param {string} text
 * @param {Sample} language
 */
function paint(block, text, language) {
  const pieces = coloured(text, language).map(({ kind, text: piece }) => {
    if (kind === '') return piece
    const span = document.createElement('span')
    span.className = kind
    span.textContent = piece
    return span
  })
  block?.querySelector('code')?.replaceChildren(...pieces)
  if (block) block.scrollTop = 0
}

/**
 * @param {HTMLElement} section
 * @param {boolean} isOpen
 */
function openValues(section, isOpen) {
  section.querySelector('.edit')?.setAttribute('aria-expanded', String(isOpen))
  section.querySelector('.values')?.toggleAttribute('hidden', !isOpen)
}

/**
 * @param {HTMLElement} section
 * @param {string} sentence
 */
function tell(section, sentence) {
  const note = section.querySelector('.note')
  if (note) note.textContent = sentence
  note?.toggleAttribute('hidden', sentence === '')
}
