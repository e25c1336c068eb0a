import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { lyingConnectors } from '../../../testing/faults/lying-connectors.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import { bonusCard, preAuthForm } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { Bank, BankAnswer } from '../../connectors/index.ts'
import { connectors } from '../../connectors/index.ts'
import { startCaptureOrRelease } from '../holds/start-capture-or-release.ts'
import { paymentById } from '../records/payment.sql.ts'

const till = await testTill()
const { services, merchant } = till
const minuteMs = 60_000

const lost = async (): Promise<BankAnswer> => ({ outcome: 'unknown', why: 'it is lost' })
const refused = async (): Promise<BankAnswer> => ({
  outcome: 'declined',
  reason: 'not_permitted_to_terminal',
  code: '58',
  message: null,
})

/**
 * Requests a capture from a bank with false answers for some minutes. Returns the payment's state then, and
 * after the bank answers correctly.
 */
async function captured(lies: (bank: Bank) => Partial<Bank>): Promise<(string | undefined)[]> {
  const id = await till.start(preAuthForm)
  await till.pay(id, bonusCard)
  await startCaptureOrRelease(services, merchant, id, { resolution: 'capture', by: 'key 1' })
  const stateNow = async () => (await paymentById(services.sql, merchant.id, id))?.state
  services.connectors = lyingConnectors(lies)
  try {
    await till.pass(3 * minuteMs)
  } finally {
    services.connectors = connectors
  }
  const meanwhile = await stateNow()
  await till.pass(10 * minuteMs)
  assert.deepEqual(await inconsistencies(till), [])
  return [meanwhile, await stateNow()]
}

describe('a capture', () => {
  const others = { amountMinor: 10_001, currency: 'USD', reference: '10000000000001' }
  for (const [field, value] of Object.entries(others)) {
    it(`is not done by an approval with another ${field}`, async () => {
      const capture: Bank['capture'] = async ({ reference, amountMinor, currency, bankReferences }) => ({
        ...{ outcome: 'approved', code: '00', message: null, bankReferences },
        echoed: { reference, amountMinor, currency, [field]: value },
      })
      assert.deepEqual(await captured(() => ({ capture })), ['capturing', 'paid'])
    })

    it(`is not done by the status of a charge with another ${field}`, async () => {
      const inquire: Bank['inquire'] = async ({ reference, currency }) => ({
        ...{ status: 'taken', refundedMinor: null, code: '00', message: null, bankReferences: {} },
        echoed: { reference, amountMinor: 10_000, currency, [field]: value },
      })
      assert.deepEqual(await captured(() => ({ capture: lost, inquire })), ['capturing', 'paid'])
    })
  }

  it('is not refused while the status of the charge is unknown: an earlier request may have arrived', async () => {
    const inquire: Bank['inquire'] = async () => ({ status: 'unknown', why: 'it does not say' })
    assert.deepEqual(await captured(() => ({ capture: refused, inquire })), ['capturing', 'paid'])
  })

  it('is not requested again before the bank has returned the status of the charge', async () => {
    let times = 0
    const capture: Bank['capture'] = async () => {
      times += 1
      return lost()
    }
    const inquire: Bank['inquire'] = async () => ({ status: 'unknown', why: 'it does not say' })
    assert.deepEqual(await captured(() => ({ capture, inquire })), ['capturing', 'paid'])
    assert.equal(times, 1)
  })

  it('is done if the bank refuses it because it was done before', async () => {
    let times = 0
    const capture = (bank: Bank): NonNullable<Bank['capture']> => {
      return async (modification) => {
        times += 1
        if (times > 1) return refused()
        await bank.capture?.(modification)
        return lost()
      }
    }
    // The first status is from before the new request.
    const inquire = (bank: Bank): Bank['inquire'] => {
      return async (question) => {
        const chargeStatus = await bank.inquire(question)
        return times === 1 && chargeStatus.status === 'taken'
          ? { ...chargeStatus, status: 'held' }
          : chargeStatus
      }
    }
    assert.deepEqual(await captured((bank) => ({ capture: capture(bank), inquire: inquire(bank) })), [
      'paid',
      'paid',
    ])
    assert.equal(times, 2)
  })
})
