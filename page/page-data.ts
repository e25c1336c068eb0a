import type { FieldErrorName } from './rules/check.ts'
import { parsePageState } from './rules/page-state.ts'

/** The sentences that this page may have to say, in the payer's language. */
export interface PageTexts {
  title: string
  pay: string
  busy: string
  offered: string
  check: string
  expiresSoon: string
  expiresSaid: string
  noConnection: string
  unreachable: string
  notArrived: string
  limited: string
  offerChanged: string
  notTaken: string
  cardAgain: string
  faults: Record<FieldErrorName, string>
}

const { dataset } = document.body

export const texts: PageTexts = JSON.parse(dataset['words'] ?? '{}')

/** How the payment stood when the page was made, and the service's clock then: the browser's own may be wrong. */
export const initialPageState = parsePageState(dataset['standing'] ?? '{}')
const madeAtMs = Number(dataset['now'])

/** The name of whom is paid. */
export const seller = dataset['seller'] ?? ''

/** What time it is, to the day at least: a machine that slept counts less than it was. */
export function serviceTime(): Date {
  return new Date(madeAtMs + performance.now())
}

/** A sentence with the values put in. */
export function interpolate(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
