import { announcePolitely } from './announce.ts'
import { onNumberInput, typedNumber } from './card-fields.ts'
import { element } from './element.ts'
import { fetchJson } from './fetch-json.ts'
import { interpolate, texts } from './page-data.ts'
import type { ChargeText } from './rules/page-state.ts'

/** Plan that a card can choose. */
interface Plan {
  installment: number
  charged: number
  total: string
  extra: string | null
  text: string
  sum: string | null
}

/** Chosen plan as it is sent. */
export interface PlanChoice {
  installment: number
  charged: number
}

/** Number of digits that determine the plans of a card. */
const binLength = 8

const part = element('plans', HTMLElement)
const list = element('plan-list', HTMLElement)
const single = [...list.children]
/** Plans by the first digits of the card. */
const offers = new Map<string, readonly Plan[]>()
let bin: string | undefined
let offering: Promise<void> = Promise.resolve()
let onChoice: (charge: ChargeText) => void = () => undefined

/**
 * Shows the plans of a card as soon as its first digits are typed, and reports the total of the chosen plan.
 */
export function mountOffer(call: (charge: ChargeText) => void): void {
  onChoice = call
  list.addEventListener('change', notifyChoice)
  onNumberInput(() => {
    if (part.hidden) return
    const typed = typedNumber().slice(0, binLength)
    const now = typed.length === binLength ? typed : undefined
    if (now === bin) return
    bin = now
    offering = offer()
  })
  // Retries a request that failed while offline.
  window.addEventListener('online', () => void isOffered())
  notifyChoice()
}

/** Requests the plans again, because they have changed. */
export function refreshOffer(): Promise<boolean> {
  if (bin !== undefined) offers.delete(bin)
  return isOffered()
}

/** Chosen plan of this card; undefined if its plans could not be loaded. */
export async function chosenPlan(): Promise<PlanChoice | undefined> {
  if (!(await isOffered())) return undefined
  const input = chosenInput()
  return { installment: Number(input?.value), charged: Number(input?.dataset['charged']) }
}

/**
 * True if the shown plans belong to this card. Requests them if necessary, but not if the page never has a
 * choice.
 */
async function isOffered(): Promise<boolean> {
  if (part.hidden) return true
  await offering
  if (bin !== undefined && !offers.has(bin)) {
    offering = offer()
    await offering
  }
  return bin !== undefined && offers.has(bin)
}

/**
 * Shows the plans for the first digits. They are requested once; a response for other digits is not shown.
 */
async function offer(): Promise<void> {
  const askedBin = bin
  if (askedBin === undefined) return show([], 'idle')
  if (!offers.has(askedBin)) {
    part.dataset['state'] = 'loading'
    const answer = await fetchJson<{ plans?: Plan[] }>('offer', { bin: askedBin })
    if (answer?.plans) offers.set(askedBin, answer.plans)
    if (askedBin !== bin) return offering
  }
  const plans = offers.get(askedBin) ?? []
  show(plans, plans.length > 0 ? 'offered' : 'idle')
}

function show(plans: readonly Plan[], state: 'idle' | 'offered'): void {
  part.dataset['state'] = state
  const chosen = chosenInput()?.value
  const isFocused = list.contains(document.activeElement)
  const before = list.textContent
  list.replaceChildren(...(plans.length === 0 ? single : plans.map(row)))
  const inputs = [...list.querySelectorAll('input')]
  const selected = inputs.find(({ value }) => value === chosen) ?? inputs[0]
  if (selected) selected.checked = true
  if (isFocused) selected?.focus()
  if (plans.length > 1 && list.textContent !== before)
    announcePolitely(interpolate(texts.offered, { count: plans.length }))
  notifyChoice()
}

function notifyChoice(): void {
  const { total, extra } = chosenInput()?.dataset ?? {}
  if (total) onChoice({ total, extra: extra ?? null })
}

function row({ installment, charged, total, extra, text, sum }: Plan): HTMLElement {
  const label = document.createElement('label')
  label.className = 'plan'
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'installment'
  input.value = String(installment)
  input.dataset['charged'] = String(charged)
  input.dataset['total'] = total
  if (extra !== null) input.dataset['extra'] = extra
  const caption = document.createElement('span')
  caption.textContent = text
  if (sum !== null) {
    const below = document.createElement('small')
    below.textContent = sum
    caption.append(' ', below)
  }
  label.append(input, ' ', caption)
  return label
}

function chosenInput(): HTMLInputElement | undefined {
  return [...list.querySelectorAll('input')].find(({ checked }) => checked)
}
