import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/sql.ts'
import type { Plant } from '../../testing/wrong-books.ts'
import {
  approved,
  books,
  changed,
  changedAttempts,
  changedDeed,
  changedRefund,
  changedTransfers,
} from '../../testing/wrong-books.ts'

const attempts = [approved]

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
      changedTransfers(sql`debit = 'elsewhere'`, 'GBP'),
      '(receivable 98.21 GBP, but balance 98.21, commission 1.79 and differences 0.00 make 100.00 GBP)',
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
    [
      'a resolution',
      changedDeed({ state: 'capturing', attempts }, sql`state = 'refused'`),
      '(held, to be resolved by capture: capture refused)',
    ],
    [
      'what was refunded',
      changed({ state: 'refunded', attempts }, sql`refunded = 9999`),
      '(99.99 of 100.00; due: 100.00)',
    ],
    [
      'an open refund',
      changed({ state: 'paid', attempts }, sql`refund_id = 10000000000456`),
      '(refund 10000000000456; due: none)',
    ],
    [
      'a deed of a refund',
      changedDeed({ state: 'partly_refunded', attempts }, sql`amount = 4000`),
      ' of 50.00 executed: done 40.00)',
    ],
    [
      'the share of a refund',
      changedRefund({ state: 'partly_refunded', attempts }, sql`charged = 4999`),
      ': 49.99, of which the bank had 0.90; due: 50.00, of which the bank had 0.90)',
    ],
    [
      'the transfers of a refund',
      async (api) => {
        const { id, refundIds } = await api.plant({ state: 'refunded', attempts })
        await api.run(sql`delete from ledger_transfers where refund_id = ${refundIds[0]}`)
        return id
      },
      '; due: payment 98.21 TRY from balance to receivable, commission 1.79 TRY from commission to receivable, refund 98.21 TRY from receivable to balance, refund_commission 1.79 TRY from receivable to commission)',
    ],
  ]
  const said = books().then(async (api) => {
    for (const [, plant] of shown) await plant(api)
    return api.check().catch((error: Error) => error.message)
  })
  for (const [what, , words] of shown) {
    it(what, async () => {
      const message = await said
      assert.ok(message.includes(words), message)
    })
  }
})
