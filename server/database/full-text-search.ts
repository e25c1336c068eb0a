/**
 * Search by the beginnings of words, without regard to case, accents or Turkish letters: `isik` finds `Işık`, `ISIK`
 * finds `ışık`. What a record can be found by is written beside it as lexemes of a tsvector. A lexeme begins with the
 * merchant, so that one merchant's search hardly ever passes through another's records, and with a letter for the field.
 */

/** A word that is looked for: in any of these fields, as the beginning of one there or as the whole of it. */
export interface SearchTerm {
  fields: readonly string[]
  word: string
  whole?: true
  /** Terms that will do as well, all of them together. */
  or?: readonly SearchTerm[]
}

/** What a record can be found by: the words of each field, by the field's letter. */
export type SearchableWords = Readonly<Record<string, readonly string[]>>

/** Letters that lose no accent by decomposition but have one to people's eyes, are two in one, or look otherwise at the end. */
const others: Readonly<Record<string, string>> = {
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
}

/** The letters of Turkish, which are most of what is folded here, and are folded without the long way through Unicode. */
const turkish = new Map(
  [...'çÇğĞıİöÖşŞüÜâÂîÎûÛ'].map((letter, index) => [letter, 'ccggiioossuuaaiiuu'.charAt(index)]),
)

/** The text as it is compared. */
export function foldForSearch(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  const plain = text.replaceAll(/[çÇğĞıİöÖşŞüÜâÂîÎûÛ]/g, (letter) => turkish.get(letter) ?? letter)
  if (isAscii(plain)) return plain.toLowerCase()
  const decomposed = plain
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  return decomposed.replaceAll(/[ıøłđðþßæœς]/g, (letter) => others[letter] ?? letter)
}

/** The words of a text, folded, each once. Everything that is neither a letter nor a digit parts them. */
export function foldedWordsOf(text: string | null): string[] {
  if (text === null) return []
  const folded = foldForSearch(text)
  // Most fields are a single word of plain letters.
  if (/^[a-z0-9]+$/.test(folded)) return [folded]
  return [...new Set(folded.match(isAscii(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu))]
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is meant from its beginning
  return /^[\x00-\x7f]*$/.test(text)
}

/** The lexemes of a record, as PostgreSQL reads a tsvector. */
export function tsvectorOf(merchantId: number, findable: SearchableWords): string {
  const mark = markOf(merchantId)
  let lexemes = ''
  for (const field in findable) {
    for (const word of findable[field] ?? []) lexemes += `${quoted(mark, field, word)} `
  }
  return lexemes.trimEnd()
}

/** What a record must have to be found, all terms of it, as PostgreSQL reads a tsquery. */
export function tsqueryOf(merchantId: number, terms: readonly SearchTerm[]): string {
  const mark = markOf(merchantId)
  return terms
    .map(({ fields, word, whole, or }) => {
      const anyOf = fields.map((field) => quoted(mark, field, word) + (whole ? '' : ':*'))
      if (or) anyOf.push(`(${tsqueryOf(merchantId, or)})`)
      return `(${anyOf.join('|')})`
    })
    .join('&')
}

/** The longest that a lexeme takes of a word; longer ones are alike when their beginnings are. */
const longestWord = 254

/**
 * Four characters for a merchant. Merchants made one after the other differ; should two be alike, a search of one passes
 * by the other's records, which its condition on the merchant leaves out.
 */
function markOf(merchantId: number): string {
  return (merchantId % 36 ** 4).toString(36).padStart(4, '0')
}

function quoted(mark: string, field: string, word: string): string {
  const cut = word.length > longestWord ? word.slice(0, longestWord) : word
  return `'${mark}${field}${/['\\]/.test(cut) ? cut.replaceAll(/['\\]/g, '$&$&') : cut}'`
}
