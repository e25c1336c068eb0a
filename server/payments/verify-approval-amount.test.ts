import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { isRefusedFor, runTypedCommand } from '../../testing/harness/command-line.ts'
import { bankPageTill, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { processDueVerifications } from '../../testing/till/process-due.ts'
import { preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import type { Till } from '../../testing/till/till.ts'
import {
  overchargeCard,
  postedDifference,
  requestPreAuthResolution,
  tillWithLyingBank,
  verificationLines,
} from '../../testing/till/verifications.ts'

const till = await bankPageTill()

const verify = ({ services }: Till, approval: number, amount: number, ...words: string[]) => {
  const why = ['--by', 'Ayşe Işık', '--reason', 'The bank says so.']
  return runTypedCommand(services, [
    'payment',
    'verify',
    String(approval),
    '--amount',
    String(amount),
    ...why,
    ...words,
  ])
}

/** Approvals of a payment, newest first. */
async function idsOf({ services }: Till, paymentId: number): Promise<number[]> {
  const rows = await services.sql.many<{ id: number }>(
    sql`select id from verifications where payment_id = ${paymentId} order by approved_at desc, id desc`,
  )
  return rows.map(({ id }) => id)
}

async function unverified(of = till, form?: string): Promise<{ id: number; approval: number }> {
  const id = await payAtBankPage(of, overchargeCard, form)
  return { id, approval: (await idsOf(of, id))[0] ?? 0 }
}

describe('an amount that a bank reported to an operator', () => {
  it('verifies an approval', async () => {
    const { id, approval } = await unverified()
    assert.match(
      await verify(till, approval, 10_000),
      /^The charge of payment \d+ is verified: 100\.00 TRY\.$/,
    )
    assert.deepEqual(await verificationLines(till, id), ['charge verified manual'])
    await assert.rejects(verify(till, approval, 10_000), isRefusedFor('id'))
    const shown = await runTypedCommand(till.services, ['payment', 'show', String(id)])
    assert.match(shown, /Ayşe Işık confirmed that the bank has the same amount: The bank says so\./)
  })

  it('records a difference if the operator confirms it', async () => {
    const { id, approval } = await unverified()
    await assert.rejects(
      verify(till, approval, 1_000),
      /100\.00 TRY was requested, but you gave 10\.00 TRY as the bank’s amount\..* run the command again with --sure\.$/,
    )
    assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
    const output = await verify(till, approval, 10_100, '--sure')
    assert.match(
      output,
      /the bank has 101\.00 TRY\. The merchant gets an event\. To settle it: vezne payment settle-difference \d+ …$/,
    )
    assert.deepEqual(await verificationLines(till, id), ['charge differs manual 10100'])
    assert.equal(await postedDifference(till, id), 100)
    await assert.rejects(verify(till, approval, 10_000), isRefusedFor('id'))
  })

  it('can be zero', async () => {
    const { id, approval } = await unverified()
    await verify(till, approval, 0, '--sure')
    assert.equal(await postedDifference(till, id), -10_000)
  })

  it('is stored without card numbers in the reason', async () => {
    const { id, approval } = await unverified()
    const why = ['--by', 'Ayşe', '--reason', `Card ${overchargeCard} is on the list.`]
    await runTypedCommand(till.services, ['payment', 'verify', String(approval), '--amount', '10000', ...why])
    const output = await till.services.sql.one(sql`select detail from bank_calls
      where payment_id = ${id} and operation = 'manual'`)
    assert.deepEqual(output, { detail: 'Ayşe: Card [number redacted] is on the list.' })
  })
})

describe('a reported amount is refused', () => {
  it('for an id without an approval', async () => {
    await assert.rejects(verify(till, 10_000_000_000_001, 1), isRefusedFor('id'))
  })

  it('as a difference of a release', async () => {
    const { id } = await unverified(till, preAuthForm)
    await requestPreAuthResolution(till, id, false)
    await till.pass(5_000)
    const [release = 0] = await idsOf(till, id)
    await assert.rejects(verify(till, release, 9_000, '--sure'), isRefusedFor('amount'))
    await verify(till, release, 10_000)
  })

  it('while the charge is being modified', async () => {
    const { id, approval } = await unverified()
    await refundActions(till).refunded(id, 4_000)
    await assert.rejects(
      verify(till, approval, 10_100, '--sure'),
      /A modification of the charge is in progress at the bank/,
    )
    assert.deepEqual(await verificationLines(till, id), ['charge unverified'])
  })

  it('while the bank is being asked about it', async () => {
    const inquirySent = Promise.withResolvers<void>()
    const free = Promise.withResolvers<void>()
    const slow = await tillWithLyingBank(async (bank, question) => {
      inquirySent.resolve()
      await free.promise
      return bank.inquire(question)
    })
    const { id, approval } = await unverified(slow)
    slow.clock.advance(60_000)
    const verifying = processDueVerifications(slow.services)
    await inquirySent.promise
    await assert.rejects(verify(slow, approval, 10_000), /is asking the bank about it at the moment/)
    free.resolve()
    await verifying
    assert.deepEqual(await verificationLines(slow, id), ['charge differs inquiry 10100'])
  })
})
