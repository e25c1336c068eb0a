import { element } from './element.ts'
import { interpolate, texts } from './page-data.ts'

const button = element('pay', HTMLButtonElement)
let label = button.textContent ?? ''
let isWorking = false

/** True while a press is being processed. */
export function isBusy(): boolean {
  return isWorking
}

/** Ignores further presses. The button is not disabled, because it would lose the focus. */
export function setBusy(isNow: boolean): void {
  isWorking = isNow
  button.classList.toggle('busy', isNow)
  button.setAttribute('aria-busy', String(isNow))
  button.setAttribute('aria-disabled', String(isNow))
  write()
}

/** Shows the amount on the button. */
export function setPrice(amount: string): void {
  label = interpolate(texts.pay, { amount })
  write()
}

function write(): void {
  button.textContent = isWorking ? texts.busy : label
}
