import type { Html } from '../../../kit/text/html.ts'
import { html } from '../../../kit/text/html.ts'
import type { Localized, LocalizedText } from '../../../kit/text/locale.ts'
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

const withPayer = serializedTexts({ ...cardFieldErrorTexts, ...payerFieldErrorTexts })
const withoutPayer = serializedTexts(cardFieldErrorTexts)

function serializedTexts(fieldErrorTexts: Readonly<Record<string, LocalizedText>>): Localized<Html> {
  return htmlPerLanguage((language) => {
    const texts = scriptTextNames.map((name) => [name, pageTexts[name][language]])
    const faults = Object.entries(fieldErrorTexts).map(([name, sentence]) => [name, sentence[language]])
    return html`${JSON.stringify({ ...Object.fromEntries(texts), faults: Object.fromEntries(faults) })}`
  })
}
