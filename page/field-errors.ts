import { announceAssertively } from './announce.ts'
import { typedNumber } from './card-fields.ts'
import { element } from './element.ts'
import { interpolate, serviceTime, texts } from './page-data.ts'
import { mayFocus, scrollParentTo } from './parent.ts'
import type { FieldErrorName, FieldName } from './rules/check.ts'
import { fieldErrorOf, fieldNames } from './rules/check.ts'

/** Fault texts by the name of the field. */
export type FieldErrors = Readonly<Partial<Record<string, string>>>

type Field = HTMLInputElement | HTMLSelectElement

/** Fields of the form, in page order. */
const fields = [...element('form', HTMLFormElement).elements].filter(isField)
/** True while a finger or mouse button is down. */
let isPressing = false

/** Shows the fault of a field when the payer leaves it, and hides it as soon as it is corrected. */
export function mountFieldErrors(): void {
  window.addEventListener('pointerdown', () => press(true), true)
  for (const end of ['pointerup', 'pointercancel']) window.addEventListener(end, () => press(false), true)
  for (const field of fields) {
    field.addEventListener('blur', () => void whenReleased(() => lookAt(field)))
    field.addEventListener('input', () => {
      if (isFaulty(field) && faultIn(field) === undefined) complain(field, '')
    })
  }
}

/** Validates all fields. Returns false and focuses the first faulty field if there is one. */
export function validateFields(): boolean {
  const found = fields.map((field) => [field.name, faultIn(field)] as const)
  const faults = found.flatMap(([name, fault]) => (fault ? [[name, texts.faults[fault]]] : []))
  showFieldErrors(Object.fromEntries(faults))
  return faults.length === 0
}

/** Shows the faults beside the fields, announces them, and focuses the first. */
export function showFieldErrors(faults: FieldErrors): void {
  for (const field of fields) complain(field, faults[field.name] ?? '')
  const faulty = fields.filter(isFaulty)
  if (faulty.length === 0) return
  announceAssertively(interpolate(texts.check, { fields: faulty.map(labelOf).join(', ') }))
  faulty[0]?.focus()
  if (faulty[0]) scrollParentTo(faulty[0])
}

/** Shows the bank's objection beside this field and focuses it, with as little scrolling as possible. */
export function showFieldError(name: FieldName, text: string): void {
  const field = fields.find((each) => each.name === name)
  if (!field) return
  complain(field, text)
  if (!mayFocus()) return
  field.focus({ preventScroll: true })
  field.closest('.field')?.scrollIntoView({ block: 'nearest' })
  scrollParentTo(field)
}

export function hideFieldErrors(): void {
  for (const field of fields) complain(field, '')
}

function lookAt(field: Field): void {
  const fault = field.value === '' || document.activeElement === field ? undefined : faultIn(field)
  if (fault) complain(field, texts.faults[fault])
}

function faultIn(field: Field): FieldErrorName | undefined {
  const around = { number: typedNumber(), now: serviceTime() }
  return fieldErrorOf(field.name as FieldName, field.value, around)
}

function complain(field: Field, text: string): void {
  const fault = element(`${field.id}-fault`, HTMLElement)
  fault.textContent = text
  fault.hidden = text === ''
  field.setAttribute('aria-invalid', String(text !== ''))
}

function isFaulty(field: Field): boolean {
  return field.getAttribute('aria-invalid') === 'true'
}

function labelOf(field: Field): string {
  // Only the first part of the label, without the format hint.
  return field.labels?.[0]?.firstChild?.textContent?.trim() ?? field.name
}

function press(isNow: boolean): void {
  isPressing = isNow
}

/** Waits for the release, because a text that appears during a press would move the pressed button. */
async function whenReleased(call: () => void): Promise<void> {
  if (isPressing)
    await new Promise((resolve) => {
      for (const end of ['pointerup', 'pointercancel'])
        window.addEventListener(end, () => setTimeout(resolve), { once: true })
    })
  call()
}

function isField(found: Element): found is Field {
  const isInput = found instanceof HTMLInputElement || found instanceof HTMLSelectElement
  return isInput && fieldNames.some((name) => name === found.name)
}
