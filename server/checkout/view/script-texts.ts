import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Language, LocalizedText } from '../../../kit/text/locale.ts'
import { pageAsksForCustomer } from '../../payments/for-checkout.ts'
import type { VisitedPageContext } from '../state/visitor.ts'
import { htmlPerLanguage } from '../texts/part.ts'
import { cardFieldErrorTexts, pageTexts, payerFieldErrorTexts } from '../texts/texts.ts'

/** Texts that the page's script shows itself. */
const scriptTextNames = [
  'title',
  'pay',
  'busy',
  'offered',
  'check',
  'expiresSoon',
  'expiresSaid',
  'noConnection',
  'unreachable',
  'notArrived',
  'limited',
  'offerChanged',
  'notTaken',
  'cardAgain',
] as const satisfies (keyof typeof pageTexts)[]

/** Texts of the page's script in the payer's language, with the errors of each field. */
export function scriptTextsJson({ payment, language }: VisitedPageContext): Html {
  return (pageAsksForCustomer(payment) ? withPayer : withoutPayer)[language]
}

const withPayer = htmlPerLanguage((language) =>
  serialized({ ...cardFieldErrorTexts, ...payerFieldErrorTexts }, language),
)
const withoutPayer = htmlPerLanguage((language) => serialized(cardFieldErrorTexts, language))

function serialized(wrong: Readonly<Record<string, LocalizedText>>, language: Language): Html {
  const all = {
    ...Object.fromEntries(scriptTextNames.map((name) => [name, pageTexts[name][language]])),
    faults: inLanguage(wrong, language),
  }
  return html`${JSON.stringify(all)}`
}

function inLanguage(sentences: Readonly<Record<string, LocalizedText>>, language: Language) {
  return Object.fromEntries(Object.entries(sentences).map(([name, sentence]) => [name, sentence[language]]))
}
