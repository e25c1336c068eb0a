/** The element with this id; throws if it is missing. */
export function requiredElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`)
  return found
}

/** Creates an element with this class and these contents. Strings stay text, never HTML. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...contents: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...contents)
  return made
}

export type EntryKind = 'browser' | 'element' | 'server' | 'event' | 'webhook'

/** Texts of the page's script, in the page's language. */
export interface ShopTexts {
  cannotOrder: string
  noElement: string
  checking: string
  compared: string
  ours: string
  theirs: string
  same: string
  differs: string
  webhookCame: string
  webhookDue: string
  again: string
  copied: string
  kinds: Record<EntryKind, string>
  signatureValid: string
  known: string
  noAnswer: string
  toApi: string
  toShop: string
}

const { dataset } = document.body

export const texts: ShopTexts = JSON.parse(dataset['words'] ?? '{}')
export const language = document.documentElement.lang === 'en' ? 'en' : 'tr'
export const apiUrl = dataset['api'] ?? ''
export const publicKey = dataset['key'] ?? ''

const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
const number = new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', digits)

/** Price in the page's language: `1.250,00 ₺` in Turkish, `₺1,250.00` in English. */
export function priceText(amountMinor: number): string {
  const amount = number.format(amountMinor / 100)
  return language === 'tr' ? `${amount}\u00a0₺` : `₺${amount}`
}
