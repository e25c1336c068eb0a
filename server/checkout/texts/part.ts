import type { Html } from '../../../kit/text/html.ts'
import { asStaticHtml, html } from '../../../kit/text/html.ts'
import type { Language, Localized } from '../../../kit/text/locale.ts'
import { pageTexts } from './texts.ts'

/** Attribute that hides a part. */
export const hiddenUnless = (isShown: boolean): Html | undefined => (isShown ? undefined : html` hidden`)

/** Value per language, created once. */
export function perLanguage<Value>(make: (language: Language) => Value): Localized<Value> {
  return { tr: make('tr'), en: make('en') }
}

/** Markup per language, created and compressed once. */
export function htmlPerLanguage(make: (language: Language) => Html): Localized<Html> {
  return perLanguage((language) => asStaticHtml(make(language)))
}

/** Texts of the page by language. */
export const textsIn = perLanguage(
  (language) =>
    Object.fromEntries(
      Object.entries(pageTexts).map(([name, sentence]) => [name, sentence[language]]),
    ) as Record<keyof typeof pageTexts, string>,
)
