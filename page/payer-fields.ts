import { countryNames } from './rules/countries.ts'
import { withSessionStorage } from './storage.ts'

const names = ['name', 'lastname', 'email', 'country', 'phone'] as const

type PayerField = HTMLInputElement | HTMLSelectElement

/** Fields of the payer's details; empty if the merchant sent them. */
const fields = names
  .map((name) => document.getElementById(name))
  .filter((field): field is PayerField => isField(field))

/** Session storage key: the details are kept per page and until the tab is closed. */
const storageKey = window.location.pathname

/**
 * Lists the countries and stores the payer's details, so that they are still there after the bank's own page.
 */
export function mountPayerFields(): void {
  for (const field of fields) if (field instanceof HTMLSelectElement) listCountries(field)
  const saved = read()
  for (const field of fields) {
    const value = saved[field.name]
    if (value !== undefined) field.value = value
    field.addEventListener('input', keep)
  }
}

/** Typed details as they are sent. */
export function typedPayer(): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

/** Deletes the stored details, because the payment is over. */
export function forgetPayer(): void {
  withSessionStorage((storage) => storage.removeItem(storageKey))
}

/** Keeps the selected country. */
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
