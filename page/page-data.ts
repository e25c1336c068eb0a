import type { FieldErrorName } from './rules/check.ts'
import { parsePageState } from './rules/page-state.ts'

/** Texts of this page in the payer's language. */
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

/**
 * State of the payment when the page was made. `madeAtMs` is the service's clock then, because the browser's
 * may be wrong.
 */
export const initialPageState = parsePageState(dataset['standing'] ?? '{}')
const madeAtMs = Number(dataset['now'])

/** Name of the merchant. */
export const seller = dataset['seller'] ?? ''

/** Time of the service, accurate to about a day: a machine that slept is behind. */
export function serviceTime(): Date {
  return new Date(madeAtMs + performance.now())
}

/** Replaces the placeholders of a text. */
export function interpolate(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}
