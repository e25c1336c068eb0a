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
import { authorizeAttempt } from './authorize-attempt.ts'
import { processAttempt } from './process-attempt.ts'
import { submitCard } from './submit-card.ts'

const hourMs = 60 * 60 * 1000
const approving = '5400360000000003'
const lost = '4190000000000101'
const settled = '4190000000000622'

/** Runs this work on an instance with these gates, and swallows the one failure that it may have. */
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

/** At this boundary all connections are cut. After a query its answer is lost with them, though it was done. */
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

/** The bank and the rest of the service have noticed, and have new connections. */
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

/** Does this work again and again, cut at each boundary once, until it is not cut any more. */
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

describe('connections that are cut, before a query is sent or before its answer arrives', () => {
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

  it('anywhere in undoing a charge leave a consistent state', async () => {
    const till = await testTill()
    let id = 0
    const reached = await cutEverywhere(
      till,
      async (instance) => {
        const ownedId = { merchantId: till.merchant.id, id }
        while (await processAttempt(instance, ownedId));
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

describe('whether a question was written down is not known', () => {
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

  it('and it was: the bank is not asked, for the card is gone, and the payer may try again', async () => {
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

  it('and it was not: nothing has happened, and it may be asked', async () => {
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
