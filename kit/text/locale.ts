import { BoundedCache } from '../runtime/bounded-cache.ts'

export type Language = 'tr' | 'en'

export type Localized<Value> = Readonly<Record<Language, Value>>

export type LocalizedText = Localized<string>

export const languages: readonly Language[] = ['tr', 'en']

/** Language of a response while the merchant is unknown. */
export const defaultLanguage: Language = 'tr'

const remembered = new BoundedCache<string, Language | undefined>(1_000)
/** Longer headers are not cached; no browser sends one. */
const longestUsual = 200

/** Language that an Accept-Language header prefers among ours, by quality; undefined if it names neither. */
export function preferredLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined
  return header.length > longestUsual ? weigh(header) : remembered.get(header, weigh)
}

function weigh(header: string): Language | undefined {
  let best: Language | undefined
  let bestQuality = 0
  for (const part of header.split(',', 50)) {
    const [range = '', ...parameters] = part.split(';')
    const tag = range.trim().toLowerCase().split('-')[0]
    const language = languages.find((known) => known === tag)
    const quality = qualityOf(parameters)
    if (language && quality > bestQuality) {
      best = language
      bestQuality = quality
    }
  }
  return best
}

function qualityOf(parameters: string[]): number {
  for (const parameter of parameters) {
    const match = /^\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*$/i.exec(parameter)
    if (match) return Math.min(Number(match[1]), 1)
  }
  return 1
}
