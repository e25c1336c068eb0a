import type { Html } from '../../../kit/text/html.ts'
import { asStaticHtml, html } from '../../../kit/text/html.ts'
import type { Language, Localized } from '../../../kit/text/locale.ts'
import { pageTexts } from './texts.ts'

/** The attribute of a part that is not shown now. */
export const hiddenUnless = (isShown: boolean): Html | undefined => (isShown ? undefined : html` hidden`)

/** What is the same for everybody who speaks a language, made once. */
export function perLanguage<Value>(make: (language: Language) => Value): Localized<Value> {
  return { tr: make('tr'), en: make('en') }
}

/** The same of markup, which is then compressed once as well. */
export function htmlPerLanguage(make: (language: Language) => Html): Localized<Html> {
  return perLanguage((language) => asStaticHtml(make(language)))
}

/** The words of the page, ready to be put into it. */
export const pageTextsAsHtml = perLanguage(
  (language) =>
    Object.fromEntries(
      Object.entries(pageTexts).map(([name, sentence]) => [name, html`${sentence[language]}`]),
    ) as Record<keyof typeof pageTexts, Html>,
)
