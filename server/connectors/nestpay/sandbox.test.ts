import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { systemRandom } from '../../../kit/security/random.ts'
import { connectorFixtures } from '../../../testing/connectors/fixtures.ts'
import { passBankPage } from '../../../testing/connectors/pass-bank-page.ts'
import { nestpayCards } from '../../../testing/harness/bank.ts'
import { silentLog, testDatabase } from '../../../testing/harness/database.ts'
import { testCard } from '../../../testing/harness/payer.ts'
import type { Bank } from '../contract/contract.ts'
import { sandboxNestpay } from './index.ts'

const terms = { amountMinor: 12_345, currency: 'TRY', installment: 3 }

async function stage(settings: Record<string, string> = {}) {
  const { sql } = await testDatabase()
  const fixture = await connectorFixtures['sandbox-nestpay']?.open(sql)
  if (!fixture) throw new Error('the connector has no fixture')
  const http = networkHttpClient(fixture.clock)
  const tools = { http, clock: fixture.clock, random: systemRandom, log: silentLog }
  const bank = sandboxNestpay.open(tools, { ...fixture.access(), settings })
  return { ...fixture, http, bank }
}

/** Result of the bank's page for a card, read by the connector; undefined if the page does not return. */
async function verdictOn(bank: Bank, number: string, http: ReturnType<typeof networkHttpClient>) {
  const { authentication } = bank
  if (authentication.by !== 'bank_page') throw new Error('the bank has no page of its own')
  const charge = { ...terms, reference: `R${number.slice(-5)}` }
  const returnUrl = 'https://pay.example/return'
  const form = authentication.form({ ...charge, preAuth: false, returnUrl, language: 'en' }, testCard(number))
  const back = await passBankPage(http, form)
  if (!back) return undefined
  assert.equal(back.url, returnUrl)
  return { charge, result: authentication.readReturn(charge, back.body) }
}

const verdicts: Record<string, string> = {
  paid: 'proven',
  unsure: 'proven',
  half: 'not_proven',
  refused: 'not_proven',
  disbelieved: 'not_genuine',
}

describe('the page of the sandbox bank', () => {
  for (const { number, expected, does } of nestpayCards) {
    it(`${number}: ${does.en}`, async () => {
      const { bank, http, taken } = await stage()
      const verdict = await verdictOn(bank, number, http)
      assert.equal(verdict?.result.verdict, verdicts[expected])
      if (verdict?.result.verdict !== 'proven') return
      const payment = { by: 'bank_page', proof: verdict.result.proof } as const
      const answer = await bank.authorize({ ...verdict.charge, payment, payerAddress: null })
      assert.equal(
        answer.outcome === 'declined' ? answer.reason : answer.outcome,
        expected === 'paid' ? 'approved' : 'duplicate_reference',
      )
      assert.equal((await taken(verdict.charge.reference)) ?? 0, expected === 'paid' ? terms.amountMinor : 0)
    })
  }

  it('proves an attempt if the POS accepts it, and never a failure', async () => {
    const { bank, http, taken } = await stage({ accept_half_3d: 'yes' })
    for (const { number, expected } of nestpayCards.filter((card) =>
      ['half', 'refused'].includes(card.expected),
    )) {
      const verdict = await verdictOn(bank, number, http)
      assert.ok(verdict)
      const { result, charge } = verdict
      assert.equal(result.verdict, expected === 'half' ? 'proven' : 'not_proven', number)
      if (result.verdict !== 'proven') continue
      assert.equal(result.status, 'A')
      const payment = { by: 'bank_page', proof: result.proof } as const
      assert.equal((await bank.authorize({ ...charge, payment, payerAddress: null })).outcome, 'approved')
      assert.equal(await taken(charge.reference), terms.amountMinor)
    }
  })
})

describe('a refund on the day of the sale', () => {
  it('is a void if it is full; a repeated one is already done', async () => {
    const { bank, chargeThat, taken } = await stage()
    const charge = await chargeThat('approve', 'r1')
    await bank.authorize(charge)
    const { reference, amountMinor, currency } = charge
    const refund = {
      reference,
      amountMinor,
      currency,
      bankReferences: {},
      refundKey: '1',
      priorRefundedMinor: 0,
    }
    for (let time = 0; time < 2; time++) {
      const answer = await bank.refund?.(refund)
      assert.equal(answer?.outcome, 'approved')
    }
    assert.equal(await taken('r1'), 0)
  })

  it('must wait for the end of the bank’s day if it is partial', async () => {
    const { bank, chargeThat, taken, clock } = await stage()
    const charge = await chargeThat('approve', 'r1')
    await bank.authorize(charge)
    const part = {
      reference: 'r1',
      amountMinor: 45,
      currency: 'TRY',
      bankReferences: {},
      refundKey: '1',
      priorRefundedMinor: 0,
    }
    const early = await bank.refund?.(part)
    assert.ok(early?.outcome === 'declined' && early.reason === 'not_settled_yet')
    assert.equal(await taken('r1'), charge.amountMinor)
    clock.advance(24 * 3_600_000)
    assert.equal((await bank.refund?.(part))?.outcome, 'approved')
    assert.equal(await taken('r1'), charge.amountMinor - 45)
    const chargeStatus = await bank.inquire({ reference: 'r1', currency: 'TRY' })
    assert.ok(chargeStatus.status === 'taken')
    assert.deepEqual([chargeStatus.echoed.amountMinor, chargeStatus.refundedMinor], [charge.amountMinor, 45])
  })
})
