/** The zeros of the digits that keyboards of this part of the world type: Arabic, Persian, Devanagari, wide. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10]

/** The same text with every digit as the cards have them: 0 to 9. It is as long as before. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (sign) => {
    const code = sign.charCodeAt(0)
    return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
  })
}

/** The digits of a text alone. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replaceAll(/\D/g, '')
}
