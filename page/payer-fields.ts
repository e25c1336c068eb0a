import { countryNames } from './rules/countries.ts'
import { inStorage } from './storage.ts'

const names = ['name', 'lastname', 'email', 'country', 'phone'] as const

type PayerField = HTMLInputElement | HTMLSelectElement

/** The fields about who pays; none where the merchant has said so. */
const fields = names
  .map((name) => document.getElementById(name))
  .filter((field): field is PayerField => isField(field))

/** Kept for the page's own address while the tab lives. */
const place = window.location.pathname

/** Lists the countries, and keeps what is typed about the payer, so that it is still there behind a bank's own page. */
export function mountPayerFields(): void {
  for (const field of fields) if (field instanceof HTMLSelectElement) listCountries(field)
  const kept = read()
  for (const field of fields) {
    const value = kept[field.name]
    if (value !== undefined) field.value = value
    field.addEventListener('input', keep)
  }
}

/** What was typed, as it is sent. */
export function typedPayer(): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

/** The payment is over: what was typed is not wanted here any more. */
export function forgetPayer(): void {
  inStorage((storage) => storage.removeItem(place))
}

/** The one that is chosen stays chosen. */
function listCountries(select: HTMLSelectElement): void {
  const chosen = select.value
  const options = countryNames(document.documentElement.lang).map(
    ({ code, name }) => new Option(name, code, code === chosen, code === chosen),
  )
  select.replaceChildren(...options)
}

function keep(): void {
  inStorage((storage) => storage.setItem(place, JSON.stringify(typedPayer())))
}

function read(): Record<string, string | undefined> {
  return inStorage((storage) => JSON.parse(storage.getItem(place) ?? '{}')) ?? {}
}

function isField(found: Element | null): found is PayerField {
  return found instanceof HTMLInputElement || found instanceof HTMLSelectElement
}
