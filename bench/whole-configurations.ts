import type { PayerMode } from '../testing/till/pay-over-http.ts'

/** One kind of whole payment under one load. */
export interface WholeConfiguration {
  mode: PayerMode
  /** True if the merchant has a webhook that gets the event of each payment. */
  webhook: boolean
  /** Payers at the same time. */
  atOnce: number
}

const modes: readonly PayerMode[] = ['own_frictionless', 'own_challenge', 'nestpay']
const loads = [1, 16, 64]
const webhookWords = ['webhook', 'no_webhook']

/** Configurations that the words choose. A property without a word has every value; an unknown word throws. */
export function configurationsFor(words: readonly string[]): WholeConfiguration[] {
  const known = [...modes, ...webhookWords, ...loads.map(String)]
  const unknown = words.filter((word) => !known.includes(word))
  if (unknown.length > 0)
    throw new Error(`--only does not know ${unknown.join(', ')}. It knows: ${known.join(', ')}`)
  const chosenOf = (values: readonly string[]) => {
    const named = values.filter((value) => words.includes(value))
    return named.length > 0 ? named : values
  }
  const [chosenModes, chosenLoads] = [chosenOf(modes), chosenOf(loads.map(String))]
  const chosenWebhooks = chosenOf(webhookWords)
  return modes
    .filter((mode) => chosenModes.includes(mode))
    .flatMap((mode) =>
      chosenWebhooks.flatMap((word) =>
        chosenLoads.map((load) => ({ mode, webhook: word === 'webhook', atOnce: Number(load) })),
      ),
    )
}

/** Short text for remarks. */
export function textOf({ mode, webhook, atOnce }: WholeConfiguration): string {
  return `${mode}, ${webhook ? 'with' : 'without'} a webhook, ${atOnce} at once`
}
