import { BoundedCache } from '../runtime/bounded-cache.ts'

export type Language = 'tr' | 'en'

/** The same thing for every language that we speak. */
export type Localized<Value> = Readonly<Record<Language, Value>>

/** One thing said in every language that we speak. */
export type LocalizedText = Localized<string>

export const languages: readonly Language[] = ['tr', 'en']

/** What a stranger is answered in, as long as nothing is known about whom it belongs to. */
export const defaultLanguage: Language = 'tr'

const remembered = new BoundedCache<string, Language | undefined>(1_000)
/** No browser says more; who does is not remembered. */
const longestUsual = 200

/** The language an Accept-Language header prefers among ours, by its quality values; none when it names neither. */
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
