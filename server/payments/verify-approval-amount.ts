import { command } from '../../kit/command-line/command.ts'
import {
  booleanField,
  idField,
  moneyField,
  objectSchema,
  optional,
  textField,
} from '../../kit/input/fields.ts'
import { decimalText } from '../../kit/money/money.ts'
import type { Services } from '../services.ts'
import { verifyApprovalManually } from './verifications/verify-approval-manually.ts'

export const verifyApprovalAmountCommand = command({
  positionals: ['id'],
  input: objectSchema({
    id: idField('Id of the approved attempt or modification, from `vezne payment unknown`.'),
    amount: moneyField(
      'Amount in the bank’s records, in the minor unit: 1100 is 11.00. 0 if the bank has nothing.',
      {
        min: 0,
      },
    ),
    by: textField('Name of the person who asked the bank.', { max: 100 }),
    reason: textField('The bank’s answer in one sentence.', { max: 500 }),
    sure: optional(
      booleanField('Confirms an amount that differs from the requested amount. The merchant gets an event.'),
    ),
  }),
  run: async (
    services: Services,
    { id: approvalId, amount: bankAmountMinor, by, reason, sure = false },
    print,
  ) => {
    const { kind, state, amountMinor, paymentId, currency } = await verifyApprovalManually(services, {
      id: approvalId,
      bankAmountMinor,
      by,
      reason,
      isSure: sure,
    })
    const amounts = [amountMinor, bankAmountMinor].map((minor) => `${decimalText(minor, '.')} ${currency}`)
    print(
      state === 'verified'
        ? `The ${kind} of payment ${paymentId} is verified: ${amounts[0]}.`
        : `The ${kind} of payment ${paymentId} differs: ${amounts[0]} was requested, the bank has ${amounts[1]}. The merchant gets an event. To settle it: vezne payment settle-difference ${approvalId} …`,
    )
  },
})
