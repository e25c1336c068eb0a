import { command } from '../../kit/command-line/command.ts'
import { choiceField, idField, objectSchema, textField } from '../../kit/input/fields.ts'
import { invalidParameter } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import {
  locateWork,
  modificationTable,
  onCaptureOrReleaseOutcome,
  settleAttemptManually,
  settleModificationManually,
} from '../payments/for-manual-settlement.ts'
import { onRefundOutcome } from '../refunds/for-manual-settlement.ts'
import type { Services } from '../services.ts'

const attemptOutcomes: LocalizedText = {
  tr: 'Bir ödeme denemesi için taken veya not_taken olmalıdır.',
  en: 'For an attempt, the outcome must be taken or not_taken.',
}
const modificationOutcomes: LocalizedText = {
  tr: 'Bir banka işlemi (provizyon kapama, provizyon iptali, iade) için done veya not_done olmalıdır.',
  en: 'For a modification (capture, release, refund), the outcome must be done or not_done.',
}

/** Handlers of the outcome of each kind of modification. */
export const outcomeHandlers = {
  capture: onCaptureOrReleaseOutcome,
  release: onCaptureOrReleaseOutcome,
  refund: onRefundOutcome,
}

/** Settles the outcome of a charge, a capture, a release or a refund. */
export const settlePaymentOutcomeCommand = command({
  positionals: ['id'],
  input: objectSchema({
    id: idField('Id of the attempt or the modification, from `vezne payment unknown`.'),
    outcome: choiceField('Outcome at the bank.', ['taken', 'not_taken', 'done', 'not_done']),
    by: textField('Name of the person who asked the bank.', { max: 100 }),
    reason: textField('The bank’s answer in one sentence.', { max: 500 }),
  }),
  run: async (services: Services, { outcome, ...input }, print) => {
    const isModification = (await locateWork(services.sql, modificationTable, input.id)) !== undefined
    if (outcome === 'done' || outcome === 'not_done') {
      if (!isModification) throw invalidParameter('outcome', attemptOutcomes)
      const { payment, modification } = await settleModificationManually(
        services,
        { ...input, outcome },
        outcomeHandlers,
      )
      return print(
        `The ${modification.kind} is ${modification.state}, payment ${payment.id} is ${payment.state}.`,
      )
    }
    if (isModification) throw invalidParameter('outcome', modificationOutcomes)
    const { payment, attempt } = await settleAttemptManually(services, { ...input, outcome })
    print(`Attempt ${attempt.id} is ${attempt.state}, payment ${payment.id} is ${payment.state}.`)
  },
})
