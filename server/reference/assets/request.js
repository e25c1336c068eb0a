/**
 * Turns an example into a request. The page's script, the samples on the page and the test of all examples
 * use these functions, so the shown, tested and sent requests cannot differ.
 */

/**
 * @typedef {object} Field A parameter of an operation that can be edited.
 * @property {string} name
 * @property {'path' | 'query' | 'body'} place
 * @property {'text' | 'number' | 'flag' | 'json'} kind
 * @property {string} value Value that the example sends; blank sends nothing.
 * @property {string} shown Placeholder in a sample while the value is blank; only required fields have one.
 * @property {boolean} isRequired
 */

/**
 * @typedef {object} Operation
 * @property {string} method
 * @property {string} path With its parameters in braces: `/v1/notes/{note_id}`.
 * @property {'key' | 'secret' | 'any'} credential
 * @property {Field[]} fields
 * @property {boolean} isKeyed True if it is sent with an `Idempotency-Key`.
 * @property {boolean} [isImage] True if its body is an image.
 */

/**
 * @typedef {object} Prepared A request without its address and credential.
 * @property {string} method
 * @property {string} path
 * @property {[string, string][]} query
 * @property {Field[]} body
 * @property {boolean} isKeyed
 * @property {boolean} [isImage]
 */

/**
 * @typedef {object} Sender Credential, language and key of a request.
 * @property {string} credential
 * @property {string} language
 * @property {string} idempotencyKey Kept when the request is repeated. Sent only if the operation is keyed.
 */

/** @typedef {Readonly<Record<string, string>>} Ids Id of the last created record of each kind: `customer`. */

/** The image that an example sends: a blue square. */
const examplePng =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEULX/+7DnwtAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NgoA4AAABIAAH/myMhAAAAAElFTkSuQmCC'

/**
 * @param {Operation} operation
 * @returns {Prepared}
 */
export function prepare({ method, path, fields, isKeyed, isImage = false }) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const field = fields.find((each) => each.place === 'path' && each.name === name)
    const value = field?.value || field?.shown
    return value ? encodeURIComponent(value) : whole
  })
  return {
    method,
    path: filled,
    query: fields
      .filter((field) => field.place === 'query' && (field.value || field.shown) !== '')
      .map(({ name, value, shown }) => [name, value || shown]),
    body: fields
      .filter((field) => field.place === 'body' && (field.value || field.shown) !== '')
      .map((field) => ({ ...field, value: field.value || field.shown })),
    isKeyed,
    isImage,
  }
}

/**
 * The request as `fetch` takes it. A body is sent as a form, in which a list or an object is JSON in one
 * field.
 *
 * @param {Prepared} prepared
 * @param {Sender} sender
 * @returns {{ url: string, method: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer> | undefined }}
 */
export function sendable(prepared, { credential, language, idempotencyKey }) {
  const { method, path, query, body, isKeyed, isImage } = prepared
  const asked = query.length > 0 ? `?${new URLSearchParams(query)}` : ''
  /** @type {Record<string, string>} */
  const headers = { authorization: `Bearer ${credential}`, 'accept-language': language }
  if (isKeyed) headers['idempotency-key'] = idempotencyKey
  if (body.length > 0) headers['content-type'] = 'application/x-www-form-urlencoded'
  if (isImage) {
    headers['content-type'] = 'image/png'
    const bytes = Uint8Array.from(atob(examplePng), (letter) => letter.charCodeAt(0))
    return { url: path + asked, method, headers, body: bytes }
  }
  const form = new URLSearchParams(body.map(({ name, value }) => [name, value]))
  return { url: path + asked, method, headers, body: body.length > 0 ? String(form) : undefined }
}

/**
 * Parameters that must be filled in first: required ones of the address, and ids that a sample invents. The API reports
 * other missing fields itself.
 *
 * @param {Operation} operation
 * @returns {string[]}
 */
export function missing({ fields }) {
  return fields
    .filter(({ place, value, shown, isRequired }) => {
      const isNeeded = isRequired && (place !== 'body' || shown !== '')
      return isNeeded && value === ''
    })
    .map(({ name }) => name)
}

/**
 * Fills known ids into blank fields that need one.
 *
 * @param {Operation} operation
 * @param {Ids} ids
 * @returns {Operation}
 */
export function withIds(operation, ids) {
  const fields = operation.fields.map((field) => {
    const kind = kindOf(operation.path, field)
    const id = kind === undefined ? undefined : ids[kind]
    return id === undefined || field.value !== '' ? field : { ...field, value: id }
  })
  return { ...operation, fields }
}

/** Kinds that no call creates or deletes: the first of their list is used. */
const found = ['event', 'delivery']

/**
 * Known ids after an operation succeeded: a created record is the last of its kind, a deleted one is removed.
 *
 * @param {Ids} ids
 * @param {Operation} operation
 * @param {unknown} answer
 * @returns {Ids}
 */
export function idsAfter(ids, operation, answer) {
  const { method, path } = operation
  const deleted = deletedId(operation)
  if (deleted !== undefined) return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== deleted))
  const [first] = method === 'GET' && Array.isArray(answer) ? answer : []
  const listed = singular(path.split('/').at(-1) ?? '')
  if (found.includes(listed) && first) return { ...ids, [listed]: String(first.id) }
  if (path.includes('{') || method !== 'POST') return ids
  const made = Object.entries(resourceIn(answer)).flatMap(([name, value]) => {
    const kind = name === 'id' ? singular(path.split('/')[2] ?? '') : /^(\w+)_id$/.exec(name)?.[1]
    return kind !== undefined && /^\w+$/.test(String(value)) && value !== null ? [[kind, String(value)]] : []
  })
  return { ...ids, ...Object.fromEntries(made) }
}

/**
 * The id of the record that an operation deletes.
 *
 * @param {Operation} operation
 * @returns {string | undefined}
 */
export function deletedId({ method, path, fields }) {
  return method === 'DELETE' && path.endsWith('}')
    ? fields.findLast(({ place }) => place === 'path')?.value
    : undefined
}

/**
 * Kind of the id that a field needs, from its own name or from the path segment before it.
 *
 * @param {string} path
 * @param {Field} field
 * @returns {string | undefined}
 */
export function kindOf(path, { name, place }) {
  if (place === 'query') return undefined
  const named = /^(\w+)_id$/.exec(name)?.[1]
  if (named !== undefined || place === 'body') return named
  return singular(new RegExp(`/([^/]+)/\\{${name}\\}`).exec(path)?.[1] ?? '')
}

/**
 * The resource of a response, with or without its envelope.
 *
 * @param {unknown} answer
 * @returns {object}
 */
function resourceIn(answer) {
  const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
  if (!isObject) return {}
  return 'error_code' in answer && 'data' in answer ? resourceIn(answer.data) : answer
}

/** @param {string} noun */
function singular(noun) {
  return noun.replace(/ies$/, 'y').replace(/s$/, '')
}
