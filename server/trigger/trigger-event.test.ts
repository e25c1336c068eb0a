import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { systemClock } from '../../kit/runtime/clock.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { runTypedCommand, runVezne } from '../../testing/harness/command-line.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { freePorts } from '../../testing/harness/process.ts'
import { readConfig } from '../config.ts'
import type { EventKind } from '../events/index.ts'
import { eventKinds } from '../events/index.ts'
import { createMerchant, keysOfMerchant, revokeKey } from '../merchants/index.ts'
import { ensureDemoPos } from '../pos/index.ts'
import { startService } from '../start.ts'

const database = await testDatabase()
const bank = await testBank({ sql: database.sql, clock: systemClock })
const env = {
  ...(await freePorts()),
  DATABASE_URL: database.url,
  VEZNE_SECRET: 'a secret for tests, long enough for it',
  SANDBOX_URL: bank.address,
}
const { services, stop } = await startService(readConfig(env), silentLog, { web: true, work: true })
after(stop)
const { merchant } = await createMerchant(services, { name: 'Demo' }, 'demo')
await ensureDemoPos(services, merchant)
await services.cache.refresh()
// Manual policy, so that the rules never decide first on a slow machine.
await runTypedCommand(services, ['refund', 'policy', String(merchant.id), '--policy', 'manual'])

/** Triggers an event; returns its row and the earlier kinds of its transaction. */
async function triggered(...words: string[]) {
  const output = await runTypedCommand(services, ['trigger', ...words])
  const [, transactionId] = /^transaction {2}(\d{14})$/m.exec(output) ?? []
  const [, eventId, kind] = /^event {8}(\d{14}) {2}(\S+)$/m.exec(output) ?? []
  assert.match(output, new RegExp(`^Waiting for ${kind} of transaction ${transactionId}`))
  assert.match(output, new RegExp(`GET ${services.config.apiUrl}/v1/events/${eventId}$`))
  const rows = await database.sql.many<Row>(sql`select id, merchant_id as "merchantId", kind, data from events
    where payment_id = ${Number(transactionId)} order by number`)
  const event = rows.find(({ id }) => id === Number(eventId))
  assert.ok(event)
  assert.equal(event.data.transaction_id, Number(transactionId))
  return { event, before: rows.slice(0, rows.indexOf(event)).map((row) => row.kind) }
}

interface Row {
  id: number
  merchantId: number
  kind: EventKind
  data: {
    transaction_id: number
    amount: number
    currency_code: string
    payment_status_text: string
    refund?: { status: string; amount: number }
  }
}

/** Transaction status in the event, refund status, and earlier events. */
const expected: Record<EventKind, [status: string, refund: string | undefined, before: EventKind[]]> = {
  'payment.succeeded': ['success', undefined, []],
  'payment.failed': ['failed', undefined, []],
  'payment.expired': ['failed', undefined, []],
  'payment.pre_authorized': ['pre_authorized', undefined, []],
  'pre_auth.completed': ['success', undefined, ['payment.pre_authorized']],
  'pre_auth.failed': ['failed', undefined, ['payment.pre_authorized']],
  'refund.created': ['success', 'under_review', ['payment.succeeded']],
  'refund.executed': ['refunded', 'executed', ['payment.succeeded', 'refund.created']],
  'refund.rejected': ['success', 'rejected', ['payment.succeeded', 'refund.created']],
  'refund.failed': ['success', 'failed', ['payment.succeeded', 'refund.created']],
  'payment.amount_differs': ['success', undefined, ['payment.succeeded']],
  'pre_auth.amount_differs': ['pre_authorized', undefined, ['payment.pre_authorized']],
  'refund.amount_differs': [
    'refunded',
    undefined,
    ['payment.succeeded', 'refund.created', 'refund.executed'],
  ],
}

describe('vezne trigger', () => {
  it('triggers an event of every kind, with all the events that lead to it', async () => {
    const triggeredByKind = await Promise.all(
      eventKinds.map(async (kind) => {
        const { event, before } = await triggered(kind)
        const { payment_status_text: status, refund } = event.data
        assert.equal(event.merchantId, merchant.id)
        assert.equal(event.kind, kind)
        return [kind, [status, refund?.status, before]] as const
      }),
    )
    assert.deepEqual(Object.fromEntries(triggeredByKind), expected)
  })

  it('pays the given amount, even if the merchant requires more details or the bank asks for a code', async () => {
    const strict = { name: 'Strict', white_label: true, products_required: true }
    const { merchant: other } = await createMerchant(services, strict)
    const add = `pos add ${other.id} --bank 67 --single-rate 1`
    const gate = '--name Gate --connector sandbox-nestpay --currencies EUR'
    const asking = '--name Asking --connector sandbox --currencies USD --setting challenge=04'
    for (const more of [gate, asking]) await runTypedCommand(services, `${add} ${more}`.split(' '))
    await services.cache.refresh()
    await Promise.all(
      ['EUR', 'USD'].map(async (currency) => {
        const words = ['--merchant', String(other.id), '--amount', '250', '--currency', currency]
        const { event } = await triggered('payment.succeeded', ...words)
        const { amount, currency_code } = event.data
        assert.deepEqual([event.merchantId, amount, currency_code], [other.id, 250, currency])
      }),
    )
  })
})

describe('exit code 2', () => {
  it('without a kind or with an unknown one, lists the kinds', async () => {
    for (const words of [['trigger'], ['trigger', 'payment.exploded']]) {
      const { code, output } = await runVezne(words, env)
      assert.equal(code, 2)
      for (const kind of eventKinds) assert.ok(output.includes(kind), kind)
    }
  })

  it('a live merchant is refused', async () => {
    const { merchant: live } = await createMerchant(services, { name: 'Live', live: true })
    const { code, output } = await runVezne(['trigger', 'payment.failed', '--merchant', String(live.id)], env)
    assert.equal(code, 2)
    assert.match(
      output,
      /^--merchant: This merchant is live: events can be triggered only for test merchants\.$/m,
    )
  })
})

describe('exit code 1', () => {
  it('names the service or the sandbox in one sentence if it does not answer', async () => {
    const { API_PORT: free } = await freePorts()
    const away = `http://127.0.0.1:${free}`
    for (const [setting, name] of [
      ['API_URL', 'The service'],
      ['SANDBOX_URL', 'The sandbox bank'],
    ] as const) {
      const { code, output } = await runVezne(['trigger', 'payment.succeeded'], { ...env, [setting]: away })
      assert.equal(code, 1)
      assert.equal(output.split('\n').length, 1, output)
      assert.ok(output.startsWith(`${name} does not answer at ${away} (ECONNREFUSED): `), output)
      assert.ok(output.includes(setting))
    }
  })

  it('shows a refusal in the service’s words, and explains how to create a missing secret key', async () => {
    const { merchant: bare } = await createMerchant(services, { name: 'Bare' })
    const words = ['trigger', 'payment.succeeded', '--merchant', String(bare.id)]
    const refused = await runVezne(words, env)
    assert.equal(refused.code, 1)
    assert.match(
      refused.output,
      /^The service refuses \/v1\/payment\/3ds \(422\)\. .*No active POS accepts this currency\.$/,
    )
    for (const { id, scope } of await keysOfMerchant(services.sql, bare.id))
      if (scope === 'secret') await revokeKey(services, id)
    const keyless = await runVezne(words, env)
    assert.equal(keyless.code, 1)
    assert.match(keyless.output, /has no secret key\. To create one: vezne key create/)
  })
})
