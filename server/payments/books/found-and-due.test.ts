import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/sql.ts'
import type { Plant } from '../../testing/wrong-books.ts'
import { approved, books, changed, changedAttempts, changedTransfers } from '../../testing/wrong-books.ts'

describe('what is wrong is told with what was found and what was due, in decimals and with the currency', () => {
  const shown: [what: string, plant: Plant, said: string][] = [
    [
      'the transfers of a taking',
      changedTransfers(sql`amount = amount + 1`),
      '(paid, payment 98.21 TRY from balance to receivable, commission 1.80 TRY from commission to receivable; due: payment 98.21 TRY from balance to receivable, commission 1.79 TRY from commission to receivable)',
    ],
    [
      'transfers where none are due',
      changed({ state: 'paid', attempts: [{ ...approved, commissionMinor: 0 }] }, sql`state = 'held'`),
      '(held, payment 100.00 TRY from balance to receivable; due: no transfers)',
    ],
    [
      'a transfer that is none',
      changedTransfers(sql`amount = -5`),
      ': -0.05 TRY from commission to receivable',
    ],
    [
      'a charge',
      async (api) => (await api.plant({ attempts: [{ state: 'declined', chargedMinor: 9_999 }] })).id,
      ' charges 99.99 TRY for 100.00 TRY)',
    ],
    [
      'accounts',
      changedTransfers(sql`debit = 'elsewhere'`),
      '(receivable 98.21 TRY, but balance 98.21 and commission 1.79 make 100.00 TRY)',
    ],
    [
      'an event',
      changed({ state: 'failed' }, sql`state = 'expired'`),
      '(expired: payment.failed; due: payment.expired)',
    ],
    [
      'a currency',
      changedAttempts({ attempts: [{ state: 'declined' }] }, sql`currency = 'EUR'`),
      ' in EUR, the payment in TRY)',
    ],
  ]
  for (const [what, plant, said] of shown) {
    it(what, async () => {
      const api = await books()
      await plant(api)
      await assert.rejects(
        api.check(),
        (error: Error) => error.message.includes(said) || assert.fail(error.message),
      )
    })
  }
})
