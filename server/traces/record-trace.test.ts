import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Insert } from '../../kit/runtime/sql.ts'
import { DatabaseUnavailable, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { deleteOldTraces } from './delete-old-traces.ts'
import type { Trace } from './index.ts'
import { recordTrace, recordTraceWithChange } from './index.ts'

const { services, merchant, clock } = await testApi()

let payments = 10_000_000_000_000

function traceWith(body: object, more: Partial<Trace> = {}): Trace {
  const paymentId = payments++
  const of = { merchantId: merchant.id, paymentId, attemptId: paymentId + 1 }
  return { ...of, peer: 'browser', direction: 'received', kind: 'CRes', body, ...more }
}

async function storedBodiesOf({ paymentId }: Trace): Promise<object[]> {
  const rows = await services.sql.many<{ body: object }>(
    sql`select body from traces where payment_id = ${paymentId} order by id`,
  )
  return rows.map(({ body }) => body)
}

it('a message that is sent repeatedly is recorded a few times, and other messages are still recorded', async () => {
  const trace = traceWith({ a: 1 })
  for (let time = 0; time < 40; time++) await recordTrace(services, trace)
  await recordTrace(services, { ...trace, kind: 'RReq' })
  assert.equal((await storedBodiesOf(trace)).length, 21)
})

it('characters that the database refuses do not prevent recording', async () => {
  const trace = traceWith({ 'a\0': 'b\0', half: '\ud800', list: [{ deep: '\0' }] })
  await recordTrace(services, trace)
  assert.deepEqual(await storedBodiesOf(trace), [
    { 'a\ufffd': 'b\ufffd', half: '\ufffd', list: [{ deep: '\ufffd' }] },
  ])
})

it('a message that is too long is recorded by its length', async () => {
  const trace = traceWith({ a: 'x'.repeat(100_000) })
  await recordTrace(services, trace)
  assert.deepEqual(await storedBodiesOf(trace), [{ tooLong: 100_008 }])
})

it('tokens in page and bank return addresses are left out', async () => {
  const trace = traceWith({
    okUrl: 'https://pay.example/return/0a1b2c.AAAA-_bb',
    results: 'https://pay.example/3ds/results/0a1b2c.AAAA-_bb?x',
  })
  await recordTrace(services, trace)
  assert.deepEqual(await storedBodiesOf(trace), [
    { okUrl: 'https://pay.example/return/…', results: 'https://pay.example/3ds/results/…?x' },
  ])
})

it('a trace that cannot be recorded does not throw', async () => {
  await recordTrace(services, traceWith({ a: 1n }))
})

it('a trace of a change is recorded only with the change, and never prevents it', async () => {
  const merchantId = merchant.id
  const change = (isMade: boolean) => async (traced?: Insert) => {
    const made = sql`select ${merchantId}::bigint as merchant_id where ${isMade}`
    const written = await services.sql.write({
      steps: [['transition', made]],
      gate: 'transition',
      storedGate: sql`(${made}) as transition`,
      inserts: traced ? [traced] : [],
    })
    return written !== undefined
  }
  const [made, unmade] = [traceWith({ a: 1 }), traceWith({ a: 1 })]
  assert.deepEqual(await recordTraceWithChange(services, made, change(true)), true)
  assert.deepEqual(await recordTraceWithChange(services, unmade, change(false)), false)
  assert.deepEqual([await storedBodiesOf(made), await storedBodiesOf(unmade)], [[{ a: 1 }], []])
  for (const wrong of [traceWith({ a: 1 }, { direction: 'sideways' as 'sent' }), traceWith({ a: 1n })])
    assert.equal(await recordTraceWithChange(services, wrong, change(true)), true)
})

it('a change with an unknown outcome is not repeated because of its trace', async () => {
  let times = 0
  const lost = async () => {
    times += 1
    throw new DatabaseUnavailable('the connection was lost')
  }
  await assert.rejects(recordTraceWithChange(services, traceWith({ a: 1 }), lost), DatabaseUnavailable)
  assert.equal(times, 1)
})

it('a shown trace has no terminal control characters', async () => {
  const trace = traceWith({ note: 'a\u001b[2Jb\u202ec' })
  await recordTrace(services, trace)
  const shown = await runTypedCommand(services, ['trace', 'list', String(trace.paymentId)])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  assert.doesNotMatch(shown, /[\u001b\u202e]/)
})

it('traces are deleted after the retention period, and not before', async () => {
  const trace = traceWith({ a: 1 })
  await recordTrace(services, trace)
  clock.advance(services.config.traceDays * 24 * 3_600_000 - 1000)
  await deleteOldTraces(services)
  assert.equal((await storedBodiesOf(trace)).length, 1)
  clock.advance(2000)
  assert.ok((await deleteOldTraces(services)) > 0)
  assert.equal((await storedBodiesOf(trace)).length, 0)
})
