import { element } from './element.js'

/** The fields of a card as the payer sees them: spaced like the card, and forgiving about how they are typed. */
export const fields = {
  number: element('number', HTMLInputElement),
  expiry: element('expiry', HTMLInputElement),
  cvc: element('cvc', HTMLInputElement),
  holder: element('holder', HTMLInputElement),
}

fields.number.addEventListener('input', () => rewrite(fields.number, spaced))
fields.expiry.addEventListener('input', () => rewrite(fields.expiry, slashed))
fields.cvc.addEventListener('input', () => rewrite(fields.cvc, (digits) => digits.slice(0, 4)))
for (const field of Object.values(fields)) field.addEventListener('input', () => complain(field, ''))

/** The first eight digits, by which it is known what a card can choose from; undefined before they are typed. */
export function typedBin() {
  const bin = fields.number.value.replaceAll(/\D/g, '').slice(0, 8)
  return bin.length === 8 ? bin : undefined
}

/** Everything that was typed, as it is sent. */
export function typedCard() {
  const { number, expiry, cvc, holder } = fields
  return {
    number: number.value.replaceAll(/\D/g, ''),
    expiry: expiry.value,
    cvc: cvc.value,
    holder: holder.value,
  }
}

/** The code is for one try; the rest may be tried again. */
export function forgetCode() {
  fields.cvc.value = ''
}

export function forgetCard() {
  for (const field of Object.values(fields)) field.value = ''
}

/**
 * Shows what is wrong beside each field, and goes to the first.
 *
 * @param {Record<string, string>} errors
 */
export function showFaults(errors) {
  for (const [name, field] of Object.entries(fields)) complain(field, errors[name] ?? '')
  Object.entries(fields)
    .find(([name]) => errors[name])?.[1]
    .focus()
}

/**
 * @param {HTMLInputElement} field
 * @param {string} text
 */
function complain(field, text) {
  const fault = element(`${field.id}-fault`, HTMLElement)
  fault.textContent = text
  fault.hidden = text === ''
  field.setAttribute('aria-invalid', String(text !== ''))
}

/**
 * Writes the digits anew without losing the place of the caret: it stays behind as many digits as before.
 *
 * @param {HTMLInputElement} field
 * @param {(digits: string, typed: string) => string} write
 */
function rewrite(field, write) {
  const before = field.value.slice(0, field.selectionStart ?? field.value.length).replaceAll(/\D/g, '').length
  const written = write(field.value.replaceAll(/\D/g, ''), field.value)
  if (written === field.value) return
  field.value = written
  let place = 0
  for (let digits = 0; digits < before && place < written.length; place++)
    if (/\d/.test(written[place] ?? '')) digits++
  if (document.activeElement === field) field.setSelectionRange(place, place)
}

/** In groups as they are printed: 4-6-5 on American Express, fours on all others. @param {string} digits */
function spaced(digits) {
  const isAmex = /^3[47]/.test(digits)
  const groups = isAmex ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /\d{1,4}/g
  const parts = isAmex ? groups.exec(digits)?.slice(1) : digits.slice(0, 19).match(groups)
  return (parts ?? []).filter(Boolean).join(' ')
}

/**
 * As on the card: month and year. A year may be typed whole, and a month without its zero.
 *
 * @param {string} digits
 * @param {string} typed
 */
function slashed(digits, typed) {
  const whole = /^[2-9]|^1\s*[/.-]/.test(typed.trim()) ? `0${digits}` : digits
  const year = whole.slice(2, whole.slice(2).startsWith('20') ? 6 : 4)
  return whole.length <= 2 ? whole : `${whole.slice(0, 2)}/${year}`
}
