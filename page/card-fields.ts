import { DigitField } from './digit-field.ts'
import { element } from './element.ts'
import { brandOf } from './rules/brand.ts'
import { spacedNumber } from './rules/card-number.ts'
import { digitsOf } from './rules/digits.ts'
import { slashedExpiry } from './rules/expiry.ts'

const longestCode = 4

/** Card fields of the form. Digits are formatted as on the card, and every usual notation is accepted. */
const number = new DigitField(element('number', HTMLInputElement), {
  write: (typed) => spacedNumber(digitsOf(typed)),
  keeps: 'before',
})
const expiry = new DigitField(element('expiry', HTMLInputElement), { write: slashedExpiry, keeps: 'behind' })
const cvc = new DigitField(element('cvc', HTMLInputElement), {
  write: (typed) => digitsOf(typed).slice(0, typedBrand()?.codeLength ?? longestCode),
  keeps: 'before',
})
const holder = element('holder', HTMLInputElement)

const brand = element('brand', HTMLElement)
const brandName = element('brand-name', HTMLElement)

number.input.addEventListener('input', showBrand)

/** Digits in the field of the card number. */
export function typedNumber(): string {
  return digitsOf(number.input.value)
}

/** Calls after every change of the number. */
export function onNumberInput(call: () => void): void {
  number.input.addEventListener('input', call)
}

/** Typed card as it is sent. */
export function typedCard() {
  return {
    number: typedNumber(),
    expiry: slashedExpiry(expiry.input.value, false),
    cvc: cvc.input.value,
    holder: holder.value,
  }
}

export type TypedCard = ReturnType<typeof typedCard>

/** Fills in a card as if it were typed. */
export function fillCard(card: TypedCard): void {
  number.fill(card.number)
  expiry.fill(card.expiry)
  cvc.fill(card.cvc)
  holder.value = card.holder
  holder.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Clears the security code, which is valid for one attempt. The other fields stay. */
export function forgetCode(): void {
  cvc.forget()
}

/** Clears what the payer must type again after a decline. For another card the holder stays: often the same person. */
export function forgetDeclined(field: 'number' | 'expiry' | 'cvc'): void {
  for (const each of field === 'number' ? [number, expiry, cvc] : field === 'expiry' ? [expiry] : [cvc])
    each.forget()
  if (field === 'number') dispatchNumberInput()
}

/** Clears the card and its undo history. Its plans stay visible until `dispatchNumberInput`. */
export function forgetCard(): void {
  for (const field of [number, expiry, cvc]) field.forget()
  holder.value = ''
  showBrand()
}

/**
 * Selects the number, so that another card replaces it when typed. It stays if the payer changes their mind.
 */
export function selectNumber(): void {
  number.input.focus()
  number.input.select()
}

export function hasCard(): boolean {
  return Object.values(typedCard()).some((typed) => typed !== '')
}

/** Notifies all listeners of the number. */
export function dispatchNumberInput(): void {
  number.input.dispatchEvent(new Event('input', { bubbles: true }))
}

function typedBrand() {
  return brandOf(typedNumber())
}

function showBrand(): void {
  const { id = '', name = '' } = typedBrand() ?? {}
  if (brand.dataset['brand'] === id) return
  brand.dataset['brand'] = id
  brandName.textContent = name
}
