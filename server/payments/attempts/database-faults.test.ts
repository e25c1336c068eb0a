import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { DatabaseUnavailable, sql } from '../../../kit/runtime/sql.ts'
import type { BoundaryGate } from '../../../testing/crash/boundaries.ts'
import { gatedHttp, gatedSql } from '../../../testing/crash/boundaries.ts'
import { endConnections, silentLog } from '../../../testing/harness/database.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { testCard, testPageToken, testPayer, testProof } from '../../../testing/harness/payer.ts'
import { inconsistencies } from '../../../testing/invariants/consistency.ts'
import type { Till } from '../../../testing/till/till.ts'
import { testTill } from '../../../testing/till/till.ts'
import { openDatabase } from '../../database/pool.ts'
import type { Services } from '../../services.ts'
import { processBankWork } from '../bank-calls/bank-work.ts'
import { attemptWork } from './attempt-work.ts'
import { authorizeAttempt } from './authorize-attempt.ts'
import { submitCard } from './submit-card.ts'

const hourMs = 60 * 60 * 1000
const approving = '5400360000000003'
const lost = '4190000000000101'
const settled = '4190000000000622'

/** Runs the work on an instance with this gate, and ignores the expected DatabaseUnavailable. */
async function runOn(
  till: Till,
  gate: BoundaryGate,
  work: (instance: Services) => Promise<unknown>,
): Promise<void> {
  const { sql: pool, close } = openDatabase({ url: till.database.url }, 3, silentLog)
  try {
    await work(
      newInstance(till.services, gatedSql(pool, gate), gatedHttp(networkHttpClient(till.clock), gate)),
    )
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
  } finally {
    await close()
  }
}

/**
 * Cuts all connections at this boundary. After a query, its result is lost although the query was executed.
 */
function cutAt(till: Till, boundary: number): { gate: BoundaryGate; reached: () => string | undefined } {
  let count = 0
  let reached: string | undefined
  const gate: BoundaryGate = async (at) => {
    if (count++ !== boundary) return
    reached = at
    await endConnections(till.database.url)
    await comeBack(till)
    if (at.startsWith('after') && !at.includes('call'))
      throw new DatabaseUnavailable('the connection was cut')
  }
  return { gate, reached: () => reached }
}

/** Waits until the bank and the service have new connections. */
async function comeBack({ services }: Till): Promise<void> {
  for (let good = 0; good < 20; ) {
    good = await services.sql.one(sql`select 1`).then(
      () => good + 1,
      () => 0,
    )
  }
}

async function pay(instance: Services, till: Till, paymentId: number, pan: string): Promise<void> {
  const submission = {
    name: null,
    card: testCard(pan),
    payer: testPayer,
    installment: 1,
    chargedMinor: 10_000,
    payerAddress: '203.0.113.7',
    language: 'tr' as const,
    page: testPageToken,
  }
  const submitted = await submitCard(instance, till.merchant, { paymentId }, submission)
  if (submitted.outcome !== 'begun') return
  await authorizeAttempt(instance, till.merchant, { attemptId: submitted.attempt.id }, testProof)
}

/** Repeats the work with a cut at each boundary in turn, until no boundary is left. */
async function cutEverywhere(
  till: Till,
  work: (instance: Services) => Promise<unknown>,
  before: () => Promise<void> = async () => undefined,
): Promise<string[]> {
  const reached: string[] = []
  for (let boundary = 0; boundary < 100; boundary++) {
    await before()
    const cut = cutAt(till, boundary)
    await runOn(till, cut.gate, work)
    const at = cut.reached()
    if (at === undefined) return reached
    reached.push(at)
  }
  throw new Error('it never comes to its end')
}

describe('cut connections, before a query is sent or before its result arrives,', () => {
  for (const pan of [approving, lost]) {
    it(`anywhere in an attempt with ${pan} leave a consistent state`, async () => {
      const till = await testTill()
      const reached = await cutEverywhere(till, async (instance) =>
        pay(instance, till, await till.start(), pan),
      )
      for (const boundary of ['before begin', 'after begin', 'before finish', 'after finish'])
        assert.ok(reached.includes(boundary), boundary)
      await till.pass(5 * hourMs)
      assert.deepEqual(await inconsistencies(till), [])
    })
  }

  it('anywhere in a reversal leave a consistent state', async () => {
    const till = await testTill()
    let id = 0
    const reached = await cutEverywhere(
      till,
      async (instance) => {
        const ownedId = { merchantId: till.merchant.id, id }
        while (await processBankWork(instance, attemptWork, ownedId));
      },
      async () => {
        id = (await till.pay(await till.start(), settled)).context?.attempt.id ?? 0
        till.clock.advance(hourMs)
      },
    )
    for (const boundary of ['after begin', 'after call refund', 'after finish'])
      assert.ok(reached.includes(boundary), boundary)
    await till.pass(5 * hourMs)
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('if the connection is cut while the call is recorded', () => {
  async function authorizedWithCut(till: Till, boundary: string) {
    const paymentId = await till.start()
    const submission = await till.submit(paymentId, approving)
    assert.equal(submission.outcome, 'begun')
    const gate: BoundaryGate = async (at) => {
      if (at === boundary) throw new DatabaseUnavailable('the connection was cut')
    }
    const instance = newInstance(till.services, gatedSql(till.database.sql, gate))
    const authorize = (services: Services) =>
      authorizeAttempt(services, till.merchant, { attemptId: submission.attempt.id }, testProof)
    return { paymentId, authorize, instance }
  }

  it('and the call was recorded, the bank is not asked because the card is lost, and the payer can try again', async () => {
    const till = await testTill()
    const { paymentId, authorize, instance } = await authorizedWithCut(till, 'after begin')
    const answer = await authorize(instance)
    assert.equal(answer.outcome, 'not_asked')
    assert.equal(answer.context?.payment.state, 'open')
    assert.deepEqual(await till.bank.book(), [])
    await till.pay(paymentId, approving)
    await till.pass(5 * hourMs)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('and the call was not recorded, nothing has happened and the bank can still be asked', async () => {
    const till = await testTill()
    const { paymentId, authorize, instance } = await authorizedWithCut(till, 'before begin')
    await assert.rejects(authorize(instance), DatabaseUnavailable)
    assert.deepEqual(await till.bank.book(), [])
    assert.equal((await authorize(till.services)).outcome, 'asked')
    await till.pass(5 * hourMs)
    assert.equal((await till.result(paymentId)).payment_status_text, 'success')
    assert.deepEqual(await inconsistencies(till), [])
  })
})
