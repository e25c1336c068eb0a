import { withSessionStorage } from './storage.ts'

const names = ['name', 'lastname', 'email', 'country', 'phone'] as const

type PayerField = HTMLInputElement | HTMLSelectElement

/** Fields of the payer's details; empty if the merchant sent them. */
const fields = names
  .map((name) => document.getElementById(name))
  .filter((field): field is PayerField => isField(field))

const listTimeoutMs = 15_000

/** Session storage key: the details are kept per page and until the tab is closed. */
const storageKey = window.location.pathname

/**
 * Stores the payer's details, so that they are still there after the bank's own page, and lists the countries.
 */
export function mountPayerFields(): void {
  const saved = read()
  for (const field of fields) {
    const value = saved[field.name]
    if (value === undefined) continue
    // The list adds the name of a country that is not in it yet.
    if (field instanceof HTMLSelectElement && field.value !== value) field.add(new Option(value, value))
    field.value = value
  }
  for (const field of fields) field.addEventListener('input', keep)
  const select = fields.find((field) => field instanceof HTMLSelectElement)
  if (select) mountCountries(select)
}

/** Lists the countries after the page is complete, or when the payer reaches them before the list has arrived. */
function mountCountries(select: HTMLSelectElement): void {
  let isListed = false
  const list = async () => {
    if (isListed) return
    isListed = true
    isListed = await listCountries(select)
  }
  window.addEventListener('load', list)
  select.addEventListener('focus', list)
  select.addEventListener('change', () => showPhoneHint(select))
}

/** Typed details as they are sent. */
export function typedPayer(): Record<string, string> {
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

/** Deletes the stored details, because the payment is over. */
export function forgetPayer(): void {
  withSessionStorage((storage) => storage.removeItem(storageKey))
}

/** Adds the countries and keeps the selected one. Returns false if the list did not arrive. */
async function listCountries(select: HTMLSelectElement): Promise<boolean> {
  const signal = AbortSignal.timeout(listTimeoutMs)
  const answer = await fetch(select.dataset['list'] ?? '', { credentials: 'omit', signal }).catch(
    () => undefined,
  )
  const rows: unknown = answer?.ok ? await answer.json().catch(() => undefined) : undefined
  if (!Array.isArray(rows)) return false
  const chosen = select.value
  const options = rows.map(([code, name, hint]: string[]) => {
    const option = new Option(name, code, code === chosen, code === chosen)
    option.dataset['phone'] = hint
    return option
  })
  select.replaceChildren(...options)
  showPhoneHint(select)
  return true
}

/** Shows an example of a phone number of the selected country beside the label. */
function showPhoneHint(select: HTMLSelectElement): void {
  const hint = document.querySelector('label[for=phone] span')
  const { phone } = select.selectedOptions[0]?.dataset ?? {}
  if (hint && phone !== undefined) hint.textContent = phone
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
