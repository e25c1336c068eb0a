const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * Cuts a text to at most `longest` UTF-16 units. Guarantee: no character is cut in two, including a letter
 * and its combining accent.
 */
export function clip(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character of several units can begin before the limit and end after it.
  let end = 0
  for (const { index, segment } of characters.segment(text.slice(0, longest + 50))) {
    if (index + segment.length > longest) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** Text without invisible characters: control characters become spaces, and lone surrogates are replaced. */
export function withoutControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}
