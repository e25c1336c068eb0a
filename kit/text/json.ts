const deepest = 20
const maxParts = 10_000

/**
 * Parses untrusted JSON. Throws like JSON.parse, and also if the text is too deep or too large. Guarantee: a
 * repeated name gets no value; it holds `duplicateMemberMarker`.
 */
export function parseUntrustedJson(text: string): unknown {
  const members = countMembersInText(text)
  if (members === undefined) throw new SyntaxError('nested too deep, or of too many parts')
  // A reviver takes ten times as long as parsing, and nearly all numbers are in canonical form.
  const value: unknown = oddNumber.test(text) ? JSON.parse(text, keepNonCanonical as never) : JSON.parse(text)
  // JSON.parse keeps the last of repeated names. A text without repeated names costs only this comparison of
  // two counts.
  if (members !== countMembers(value))
    for (const path of outerFirst(duplicateNamePaths(text))) mark(value, path)
  return value
}

export function isTooComplex(json: string): boolean {
  return countMembersInText(json) === undefined
}

/** Value of a name that its object has more than once. */
export const duplicateMemberMarker: unknown = Object.freeze({})

/** Matches numbers in non-canonical form, and texts that look like one. */
const oddNumber = /\d[.eE]|\d{16}|-0/

/**
 * A JSON number in non-canonical form: 1.0, 1e3, 99.99999999999999999. Amounts are never rounded, so it is
 * not a number here. A field that accepts any text gets it as it was sent.
 */
export class NonCanonicalNumberLiteral {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

function keepNonCanonical(_name: string, value: unknown, { source = '' }: { source?: string }): unknown {
  return typeof value === 'number' && String(value) !== source ? new NonCanonicalNumberLiteral(source) : value
}

const quote = '"'.charCodeAt(0)
const backslash = '\\'.charCodeAt(0)
const [openBrace = 0, openBracket = 0, closeBrace = 0, closeBracket = 0] = [...'{[}]'].map((each) =>
  each.charCodeAt(0),
)
const comma = ','.charCodeAt(0)
const colon = ':'.charCodeAt(0)

/**
 * Counts the members of all objects by their colons; undefined if the text is too deep or has too many parts.
 * It is a single pass: a regular expression for string ends can be made to take minutes.
 */
function countMembersInText(json: string): number | undefined {
  let [depth, parts, members] = [0, 0, 0]
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === quote) index = endOfText(json, index)
    else if (code === colon) members++
    else if (code === comma) parts++
    else if (code === openBrace || code === openBracket) {
      depth++
      parts++
    } else if (code === closeBrace || code === closeBracket) depth--
    if (depth > deepest || parts > maxParts) return undefined
  }
  return members
}

function endOfText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === backslash) index++
    else if (code === quote) return index
  }
  return json.length
}

/** Counts the members of a parsed value: fewer than in the text if a name was repeated. */
function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const item of value) members += countMembers(item)
    return members
  }
  for (const name in value) members += 1 + countMembers((value as Record<string, unknown>)[name])
  return members
}

/** Names, other strings, brackets and commas; other tokens do not matter in valid JSON. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/**
 * Path of every repeated name, in any spelling: metadata, 0, key. The text must be valid JSON. It is read
 * once.
 */
export function* duplicateNamePaths(text: string): Generator<string[]> {
  const open: { at: string | number; timesOf: Map<string, number> }[] = []
  for (const [token, name] of text.matchAll(tokens)) {
    const inner = open.at(-1)
    if (token === '{' || token === '[') open.push({ at: 0, timesOf: new Map() })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',' && typeof inner?.at === 'number') inner.at++
    else if (name !== undefined && inner) {
      inner.at = JSON.parse(name) as string
      const times = (inner.timesOf.get(inner.at) ?? 0) + 1
      inner.timesOf.set(inner.at, times)
      if (times === 2) yield open.map(({ at }) => String(at))
    }
  }
}

/**
 * Outer names come first. Nothing inside a repeated value is marked, because its last value may be of another
 * kind.
 */
function outerFirst(paths: Iterable<string[]>): string[][] {
  return [...paths].sort((one, other) => one.length - other.length)
}

/** Marks a name. A path that does not exist lies inside a repeated value. */
function mark(value: unknown, path: readonly string[]): void {
  let holder = value
  for (const [depth, name] of path.entries()) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return
    if (depth === path.length - 1) Object.defineProperty(holder, name, { value: duplicateMemberMarker })
    else holder = (holder as Record<string, unknown>)[name]
  }
}
