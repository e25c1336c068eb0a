import { DigitField } from './digit-field.ts'
import { element } from './element.ts'
import { brandOf } from './rules/brand.ts'
import { spacedNumber } from './rules/card-number.ts'
import { digitsOf } from './rules/digits.ts'
import { slashedExpiry } from './rules/expiry.ts'

const longestCode = 4

/** The fields of a card as the payer sees them: written like the card, and forgiving about how they are typed. */
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

/** What is in the field of the number, its digits alone. */
export function typedNumber(): string {
  return digitsOf(number.input.value)
}

/** Calls whenever the number has changed, however. */
export function onNumberInput(call: () => void): void {
  number.input.addEventListener('input', call)
}

/** Everything that was typed, as it is sent. */
export function typedCard() {
  return {
    number: typedNumber(),
    expiry: slashedExpiry(expiry.input.value, false),
    cvc: cvc.input.value,
    holder: holder.value,
  }
}

export type TypedCard = ReturnType<typeof typedCard>

/** Fills in a card, as if it had been typed. */
export function fillCard(card: TypedCard): void {
  number.fill(card.number)
  expiry.fill(card.expiry)
  cvc.fill(card.cvc)
  holder.value = card.holder
  holder.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The code is for one try; the rest may be tried again. */
export function forgetCode(): void {
  cvc.forget()
}

/** Nothing of the card stays here, nor in what could be undone. What it was offered may be seen until `dispatchNumberInput`. */
export function forgetCard(): void {
  for (const field of [number, expiry, cvc]) field.forget()
  holder.value = ''
  showBrand()
}

/** Another card is about to be typed: over this one, which stays for who has changed their mind. */
export function selectNumber(): void {
  number.input.focus()
  number.input.select()
}

export function hasCard(): boolean {
  return Object.values(typedCard()).some((typed) => typed !== '')
}

/** Has everybody look at the number who wants to know of it. */
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
