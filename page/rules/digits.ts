/** Zeros of digit scripts that keyboards can type: Arabic, Persian, Devanagari, full width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0xff10]

/** Replaces every digit with its ASCII digit. The length stays the same. */
export function asciiDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g, (sign) => {
    const code = sign.charCodeAt(0)
    return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
  })
}

/** Digits of a text. */
export function digitsOf(text: string): string {
  return asciiDigits(text).replaceAll(/\D/g, '')
}
