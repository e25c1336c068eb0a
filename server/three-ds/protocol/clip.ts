const characters = new Intl.Segmenter('und', { granularity: 'grapheme' })

/**
 * The beginning of a text, of so many UTF-16 units at most. Guarantee: no character is cut in two, be it a letter with its
 * accent; whoever counts bytes or code points otherwise than we do still finds a text.
 */
export function clip(text: string, longest: number): string {
  if (text.length <= longest) return text
  // A character of several units can begin before the border and end after it.
  let end = 0
  for (const { index, segment } of characters.segment(text.slice(0, longest + 50))) {
    if (index + segment.length > longest) break
    end = index + segment.length
  }
  return text.slice(0, end)
}

/** The text without what no screen shows: control characters become spaces, and halves of characters are mended. */
export function withoutControlCharacters(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
}
