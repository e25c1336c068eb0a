import { ask } from './ask.js'
import { fields, typedBin } from './card-fields.js'
import { element } from './element.js'

/**
 * @typedef {{ installment: number, charged: number, total: string, extra: string | null, text: string,
 *   sum: string | null }} Plan
 * @typedef {{ total: string, extra: string | null }} Charge
 */

const list = element('plan-list', HTMLElement)
const single = [...list.children]
/** @type {string | undefined} */
let offeredTo
/** @type {Promise<void>} */
let offering = Promise.resolve()

/**
 * Offers what the card can choose from as soon as its first digits are typed.
 *
 * @param {(charge: Charge) => void} onChoice told what the chosen plan costs in all
 */
export function mountOffer(onChoice) {
  const tell = () => {
    const { total, extra } = chosenInput()?.dataset ?? {}
    if (total) onChoice({ total, extra: extra ?? null })
  }
  list.addEventListener('change', tell)
  fields.number.addEventListener('input', () => {
    const bin = typedBin()
    if (bin === offeredTo) return
    offeredTo = bin
    offering = bin === undefined ? Promise.resolve(show([])) : load(bin)
    void offering.then(tell)
  })
}

/** Asks again: what was offered is not to be had any more. */
export function offerAnew() {
  offering = offeredTo === undefined ? Promise.resolve() : load(offeredTo)
  return offering
}

/** What the payer has chosen, of what this very card was offered. */
export async function chosenPlan() {
  await offering
  const input = chosenInput()
  return { installment: Number(input?.value), charged: Number(input?.dataset['charged']) }
}

/** @param {string} bin */
async function load(bin) {
  /** @type {{ plans: Plan[] } | undefined} */
  const answer = await ask('offer', { bin })
  // Another card may have been typed meanwhile.
  if (offeredTo === bin) show(answer?.plans ?? [])
}

/** @param {Plan[]} plans */
function show(plans) {
  const chosen = chosenInput()?.value
  list.replaceChildren(...(plans.length === 0 ? single : plans.map(row)))
  const inputs = [...list.querySelectorAll('input')]
  const kept = inputs.find(({ value }) => value === chosen) ?? inputs[0]
  if (kept) kept.checked = true
}

/** @param {Plan} plan */
function row({ installment, charged, total, extra, text, sum }) {
  const label = document.createElement('label')
  label.className = 'plan'
  const input = document.createElement('input')
  input.type = 'radio'
  input.name = 'installment'
  input.value = String(installment)
  input.dataset['charged'] = String(charged)
  input.dataset['total'] = total
  if (extra !== null) input.dataset['extra'] = extra
  const words = document.createElement('span')
  words.textContent = text
  if (sum !== null) {
    const below = document.createElement('small')
    below.textContent = sum
    words.append(' ', below)
  }
  label.append(input, ' ', words)
  return label
}

function chosenInput() {
  return [...list.querySelectorAll('input')].find(({ checked }) => checked)
}
