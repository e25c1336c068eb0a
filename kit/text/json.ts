const deepest = 20
const maxParts = 10_000

/**
 * Parses JSON that may come from anywhere; throws what JSON.parse throws, and on more than anybody needs. Guarantee: of a
 * name that an object has more than once no value is chosen; it holds `duplicateMemberMarker`.
 */
export function parseUntrustedJson(text: string): unknown {
  const members = countMembersInText(text)
  if (members === undefined) throw new SyntaxError('nested too deep, or of too many parts')
  // Looking at each value takes ten times as long as reading it, and nearly all numbers are written as we would.
  const value: unknown = oddNumber.test(text) ? JSON.parse(text, keepNonCanonical as never) : JSON.parse(text)
  // JSON.parse keeps the last of equal names. Comparing two counts is all that a text without any has to pay.
  if (members !== countMembers(value))
    for (const path of outerFirst(duplicateNamePaths(text))) mark(value, path)
  return value
}

export function isTooComplex(json: string): boolean {
  return countMembersInText(json) === undefined
}

/** Stands where an object has the same name more than once. */
export const duplicateMemberMarker: unknown = Object.freeze({})

/** Matches numbers not written as we would write them, and texts that look like one. */
const oddNumber = /\d[.eE]|\d{16}|-0/

/**
 * A number of JSON that is not written as we would write it: 1.0, 1e3, 99.99999999999999999. No rounding touches an
 * amount, so it is no number for us; where any text will do, it is the text that was sent.
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
 * Counts the members of all objects by their colons; undefined where the text is too deep or has too many parts. One
 * pass, whatever it holds: a pattern that looks for the ends of texts can be made to take minutes.
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

/** Counts the members of a parsed value: fewer than written where a name was there twice. */
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

/** Names, other texts, brackets and commas; in JSON that was parsed nothing else matters. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:|"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g

/**
 * The path of every name that its object has more than once, however it is spelled: metadata, 0, key. The text must be
 * JSON. It is read once.
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

/** Outer names come first. Inside of a value that was given twice nothing is marked: its last value may be of another kind. */
function outerFirst(paths: Iterable<string[]>): string[][] {
  return [...paths].sort((one, other) => one.length - other.length)
}

/** Marks a name. A path that leads nowhere is one inside of a value that was given twice itself. */
function mark(value: unknown, path: readonly string[]): void {
  let holder = value
  for (const [depth, name] of path.entries()) {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return
    if (depth === path.length - 1) Object.defineProperty(holder, name, { value: duplicateMemberMarker })
    else holder = (holder as Record<string, unknown>)[name]
  }
}
