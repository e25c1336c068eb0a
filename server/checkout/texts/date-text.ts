import type { Language } from '../../../kit/text/locale.ts'

const locales = { tr: 'tr-TR', en: 'en-GB' }

/** Formatters, cached by time zone: creating one takes longer than rendering a page. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** Localized time: `15 Kasım 2026 12:30` in Turkish, `15 November 2026 at 12:30` in English. */
export function dateText(instant: Date, timeZone: string, language: Language): string {
  const key = `${language} ${timeZone}`
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone })
    formats.set(key, format)
  }
  return format.format(instant)
}
