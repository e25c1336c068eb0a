import { command } from '../../kit/command.ts'
import { choice, id, record, text } from '../../kit/fields.ts'
import { invalidParameter } from '../../kit/refusals.ts'
import { merchantById } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { newCall } from './ask-bank.ts'
import type { Situation } from './decide.ts'
import { concluded } from './decide.ts'
import { move } from './move.ts'
import { attemptPlace, isBeingAsked, situationOf } from './store.ts'
import { turnBegan } from './turn.ts'

export const concludeAttemptCommand = command({
  name: 'payment conclude',
  about:
    'Settles a charge that people had to ask the bank about: taken makes its payment paid, not_taken lets it go on without.',
  example:
    'vezne payment conclude 10000000012345 --outcome not_taken --by "Ayşe Işık" --reason "The bank has no such order."',
  places: ['attempt'],
  input: record({
    attempt: id('The attempt, as `vezne payment unknown` shows it.'),
    outcome: choice('What the bank said.', ['taken', 'not_taken']),
    by: text('Who asked the bank.', { max: 100 }),
    reason: text('What the bank said, in a sentence.', { max: 500 }),
  }),
  run: async (services: Services, input, print) => {
    const { payment, attempt } = await concludeAttempt(services, input)
    print(`Attempt ${attempt.id} is ${attempt.state}, payment ${payment.id} is ${payment.state}.`)
  },
})

export interface Conclusion {
  attempt: number
  outcome: 'taken' | 'not_taken'
  by: string
  reason: string
}

/**
 * Settles an attempt by the word of a person. Guarantee: only one that waits for people; who said it and why is kept
 * with the evidence; and taken only where its payment still waits for it, for otherwise it would be paid twice.
 */
export async function concludeAttempt(services: Services, conclusion: Conclusion): Promise<Situation> {
  const place = await attemptPlace(services.sql, conclusion.attempt)
  const situation = place && (await situationOf(services.sql, place))
  const merchant = place && (await merchantById(services.sql, place.merchantId))
  if (!situation || !merchant || situation.attempt.needsPersonAt === null)
    throw invalidParameter('attempt', {
      tr: 'Bu numarayla, incelenmesi beklenen bir deneme yok.',
      en: 'There is no attempt of this number that waits for people.',
    })
  const { outcome, by, reason } = conclusion
  const now = services.clock.now()
  // What comes of that might be the opposite of what the person says.
  if (await isBeingAsked(services.sql, situation.attempt, turnBegan(services)))
    throw new Error('The bank is being asked about it right now. Try again in a few minutes.')
  const decision = concluded(situation, outcome, now, services.config)
  if (!decision)
    throw invalidParameter('outcome', {
      tr: 'Ödeme bu deneme olmadan devam etti; tahsil edilen tutarın bankada iade edilmesi gerekir.',
      en: 'Its payment has gone on without it: what was taken has to be given back at the bank.',
    })
  const call = await newCall(services, situation.attempt, 'person')
  const asks = { ...call, answeredAt: now, outcome, detail: `${by}: ${reason}` }
  const moved = await move(services, merchant, { before: situation, ...decision, asks })
  if (!moved?.attempt) throw new Error('It has just changed. Look at it again: vezne payment unknown')
  return { payment: moved.payment, attempt: moved.attempt }
}
