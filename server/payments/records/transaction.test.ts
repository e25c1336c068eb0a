import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Static } from 'typebox'
import { schemaExample } from '../../../kit/api/schema-example.ts'
import { decimalText } from '../../../kit/money/money.ts'
import { languages } from '../../../kit/text/locale.ts'
import { shownPaymentStatusCodes, shownStatusesByState, shownTransactionStatusCodes } from './states.ts'
import { ShownTransaction } from './transaction.ts'

it('the example of a transaction is possible: its numbers and texts agree', () => {
  for (const language of languages) {
    const example = schemaExample(ShownTransaction, language) as Static<typeof ShownTransaction>
    const { payment_status_text: payment, transaction_status_text: transaction } = example
    assert.equal(example.payment_status, shownPaymentStatusCodes[payment])
    assert.equal(example.transaction_status, shownTransactionStatusCodes[transaction])
    assert.ok(
      Object.values(shownStatusesByState).some(
        (each) => each.payment === payment && each.transaction === transaction,
      ),
    )
    assert.equal(example.formatted_amount, decimalText(example.amount, '.'))
  }
})
