import { announcePolitely } from './announce.ts'
import { onNumberInput, typedNumber } from './card-fields.ts'
import { element } from './element.ts'
import { fetchJson } from './fetch-json.ts'
import { interpolate, texts } from './page-data.ts'
import type { ChargeText } from './rules/page-state.ts'
import { withoutLayoutJump } from './without-layout-jump.ts'

/** Plan that a card can choose. */
interface Plan {
  installment: number
  charged: number
  total: string
  extra: string | null
  text: string
  each: string
  sum: string | null
  rounding: string | null
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
/** Parts that a longer list moves. */
const below = [...document.querySelectorAll<HTMLElement>('.hold, #pay-bar, .secure, footer')]
/** States by the number of plans: none, one, several. */
const stateFor = ['idle', 'none', 'offered'] as const
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
  if (askedBin === undefined) return show([])
  if (!offers.has(askedBin)) {
    part.ariaBusy = 'true'
    const answer = await fetchJson<{ plans?: Plan[] }>('offer', { bin: askedBin })
    if (answer?.plans) offers.set(askedBin, answer.plans)
    if (askedBin !== bin) return offering
  }
  show(offers.get(askedBin) ?? [])
}

function show(plans: readonly Plan[]): void {
  const chosen = chosenInput()?.value
  const isFocused = list.contains(document.activeElement)
  const before = list.textContent
  withoutLayoutJump({ parts: below, isTyping: true }, () => {
    part.ariaBusy = 'false'
    part.dataset['state'] = stateFor[Math.min(plans.length, 2)]
    list.replaceChildren(...(plans.length === 0 ? single : plans.map(row)))
  })
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

function row({ installment, charged, total, extra, text, each, sum, rounding }: Plan): HTMLElement {
  const label = document.createElement('label')
  label.className = 'plan'
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'installment'
  input.value = String(installment)
  input.dataset['charged'] = String(charged)
  input.dataset['total'] = total
  if (extra !== null) input.dataset['extra'] = extra
  const count = textElement('span', text)
  if (rounding !== null) count.append(' ', textElement('small', rounding))
  // Read aloud in this order; on the page the exception stands below the count.
  input.ariaLabel = [text, each, sum, rounding].join(' ')
  label.append(input, ' ', count, ' ', textElement('strong', each))
  if (sum !== null) label.append(' ', textElement('small', sum))
  return label
}

function textElement(name: 'span' | 'strong' | 'small', text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function chosenInput(): HTMLInputElement | undefined {
  return [...list.querySelectorAll('input')].find(({ checked }) => checked)
}
