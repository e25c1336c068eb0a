import { countryNames } from './rules/countries.ts'
import { withSessionStorage } from './storage.ts'

const names = ['name', 'lastname', 'email', 'country', 'phone'] as const

type PayerField = HTMLInputElement | HTMLSelectElement

/** The fields about who pays; none where the merchant has said so. */
const fields = names
  .map((name) => document.getElementById(name))
  .filter((field): field is PayerField => isField(field))

/** Kept for the page's own address while the tab lives. */
const storageKey = window.location.pathname

/** Lists the countries, and keeps what is typed about the payer, so that it is still there behind a bank's own page. */
export function mountPayerFields(): void {
  for (const field of fields) if (field instanceof HTMLSelectElement) listCountries(field)
  const saved = read()
  for (const field of fields) {
    const value = saved[field.name]
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
  withSessionStorage((storage) => storage.removeItem(storageKey))
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
  withSessionStorage((storage) => storage.setItem(storageKey, JSON.stringify(typedPayer())))
}

function read(): Record<string, string | undefined> {
  return withSessionStorage((storage) => JSON.parse(storage.getItem(storageKey) ?? '{}')) ?? {}
}

function isField(node: Element | null): node is PayerField {
  return node instanceof HTMLInputElement || node instanceof HTMLSelectElement
}
