import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { raw, sql } from '../../kit/runtime/sql.ts'
import { cards } from '../../sandbox/index.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { testReceiver } from '../../testing/harness/receiver.ts'
import { serviceRoleDatabase } from '../../testing/harness/service-role.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { decliningCard } from '../../testing/seed/lifecycle-cards.ts'
import { runJobsOnce } from '../../testing/till/instances.ts'
import { preAuthForm, refundActions } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { requestPreAuthResolution } from '../../testing/till/verifications.ts'
import { migrate, OwnerRequired, programSchemaLevel, readMigrations, schemaState } from './migrate.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const { owner, service } = await serviceRoleDatabase()
const till = await testTill({ database: service, bankDatabase: owner })
const { services, clock } = till
const backend = backendOf(till)
const run = (...words: string[]) => runTypedCommand(services, words)

const receiver = await testReceiver()
const webhook = await backend.json('/v1/webhooks', { url: receiver.url })
assert.equal(webhook.status, 200, webhook.text)

const folder = mkdtempSync(join(tmpdir(), 'vezne-service-role-'))
after(() => rmSync(folder, { recursive: true }))

/** Rows of a table that the service cleans or fills, counted by the owner. */
const countOf = async (rows: string) =>
  (await owner.sql.one<{ count: number }>(raw(`select count(*)::integer as count from ${rows}`))).count

describe('the role of the service, which can only insert and read events and ledger transfers,', () => {
  const { paid, refunded } = refundActions(till)
  const lostCard = cards.find(({ fault }) => fault?.name === 'lost-undone')?.number ?? ''

  it('is enough for every outcome of a payment', async () => {
    const held = () => paid(undefined, preAuthForm)
    const ids = {
      paid: await paid(),
      refunded: await paid(),
      partlyRefunded: await paid(),
      captured: await held(),
      released: await held(),
      declined: await paid(decliningCard),
      unknown: await paid(lostCard),
      expired: await till.start(),
    }
    await refunded(ids.refunded)
    await refunded(ids.partlyRefunded, 4_000)
    await requestPreAuthResolution(till, ids.captured, true)
    await requestPreAuthResolution(till, ids.released, false)
    await till.pass(dayMs)
    const statusOf = async (id: number) => (await till.result(id)).payment_status_text
    const all = await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await statusOf(id)]))
    assert.deepEqual(Object.fromEntries(all), {
      paid: 'success',
      refunded: 'refunded',
      partlyRefunded: 'partially_refunded',
      captured: 'success',
      released: 'failed',
      declined: 'failed',
      unknown: 'failed',
      expired: 'failed',
    })
  })

  it('is enough for lists of events, deliveries and balances', async () => {
    await runJobsOnce(services)
    const { json: events } = await backend.get('/v1/events')
    assert.equal(events.length, await countOf('events'))
    assert.equal(receiver.requests.length, events.length)
    const resent = await backend.form(`/v1/events/${events[0].id}/resend`, {})
    assert.equal(resent.status, 200, resent.text)
    assert.equal((await backend.get('/v1/balance')).status, 200)
    assert.equal((await backend.get('/v1/balance/transfers')).status, 200)
  })

  it('is enough for the checks of the ledger and for reconciliation', async () => {
    assert.match(await run('ledger', 'check'), /^Integrity checks passed: 8 payments/)
    assert.deepEqual(await inconsistencies(till), [])
    const file = join(folder, 'statement.csv')
    for (const { id } of await owner.sql.many<{ id: number }>(sql`select id from pos_credentials`)) {
      const statement = ['--pos', String(id), '--day', '2026-11-15', '--file', file]
      // The tables of the bank belong to the owner.
      await runTypedCommand({ ...services, sql: owner.sql }, ['sandbox', 'statement', ...statement])
      assert.match(await run('reconcile', ...statement), /Statement and our records agree\.$/)
    }
  })

  it('is enough for the jobs that delete and truncate', async () => {
    const started = { amount: '100', currency: 'TRY' }
    await backend.form('/v1/payment/3ds', started, { 'idempotency-key': 'a' })
    await paid()
    clock.advance(hourMs)
    await paid()
    await runJobsOnce(services)
    const hour = Math.floor(clock.now().getTime() / hourMs)
    const perishable = [
      'idempotency_keys',
      `webhook_deliveries where created_at <= '${clock.now().toISOString()}'`,
      `card_hour_keys_even where hour <= ${hour}`,
      `card_hour_keys_odd where hour <= ${hour}`,
    ]
    for (const rows of perishable) assert.ok((await countOf(rows)) > 0, rows)
    clock.advance(400 * dayMs)
    await runJobsOnce(services)
    for (const rows of perishable) assert.equal(await countOf(rows), 0, rows)
    assert.ok((await countOf('balance_snapshots')) > 0)
  })

  it('was never denied anything', () => {
    const denied = till.lines.filter((line) => line.includes('permission denied') || line.includes('42501'))
    assert.deepEqual(denied, [])
  })
})

describe('the role of the service cannot', () => {
  const appendOnly = ['events', 'ledger_transfers']
  const isDenied = { code: '42501' }

  for (const table of appendOnly)
    it(`change, delete, truncate or lock rows of ${table}, or alter the table`, async () => {
      for (const statement of [
        `update ${table} set created_at = created_at`,
        `delete from ${table}`,
        `truncate ${table}`,
        `select from ${table} where merchant_id = 1 for update`,
        `select from ${table} where merchant_id = 1 for key share`,
        `insert into ${table} select * from ${table} on conflict (merchant_id, id) do update set id = 1`,
        `alter table ${table} add column more text`,
        `alter table ${table} disable trigger all`,
        `drop table ${table}`,
      ])
        await assert.rejects(service.sql.run(raw(statement)), isDenied, statement)
    })

  it('change the level of the schema, or create a table or a schema', async () => {
    for (const statement of [
      'update schema_state set level = 1',
      'create table more (id bigint)',
      'create schema more',
    ])
      await assert.rejects(service.sql.run(raw(statement)), isDenied, statement)
  })
})

it('the role of the service starts on a migrated schema, and leaves migrations to the owner', async () => {
  const state = await migrate(service.sql, silentLog)
  assert.equal(state.level, programSchemaLevel())
  const next = { level: state.level + 1, name: 'next.sql', oldestProgram: 1, text: 'create table next ();' }
  await assert.rejects(migrate(service.sql, silentLog, [...readMigrations(), next]), (error: Error) => {
    assert.ok(error instanceof OwnerRequired)
    const sentence = `^The database has schema level ${state.level}, but this program needs level ${next.level}, and the role`
    assert.match(error.message, new RegExp(sentence))
    return true
  })
  assert.deepEqual(await schemaState(owner.sql), state)
})

it('a table of a later migration is granted to the service without another statement', async () => {
  await owner.sql.run(raw('create table later (id bigint)'))
  await service.sql.run(raw('insert into later values (1)'))
  assert.equal(await service.sql.run(raw('update later set id = 2')), 1)
  assert.equal(await service.sql.run(raw('delete from later')), 1)
})
