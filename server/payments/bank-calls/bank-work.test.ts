import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { gatedHttp, gatedSql, recordingHttp, stopAt } from '../../../testing/crash/boundaries.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { sqlWith } from '../../../testing/harness/sql.ts'
import { processDueCapturesAndReleases } from '../../../testing/till/process-due.ts'
import { bonusCard, preAuthForm } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import type { BankLies } from '../../../testing/till/verifications.ts'
import { makeBankLie } from '../../../testing/till/verifications.ts'
import { connectors } from '../../connectors/index.ts'
import { queryOf } from '../../database/combined-write.sql.ts'
import { onCaptureOrReleaseOutcome } from '../holds/on-capture-or-release-outcome.ts'
import { startCaptureOrRelease } from '../holds/start-capture-or-release.ts'
import { modificationWork } from '../modifications/modification-work.ts'
import { paymentById } from '../records/payment.sql.ts'
import { longestLeaseS, maxRecordToCallDelayMs, processBankWork } from './bank-work.ts'

const till = await testTill()
const { services, merchant, clock } = till
const { sql: database } = services

/** A payment whose capture is due now. */
async function capturing(): Promise<number> {
  const id = await till.start(preAuthForm)
  await till.pay(id, bonusCard)
  await startCaptureOrRelease(services, merchant, id, { resolution: 'capture', by: 'key 1' })
  return id
}

const stateOf = async (id: number) => (await paymentById(database, merchant.id, id))?.state

const callRowsOf = (id: number) =>
  database.many<{
    operation: string
    outcome: string
    detail: string
  }>(sql`select operation, outcome, detail from bank_calls
    where payment_id = ${id} and modification_id is not null order by asked_at, id`)

/** Replaces the bank's answer to a capture until the end of the test. */
function answerCaptures(t: TestContext, capture: NonNullable<BankLies['capture']>): void {
  makeBankLie(till, { capture })
  t.after(answerTruly)
}

const answerTruly = () => {
  services.connectors = connectors
}

describe('a lease', () => {
  it('outlasts the delay before a call and the call, with any bank timeout', () => {
    for (let bankTimeoutSeconds = 1; bankTimeoutSeconds <= 55; bankTimeoutSeconds++)
      assert.ok(
        longestLeaseS({ bankTimeoutSeconds }) > maxRecordToCallDelayMs / 1000 + 2 * bankTimeoutSeconds,
      )
  })

  it('makes no call after the process was paused, because another instance may have made it', async () => {
    const id = await capturing()
    const stop = stopAt('after begin')
    const requests: string[] = []
    const http = recordingHttp(networkHttpClient(clock), requests)
    const still = processDueCapturesAndReleases(newInstance(services, gatedSql(database, stop.gate), http))
    await stop.reached
    clock.advance(maxRecordToCallDelayMs + 1)
    stop.goOn()
    await still
    assert.deepEqual(requests, [])
    const detail = 'the bank was not asked, because the process was paused too long'
    assert.deepEqual(await callRowsOf(id), [{ operation: 'capture', outcome: 'unknown', detail }])
    await till.pass(2 * 60_000)
    assert.equal(await stateOf(id), 'paid')
  })

  it('is held by one instance: another that finds the same work due makes no call', async () => {
    const id = await capturing()
    const ownedId = await database.one<{ merchantId: number; id: number }>(
      sql`select merchant_id as "merchantId", id from modifications where payment_id = ${id}`,
    )
    const { gate, reached, goOn } = stopAt('before call capture')
    const first = processDueCapturesAndReleases(
      newInstance(services, database, gatedHttp(networkHttpClient(clock), gate)),
    )
    await reached
    assert.equal(await processBankWork(services, modificationWork(onCaptureOrReleaseOutcome), ownedId), false)
    goOn()
    await first
    assert.deepEqual(
      (await callRowsOf(id)).map(({ operation }) => operation),
      ['capture'],
    )
    assert.equal(await stateOf(id), 'paid')
  })

  it('records the answer even if the next call of the round cannot be recorded', async (t) => {
    const id = await capturing()
    const refusal = { outcome: 'declined', reason: 'other', code: '99', message: null } as const
    const failing = sqlWith(database, {
      write: (write) => {
        if (queryOf(write).values.includes('inquiry')) throw new Error('the database is away')
        return database.write(write)
      },
    })
    answerCaptures(t, async () => refusal)
    await processDueCapturesAndReleases({ ...services, sql: failing })
    answerTruly()
    assert.deepEqual(await callRowsOf(id), [{ operation: 'capture', outcome: 'declined', detail: null }])
    await till.pass(3 * 60_000)
    assert.equal(await stateOf(id), 'paid')
  })

  it('ends even if a connector never answers, and the next lease continues', async (t) => {
    const id = await capturing()
    answerCaptures(t, () => new Promise(() => undefined))
    const processing = processDueCapturesAndReleases(services)
    await clock.asleep(1)
    clock.advance(2 * services.config.bankTimeoutSeconds * 1000)
    assert.equal(await processing, 1)
    answerTruly()
    const unanswered = { operation: 'capture', outcome: 'unknown', detail: 'the connector failed' }
    assert.deepEqual(await callRowsOf(id), [unanswered])
    await till.pass(2 * 60_000)
    assert.equal(await stateOf(id), 'paid')
  })
})
