import { element } from './element.ts'
import { interpolate, texts } from './page-data.ts'

const button = element('pay', HTMLButtonElement)
let label = button.textContent ?? ''
let isWorking = false

/** Whether a press is being worked on. */
export function isBusy(): boolean {
  return isWorking
}

/** Further presses do nothing meanwhile. The button is not disabled, for it would lose the focus. */
export function setBusy(isNow: boolean): void {
  isWorking = isNow
  button.classList.toggle('busy', isNow)
  button.setAttribute('aria-busy', String(isNow))
  button.setAttribute('aria-disabled', String(isNow))
  write()
}

/** The button says what is paid. */
export function setPrice(amount: string): void {
  label = interpolate(texts.pay, { amount })
  write()
}

function write(): void {
  button.textContent = isWorking ? texts.busy : label
}
