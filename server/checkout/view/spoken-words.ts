import type { Html } from '../../kit/html.ts'
import { html } from '../../kit/html.ts'
import type { Language, Sentence } from '../../kit/locale.ts'
import { pageAsksForCustomer } from '../../payments/index.ts'
import type { Visitor } from '../visitor.ts'
import { constantInBoth } from './part.ts'
import { faults, payerFaults, words } from './words.ts'

/** What the page's script may have to say by itself. */
const spoken = [
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
] as const satisfies (keyof typeof words)[]

/** The sentences of the page's script in the payer's language, and what can be wrong with each field. */
export function spokenWords({ payment, language }: Visitor): Html {
  return (pageAsksForCustomer(payment) ? withPayer : withoutPayer)[language]
}

const withPayer = constantInBoth((language) => written({ ...faults, ...payerFaults }, language))
const withoutPayer = constantInBoth((language) => written(faults, language))

function written(wrong: Readonly<Record<string, Sentence>>, language: Language): Html {
  const all = {
    ...Object.fromEntries(spoken.map((name) => [name, words[name][language]])),
    faults: inLanguage(wrong, language),
  }
  return html`${JSON.stringify(all)}`
}

function inLanguage(sentences: Readonly<Record<string, Sentence>>, language: Language) {
  return Object.fromEntries(Object.entries(sentences).map(([name, sentence]) => [name, sentence[language]]))
}
