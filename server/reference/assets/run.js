/** Runs the examples against the service that serves this page. */

/** @import { Field, Ids, Operation } from './request.js' */
/** @import { Answer } from './answer.js' */
/** @import { Key, Keys, Say } from './key.js' */
import { announce } from './announce.js'
import { clearAnswersWith, paint, showAnswer } from './answer.js'
import { deletedId, idsAfter, kindOf, missing, prepare, sendable, withIds } from './request.js'
import { curlOf, nodeOf } from './samples.js'

const tokenPath = '/v1/token/get-token'
const expired = 911

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
      const foot = section.querySelector('.card-foot')
      if (!keys.current() && foot instanceof HTMLElement) return keys.ask(foot, start)
      await run(section, say, keys)
      refill()
    }
    const edit = section.querySelector('.edit')
    values?.addEventListener('input', ({ target }) => {
      // Typed values belong to the reader: no later example overwrites them.
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
  const button = section.querySelector('.run')
  if (!key || button?.getAttribute('aria-disabled') === 'true') return
  if (key.isPublic && operation.credential === 'secret') return tell(section, say('publicKey'))
  const lacking = missing(operation)
  if (lacking.length > 0) {
    openValues(section, true)
    const isIdLacking = operation.fields.some(({ place, value }) => place === 'path' && value === '')
    return tell(section, say(isIdLacking ? 'makeFirst' : 'fillFirst', { names: lacking.join(', ') }))
  }
  // A disabled button would lose the focus.
  button?.setAttribute('aria-disabled', 'true')
  tell(section, say('running'))
  try {
    const answer = await sendWithToken(operation, key)
    tell(section, '')
    showAnswer(section, answer, say)
    if (answer.status === 200) remember(operation, answer)
  } catch (error) {
    tell(section, say(error instanceof NoToken ? 'noToken' : 'unreachable'))
    if (error instanceof NoToken) showAnswer(section, error.answer, say)
  } finally {
    button?.removeAttribute('aria-disabled')
  }
}

/**
 * @param {Operation} operation
 * @param {Answer} answer
 */
function remember(operation, answer) {
  ids = idsAfter(ids, operation, answer.json)
  const gone = deletedId(operation)
  if (gone !== undefined) clearAnswersWith(gone)
}

class NoToken extends Error {
  /** @param {Answer} answer */
  constructor(answer) {
    super('no token')
    this.answer = answer
  }
}

/**
 * Sends the example with the credential it needs. A token that has just expired is replaced once.
 *
 * @param {Operation} operation
 * @param {Key} key
 * @returns {Promise<Answer>}
 */
async function sendWithToken(operation, key) {
  const prepared = prepare(operation)
  const idempotencyKey = freshKey()
  if (operation.credential === 'key') return send(prepared, key.text, idempotencyKey)
  const answer = await send(prepared, await tokenOf(key), idempotencyKey)
  if (answer.json?.error_code !== expired) return answer
  token = undefined
  return send(prepared, await tokenOf(key), idempotencyKey)
}

/**
 * @param {Key} key
 * @returns {Promise<string>}
 */
async function tokenOf(key) {
  const marginMs = 10_000
  if (token?.key === key.text && token.untilMs - marginMs > Date.now()) return token.text
  const asked = { method: 'POST', path: tokenPath, query: [], body: [], isKeyed: false }
  const answer = await send(asked, key.text, '')
  if (answer.status !== 200) throw new NoToken(answer)
  const { access_token: text, expires_at: until } = answer.json.data
  token = { key: key.text, text, untilMs: Date.parse(until) }
  return text
}

/** Made without `crypto.randomUUID`, which is available only in secure contexts. */
function freshKey() {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-')
}

/**
 * @param {ReturnType<typeof prepare>} prepared
 * @param {string} credential
 * @param {string} idempotencyKey
 * @returns {Promise<Answer>}
 */
async function send(prepared, credential, idempotencyKey) {
  const sender = { credential, language: document.documentElement.lang, idempotencyKey }
  const { url, body, ...options } = sendable(prepared, sender)
  const startedAt = performance.now()
  // Relative, like all addresses on the page: the service may be below a path of a proxy.
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
 * The operation that its section describes, with the current values of its fields.
 *
 * @param {HTMLElement} section
 * @returns {Operation}
 */
function operationOf(section) {
  const { method = '', path = '', credential, keyed, image } = section.dataset
  const fields = inputsOf(section).map(({ name, value, placeholder, required, dataset }) => ({
    name,
    value: value.trim(),
    shown: placeholder,
    place: /** @type {Field['place']} */ (dataset['place']),
    kind: /** @type {Field['kind']} */ (dataset['kind']),
    isRequired: required,
  }))
  return {
    method,
    path,
    credential: /** @type {Operation['credential']} */ (credential),
    fields,
    isKeyed: keyed !== undefined,
    isImage: image !== undefined,
  }
}

/**
 * Fills known ids into the fields that need them. Ids filled in earlier may be replaced or removed.
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
  if (sentence !== '') announce(sentence)
}
