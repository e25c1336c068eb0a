/**
 * Code for the reader to copy: a request for the shell and for Node, and its colours. It does not depend on
 * the page: the server writes the first samples with it, and the script all later ones.
 */

/** @import { Operation, Field } from './request.js' */
import { prepare } from './request.js'

/** @typedef {'curl' | 'node' | 'json'} Sample */
/** @typedef {{ kind: '' | 'string' | 'number' | 'name' | 'word', text: string }} Piece */

/** Characters that fit a card beside the text. */
const longestLine = 48

/**
 * A new random key at each run, made with tools that every POSIX system has; `uuidgen` and `openssl` may be
 * missing. It has its own line, so that the call after it can be repeated with the same key.
 */
const freshKey = `KEY=$(od -An -N16 -tx1 /dev/urandom | tr -d ' ')`

const exampleFile = 'image.png'

/**
 * A shell command. The one for a token stores it in `$TOKEN`, which all others send.
 *
 * @param {Operation} operation
 * @param {string} base The address of the API.
 * @returns {string}
 */
export function curlOf(operation, base) {
  const { method, path, query, body, isKeyed, isImage } = prepare(operation)
  const isForToken = operation.credential === 'key'
  const isImplied = method === 'GET' || (method === 'POST' && (body.length > 0 || isImage))
  // With -G curl puts all data into the address, which is right only without a body.
  const isAllInAddress = method === 'GET' && query.length > 0
  const command = `${isForToken ? 'TOKEN=$(curl -s' : 'curl'}${isAllInAddress ? ' -G' : ''}${isImplied ? '' : ` -X ${method}`}`
  const address =
    isAllInAddress || query.length === 0
      ? base + path
      : quotedForShell(`${base}${path}?${new URLSearchParams(query)}`)
  const lines = [
    ...(command.length + address.length > longestLine ? [command, address] : [`${command} ${address}`]),
    `-H "Authorization: Bearer $${isForToken ? 'SECRET_KEY' : 'TOKEN'}"`,
    ...(isKeyed ? ['-H "Idempotency-Key: $KEY"'] : []),
    ...(isImage ? ['-H "Content-Type: image/png"', `--data-binary @${exampleFile}`] : []),
    ...[...(isAllInAddress ? query : []), ...body.map(({ name, value }) => [name, value])].map(
      (pair) => `--data-urlencode ${quotedForShell(pair.join('='))}`,
    ),
  ]
  const call = lines.join(' \\\n  ')
  if (isForToken) return `${call} |\n  sed -E 's/.*"access_token":"([^"]+)".*/\\1/')`
  return isKeyed ? `${freshKey}\n${call}` : call
}

/**
 * A call in Node. The one for a token stores it in `token`. Other names are local, so that another call can
 * follow.
 *
 * @param {Operation} operation
 * @param {string} base
 * @returns {string}
 */
export function nodeOf(operation, base) {
  const { method, path, query, body, isKeyed, isImage } = prepare(operation)
  const address = query.length > 0 ? `\`${base}${path}?\${query}\`` : quoted(base + path)
  const isForToken = operation.credential === 'key'
  const response = isForToken ? 'tokenResponse' : 'response'
  const lines = isImage ? [`const { readFile } = await import('node:fs/promises')`] : []
  if (query.length > 0) {
    lines.push(`const query = new URLSearchParams(${literal(Object.fromEntries(query), '')})`)
  }
  lines.push(`const ${response} = await fetch(${address}, {`)
  if (method !== 'GET') lines.push(`  method: ${quoted(method)},`)
  lines.push(
    '  headers: {',
    `    Authorization: \`Bearer \${${isForToken ? 'process.env.SECRET_KEY' : 'token'}}\`,`,
  )
  if (isKeyed) lines.push(`    'Idempotency-Key': crypto.randomUUID(),`)
  if (body.length > 0) lines.push(`    'Content-Type': 'application/json',`)
  if (isImage) lines.push(`    'Content-Type': 'image/png',`)
  lines.push('  },')
  if (isImage) lines.push(`  body: await readFile('${exampleFile}'),`)
  if (body.length > 0) lines.push(`  body: JSON.stringify(${literal(valuesOf(body), '  ')}),`)
  lines.push('})')
  if (isForToken) lines.push(`const { data } = await ${response}.json()`, 'const token = data.access_token')
  else lines.push(`const answer = await ${response}.json()`)
  return lines.join('\n')
}

/**
 * The values as JSON. A value that does not fit its kind stays text, and the API reports the fault.
 *
 * @param {Field[]} fields
 * @returns {Record<string, unknown>}
 */
function valuesOf(fields) {
  return Object.fromEntries(
    fields.map(({ name, kind, value }) => [name, kind === 'text' ? value : parsed(value)]),
  )
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * @param {unknown} value
 * @param {string} indent
 * @returns {string}
 */
function literal(value, indent) {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const parts = Object.entries(value).map(
    ([name, part]) => `${deeper}${isList ? '' : `${nameOf(name)}: `}${literal(part, deeper)},\n`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return parts.length === 0 ? `${open}${close}` : `${open}\n${parts.join('')}${indent}${close}`
}

/** @param {string} name */
function nameOf(name) {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)
}

/** @param {string} text */
function quoted(text) {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}

/** @param {string} text */
function quotedForShell(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** @type {Record<Sample, RegExp>} */
const patterns = {
  curl: /(?<string>'(?:[^']|'\\'')*'|"[^"]*")|(?<word>(?<=^|\s)(?:curl|--?[a-z][\w-]*)(?=\s)|-[XGH]\b)/gi,
  node: /(?<string>'(?:[^'\\]|\\.)*'|`[^`]*`)|(?<word>\b(?:const|await|new)\b)|(?<number>\b\d+\b)|(?<name>\b\w+(?=:))/g,
  json: /(?<name>"(?:[^"\\]|\\.)*"(?=:))|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*\b)|(?<word>\b(?:true|false|null)\b)/g,
}

/**
 * The text in pieces of one colour each.
 *
 * @param {string} text
 * @param {Sample} language
 * @returns {Piece[]}
 */
export function coloured(text, language) {
  /** @type {Piece[]} */
  const pieces = []
  let end = 0
  for (const match of text.matchAll(patterns[language])) {
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['']
    if (match.index > end) pieces.push({ kind: '', text: text.slice(end, match.index) })
    pieces.push({ kind: /** @type {Piece['kind']} */ (kind), text: match[0] })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ kind: '', text: text.slice(end) })
  return pieces
}
