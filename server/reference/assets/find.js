/** Ranks what the search of the page finds. Knows no page, so that tests use it too. */

/**
 * @typedef {{
 *   words: string, name: string, codes: string[], isCode: boolean, about: string, searchText: string, href: string
 * }} Part
 */
/**
 * @typedef {{
 *   words: string, title: string, about: string, searchText: string, href: string, method: string, parts: Part[]
 * }} Entry
 */
/** @typedef {{ name: string, isCode: boolean, href: string, excerpt: string }} FoundPart */
/** @typedef {{ entry: Entry, rank: number, parts: FoundPart[] }} Hit */

const shownPartsAtMost = 4

/** Shorter words are in too many sentences to choose one of them. */
const shortestWordOfText = 3

/** Words of a text, each after a space, so that a search can ask for their beginnings. @param {string} text */
export function searchTextOf(text) {
  return ` ${folded(text).replaceAll(/[^\p{L}\p{N}_-]+/gu, ' ')}`
}

/**
 * Ranks what a query finds. For a code: its text, then the operations that answer it. For words: names, then sentences.
 *
 * @param {readonly Entry[]} entries
 * @param {string} query
 * @returns {Hit[]}
 */
export function hitsIn(entries, query) {
  const wanted = folded(query).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const codeHits = entries.flatMap((entry) => codeHit(entry, wanted) ?? [])
  const hits = codeHits.length > 0 ? codeHits : entries.flatMap((entry) => hitOf(entry, wanted))
  return hits.sort((a, b) => a.rank - b.rank)
}

const rankOf = { code: 0, operationWithCode: 1, entry: 2, part: 3, sentence: 4 }

/**
 * The code itself, if the query is one. A list of codes says what it means; an operation only has it.
 *
 * @param {Entry} entry
 * @param {string[]} wanted
 * @returns {Hit | undefined}
 */
function codeHit(entry, wanted) {
  const [code = '', ...others] = wanted
  const parts = others.length > 0 ? [] : entry.parts.filter(({ codes }) => codes.includes(code))
  if (parts.length === 0) return undefined
  const rank = parts.some(({ about }) => about !== '') ? rankOf.code : rankOf.operationWithCode
  return { entry, rank, parts: parts.map((part) => ({ ...part, excerpt: part.about })) }
}

/**
 * An entry is found by its own name, by the name of a part, or by a sentence.
 *
 * @param {Entry} entry
 * @param {string[]} wanted
 * @returns {Hit[]}
 */
function hitOf(entry, wanted) {
  const isItself = wanted.every((word) => entry.words.includes(word))
  const named = entry.parts
    .filter(({ words }) => wanted.some((word) => words.includes(word)))
    .filter(({ words }) => wanted.every((word) => `${entry.words} ${words}`.includes(word)))
  // An entry that is found by its name needs no sentences.
  const sentences = isItself
    ? []
    : [{ ...entry, name: '', isCode: false }, ...entry.parts]
        .filter((part) => !named.some(({ href }) => href === part.href))
        .filter((part) => matchesText(part.searchText, `${entry.words} ${part.words}`, wanted))
  if (!isItself && named.length === 0 && sentences.length === 0) return []
  const parts = [
    ...named.map((part) => ({ ...part, excerpt: '' })),
    ...sentences.map((part) => ({ ...part, excerpt: excerptOf(part.about, wanted) })),
  ]
  const rank = isItself ? rankOf.entry : named.length > 0 ? rankOf.part : rankOf.sentence
  return [{ entry, rank, parts: parts.slice(0, shownPartsAtMost) }]
}

/**
 * True if a text has some of the wanted words and the names have the others.
 *
 * @param {string} searchText
 * @param {string} names
 * @param {string[]} wanted
 */
function matchesText(searchText, names, wanted) {
  /** @param {string} word */
  const has = (word) => word.length >= shortestWordOfText && searchText.includes(` ${word}`)
  return wanted.some(has) && wanted.every((word) => has(word) || names.includes(word))
}

/**
 * First sentence that has one of the words. A long sentence is cut before the word, so that the word is visible.
 *
 * @param {string} about
 * @param {string[]} wanted
 */
function excerptOf(about, wanted) {
  /** @param {string} text */
  const has = (text) => wanted.some((word) => searchTextOf(text).includes(` ${word}`))
  const words = (about.split(/(?<=\.) /).find(has) ?? about).split(' ')
  const first = words.findIndex(has)
  return first < 7 ? words.join(' ') : `… ${words.slice(first - 3).join(' ')}`
}

/**
 * Folds case and Turkish letters: `musteri` finds `Müşteri`.
 *
 * @param {string} text
 */
export function folded(text) {
  return text.toLocaleLowerCase('tr').normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')
}
