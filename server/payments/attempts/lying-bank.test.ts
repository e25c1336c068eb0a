import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Keyring } from '../../../kit/security/keyring.ts'
import { gatedHttp, stopAt } from '../../../testing/crash/boundaries.ts'
import { lyingConnectors } from '../../../testing/faults/lying-connectors.ts'
import { findCards } from '../../../testing/harness/card-search.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { testProof } from '../../../testing/harness/payer.ts'
import { longIt } from '../../../testing/harness/tier.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { Bank, BankAnswer, ChargeStatus } from '../../connectors/index.ts'
import { connectors } from '../../connectors/index.ts'
import type { Services } from '../../services.ts'
import { attemptTable } from '../records/bank-work.sql.ts'
import { unsettledWork } from '../records/unsettled-work.sql.ts'
import { authorizeAttempt } from './authorize-attempt.ts'

const minuteMs = 60 * 1000
const hourMs = 60 * minuteMs
const approving = '5400360000000003'
const declining = '4111111111111129'

async function tillOf(lies: (bank: Bank) => Partial<Bank>): Promise<Till> {
  const till = await testTill()
  till.services.connectors = lyingConnectors(lies)
  return till
}

async function statusOf(till: Till, paymentId: number): Promise<string> {
  const { payment_status_text: payment, transaction_status_text: transaction } = await till.result(paymentId)
  return `${payment} ${transaction}`
}

async function assertEnd(till: Till, paymentId: number, status: string): Promise<void> {
  await till.pass(5 * hourMs)
  assert.equal(await statusOf(till, paymentId), status)
  assert.deepEqual(await inconsistencies(till), [])
}

describe('an approval', () => {
  const others = { amountMinor: 10_001, currency: 'USD', reference: '10000000000001' }
  for (const [field, value] of Object.entries(others)) {
    const altered = <Reply extends BankAnswer | ChargeStatus>(reply: Reply): Reply =>
      'echoed' in reply ? { ...reply, echoed: { ...reply.echoed, [field]: value } } : reply

    it(`with another ${field} does not count: the bank is queried, and its record decides`, async () => {
      const till = await tillOf((bank) => ({
        authorize: async (charge) => altered(await bank.authorize(charge)),
      }))
      const paymentId = await till.start()
      await till.pay(paymentId, approving)
      assert.equal(await statusOf(till, paymentId), 'waiting pending')
      await assertEnd(till, paymentId, 'success completed')
    })

    it(`with another ${field}, confirmed by the query, is reversed`, async () => {
      const till = await tillOf((bank) => ({
        authorize: async (charge) => altered(await bank.authorize(charge)),
        inquire: async (question) => {
          const chargeStatus = await bank.inquire(question)
          return chargeStatus.status === 'taken' ? altered(chargeStatus) : chargeStatus
        },
      }))
      const paymentId = await till.start()
      await till.pay(paymentId, approving)
      await assertEnd(till, paymentId, 'failed expired')
    })
  }

  it('after a query that reported a decline is reversed, and the payer can pay another way', async () => {
    const till = await tillOf(() => ({
      inquire: async () => ({ status: 'declined', reason: 'other', code: '05', message: null }),
    }))
    const paymentId = await till.start()
    const submission = await till.submit(paymentId, approving)
    assert.equal(submission.outcome, 'begun')
    const stop = stopAt('after call sale')
    const slow: Services = { ...till.services, http: gatedHttp(till.services.http, stop.gate) }
    const target = { attemptId: submission.attempt.id }
    const asking = authorizeAttempt(slow, till.merchant, target, testProof)
    await stop.reached
    await till.pass(minuteMs)
    till.services.connectors = connectors
    await till.pay(paymentId, approving)
    stop.goOn()
    assert.equal((await asking).context?.attempt.state, 'reversing')
    await assertEnd(till, paymentId, 'success completed')
    assert.equal((await till.bank.line(String(target.attemptId)))?.taken, 0)
  })
})

describe('a bank that fails', () => {
  it('after it charged the card is queried, and its record decides', async () => {
    const till = await tillOf((bank) => ({
      authorize: async (charge) => {
        await bank.authorize(charge)
        throw new Error(`a bug, with ${approving} in its words`)
      },
    }))
    const paymentId = await till.start()
    await till.pay(paymentId, approving)
    await assertEnd(till, paymentId, 'success completed')
  })

  it('at every query and void leads to manual review, and the charge is reversed once the bank works again', async () => {
    const fails = () => Promise.reject(new Error('a bug'))
    const till = await tillOf((bank) => ({
      authorize: async (charge) => {
        await bank.authorize(charge)
        return fails()
      },
      inquire: fails,
      void: fails,
    }))
    const paymentId = await till.start()
    await till.pay(paymentId, approving)
    await till.pass(5 * hourMs)
    assert.equal(await statusOf(till, paymentId), 'waiting pending')
    assert.equal((await unsettledWork(till.services.sql, attemptTable, { isAll: false, limit: 9 })).length, 1)
    till.services.connectors = connectors
    await assertEnd(till, paymentId, 'failed expired')
  })

  it('to answer blocks no other processing, and its record decides later', async () => {
    const never = () => new Promise<never>(() => undefined)
    const till = await tillOf((bank) => ({
      authorize: async (charge) => {
        await bank.authorize(charge)
        return never()
      },
      inquire: never,
    }))
    const paymentId = await till.start()
    void till.pay(paymentId, approving)
    while ((await till.bank.book()).length === 0);
    const passing = till.pass(10 * minuteMs).then(() => true)
    const isStuck = () => till.clock.asleep(1).then(() => false)
    while (!(await Promise.race([passing, isStuck()]))) till.clock.advance(30_000)
    assert.equal(await statusOf(till, paymentId), 'waiting pending')
    till.services.connectors = connectors
    await assertEnd(till, paymentId, 'success completed')
  })

  it('to find a charge and finds it after the reversal gets it reversed again', async () => {
    let isForgetful = true
    const till = await tillOf((bank) => ({
      authorize: async (charge) => {
        await bank.authorize(charge)
        return { outcome: 'unknown', why: 'lost' }
      },
      inquire: async (question) => (isForgetful ? { status: 'absent' } : bank.inquire(question)),
      void: async (modification) =>
        isForgetful
          ? { outcome: 'declined', reason: 'nothing_to_undo', code: '25', message: null }
          : ((await bank.void?.(modification)) ?? assert.fail()),
    }))
    const paymentId = await till.start()
    const { context } = await till.pay(paymentId, approving)
    await till.pass(hourMs + minuteMs)
    assert.equal(await statusOf(till, paymentId), 'failed expired')
    assert.equal((await till.bank.line(String(context?.attempt.id)))?.taken, 10_000)
    isForgetful = false
    await assertEnd(till, paymentId, 'failed expired')
  })
})

describe('the text of a bank’s answer', () => {
  const words = {
    'control characters': 'a\u0000b\u001b[31mc\r\n\u2028d',
    'ten thousand letters': 'ş'.repeat(10_000),
    'the number of the card': `kart 5400 3600-0000 0003 ve ${approving}`,
    'half a character': 'a\ud83d',
    'half a character where they are cut': `${'a'.repeat(39)}😀${'a'.repeat(159)}😀${'a'.repeat(60)}😀`,
  }
  for (const [what, text] of Object.entries(words)) {
    for (const [pan, inTier] of [
      [approving, it],
      [declining, longIt],
    ] as const) {
      inTier(`can contain ${what}, ${pan === approving ? 'approved' : 'declined'}`, async () => {
        const till = await tillOf((bank) => ({
          authorize: async (charge) => {
            const answer = await bank.authorize(charge)
            if (answer.outcome === 'unknown') return answer
            const wordy = { ...answer, code: text, message: text }
            return wordy.outcome === 'approved' ? { ...wordy, bankReferences: { order: text } } : wordy
          },
        }))
        const paymentId = await till.start()
        const { context } = await till.pay(paymentId, pan)
        assert.equal(context?.attempt.state, pan === approving ? 'approved' : 'declined')
        const { transaction_message: message, transaction_code: code } = await till.result(paymentId)
        assert.ok(message.length <= 200 && code.length <= 40)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        assert.doesNotMatch(message + code, /[\x00-\x1f\u2028]/)
        assert.ok((message + code).isWellFormed())
        await assertEnd(till, paymentId, pan === approving ? 'success completed' : 'failed expired')
      })
    }
  }
})

describe('a POS that cannot be opened', () => {
  const broken: Record<string, Partial<Services>> = {
    'whose secrets cannot be opened': {
      keyring: new Keyring('another secret that is long enough', undefined),
    },
    'whose connector is gone': { connectors: [] },
    'of the other mode': { connectors: connectors.map((each) => ({ ...each, mode: 'live' })) },
  }
  for (const [what, services] of Object.entries(broken)) {
    it(`${what}: the payer can try again`, async () => {
      const till = await testTill()
      const paymentId = await till.start()
      const submission = await till.submit(paymentId, approving)
      assert.equal(submission.outcome, 'begun')
      const instance = { ...newInstance(till.services, till.database.sql), ...services }
      const target = { attemptId: submission.attempt.id }
      const answer = await authorizeAttempt(instance, till.merchant, target, testProof)
      assert.equal(answer.outcome, 'not_asked')
      assert.equal(answer.context?.payment.state, 'open')
      assert.deepEqual(await till.bank.book(), [])
      await till.pay(paymentId, approving)
      await assertEnd(till, paymentId, 'success completed')
    })

    it(`${what}, after the bank was asked: the outcome stays unknown and needs manual review, and nothing is lost`, async () => {
      const till = await testTill()
      const paymentId = await till.start()
      await till.pay(paymentId, '4190000000000101')
      const { keyring, connectors: all } = till.services
      Object.assign(till.services, services)
      await till.pass(5 * hourMs)
      Object.assign(till.services, { keyring, connectors: all })
      assert.equal(await statusOf(till, paymentId), 'waiting pending')
      assert.equal(
        (await unsettledWork(till.services.sql, attemptTable, { isAll: false, limit: 9 })).length,
        1,
      )
      await assertEnd(till, paymentId, 'failed expired')
      assert.deepEqual(await findCards(till.services.sql, till.lines), [])
    })
  }
})
