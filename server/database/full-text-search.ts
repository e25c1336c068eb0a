/**
 * Search by word prefixes that ignores case, accents and Turkish letters: `isik` finds `Işık`, `ISIK` finds
 * `ışık`. The searchable words of a record are stored with it as lexemes of a tsvector. A lexeme begins with
 * a code for the merchant, so that a search hardly ever reads another merchant's records, and with a letter
 * for the field.
 */

/** A searched word: in any of these fields, as a prefix or as a whole word. */
export interface SearchTerm {
  fields: readonly string[]
  word: string
  whole?: true
  /** Alternative: a record that matches all of these terms matches too. */
  or?: readonly SearchTerm[]
}

/**
 * Letters that Unicode decomposition does not fold: stroked and dotless letters, ligatures, and the final
 * sigma.
 */
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

/** Turkish letters. They are most of the folded letters, so they skip Unicode normalisation. */
const turkish = new Map(
  [...'çÇğĞıİöÖşŞüÜâÂîÎûÛ'].map((letter, index) => [letter, 'ccggiioossuuaaiiuu'.charAt(index)]),
)

/** The text in the form in which texts are compared. */
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

/**
 * The folded words of a text, without duplicates. Everything that is not a letter or digit separates words.
 */
export function foldedWordsOf(text: string | null): string[] {
  if (text === null) return []
  const folded = foldForSearch(text)
  // Fast path: most fields are one word of ASCII letters.
  if (/^[a-z0-9]+$/.test(folded)) return [folded]
  return [...new Set(folded.match(isAscii(folded) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu))]
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is meant from its beginning
  return /^[\x00-\x7f]*$/.test(text)
}

/** The lexemes of a record, in tsvector syntax: its searchable words by the field's letter. */
export function tsvectorOf(
  merchantId: number,
  findable: Readonly<Record<string, readonly string[]>>,
): string {
  const mark = markOf(merchantId)
  let lexemes = ''
  for (const field in findable) {
    for (const word of findable[field] ?? []) lexemes += `${quoted(mark, field, word)} `
  }
  return lexemes.trimEnd()
}

/** The terms that a record must match, all of them, in tsquery syntax. */
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

/** Longest part of a word that a lexeme holds; longer words are equal if this part is. */
const longestWord = 254

/**
 * Four characters for a merchant. Merchants created one after another differ. If two merchants share a code,
 * a search reads the other's records too, and its condition on the merchant drops them.
 */
function markOf(merchantId: number): string {
  return (merchantId % 36 ** 4).toString(36).padStart(4, '0')
}

function quoted(mark: string, field: string, word: string): string {
  const cut = word.length > longestWord ? word.slice(0, longestWord) : word
  return `'${mark}${field}${/['\\]/.test(cut) ? cut.replaceAll(/['\\]/g, '$&$&') : cut}'`
}
