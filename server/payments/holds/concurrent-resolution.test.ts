import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { networkHttpClient } from '../../../kit/outbound/http-client.ts'
import { sql } from '../../../kit/runtime/sql.ts'
import { recordingHttp } from '../../../testing/crash/boundaries.ts'
import { runTypedCommand } from '../../../testing/harness/command-line.ts'
import { silentLog } from '../../../testing/harness/database.ts'
import { newInstance } from '../../../testing/harness/new-instance.ts'
import { repetitions } from '../../../testing/harness/tier.ts'
import { eventLines, modificationLines } from '../../../testing/invariants/payment-rows.ts'
import { seedCharges } from '../../../testing/seed/charges.ts'
import { posByConnector } from '../../../testing/seed/modifications.ts'
import { processDueCapturesAndReleases } from '../../../testing/till/process-due.ts'
import { bonusCard, preAuthForm, refundActions } from '../../../testing/till/refunds.ts'
import { testTill } from '../../../testing/till/till.ts'
import { openDatabase } from '../../database/pool.ts'
import { requireMerchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import { processPaymentDeadline } from '../deadlines/process-payment-deadline.ts'
import { startCaptureOrRelease } from './start-capture-or-release.ts'

const till = await testTill()
const { services, database, clock } = till
const hourMs = 60 * 60 * 1000
/** Holds that are resolved in several ways at the same time. */
const count = repetitions(300)

/** Another instance with separate connections that records its requests to the bank. */
function instanceOn(requests: string[] = []): Services {
  const { sql: pool, close } = openDatabase({ url: database.url }, 5, silentLog)
  after(close)
  return newInstance(services, pool, recordingHttp(networkHttpClient(clock), requests))
}

const deadlineOptions = ['--pre-auth-deadline-hours', '1', '--at-pre-auth-deadline', 'release']
await runTypedCommand(services, ['merchant', 'change', String(till.merchant.id), ...deadlineOptions])
const merchant = await requireMerchant(services, till.merchant.id)

describe('capture, release and deadline at the same time', () => {
  it(`in two instances have one winner (${count} times)`, async () => {
    const atOnce = 15
    const posId = (await posByConnector(till)).get('sandbox') ?? 0
    const ids = await seedCharges(till, { posId, preAuth: true, fault: null, count })
    clock.advance(hourMs)
    await services.sql.run(sql`update payments set due_at = ${clock.now()} where state = 'held'`)
    const [here, there] = [instanceOn(), instanceOn()]
    const wins: Record<string, number> = { capture: 0, release: 0, deadline: 0 }
    for (let done = 0; done < count; done += atOnce) {
      const rivals = ids.slice(done, done + atOnce).map((id, index) => {
        const [one, other] = index % 2 === 0 ? [here, there] : [there, here]
        const resolve = (on: Services, resolution: 'capture' | 'release') =>
          startCaptureOrRelease(on, merchant, id, { resolution, by: 'key 1' })
        const deadline = async (on: Services) =>
          (await processPaymentDeadline(on, { merchantId: merchant.id, id })) ? 'deadline' : undefined
        // The order of the calls varies.
        const all = [
          async () => ((await resolve(one, 'capture')) === 'resolved' ? 'capture' : undefined),
          async () => ((await resolve(other, 'release')) === 'resolved' ? 'release' : undefined),
          () => deadline(one),
          () => deadline(other),
        ]
        const turned = [...all.slice(index % 4), ...all.slice(0, index % 4)]
        return Promise.all(turned.map((rival) => rival()))
      })
      for (const outcome of await Promise.all(rivals)) {
        const won = outcome.filter((each) => each !== undefined)
        assert.equal(won.length, 1, `there is one winner: ${won}`)
        const [winner = ''] = won
        wins[winner] = (wins[winner] ?? 0) + 1
      }
    }
    const resolutions = await services.sql.many<{
      by: string
      kind: string
      modifications: number
      payments: number
    }>(sql`
      select case when resolved_by = 'deadline' then 'deadline' else resolution end as by, kind, modifications,
        count(*)::int as payments
      from (select p.resolved_by, p.resolution, min(d.kind) as kind, count(d.id)::int as modifications
        from payments p join modifications d on d.merchant_id = p.merchant_id and d.payment_id = p.id
        where p.id = any(${ids}::bigint[]) and p.due_at is null and p.event_count = 1
        group by p.merchant_id, p.id) each
      group by 1, 2, 3 order by 1`)
    assert.deepEqual(
      resolutions.map(({ by, kind, modifications, payments }) => [by, kind, modifications, payments]),
      [
        ['capture', 'capture', 1, wins['capture']],
        ['deadline', 'release', 1, wins['deadline']],
        ['release', 'release', 1, wins['release']],
      ].filter(([, , , payments]) => payments !== 0),
    )
    // The next test covers the calls to the bank.
    await services.sql.run(
      sql`update modifications set due_at = null where payment_id = any(${ids}::bigint[])`,
    )
  })

  it('lead to one call to the bank, whichever instance processes it', async () => {
    const { paid } = refundActions(till)
    const ids: number[] = []
    for (let count = 0; count < 8; count++) ids.push(await paid(bonusCard, preAuthForm))
    const requests: string[] = []
    const [here, there] = [instanceOn(requests), instanceOn(requests)]
    await Promise.all(
      ids.flatMap((id) => [
        startCaptureOrRelease(here, merchant, id, { resolution: 'capture', by: 'key 1' }),
        startCaptureOrRelease(there, merchant, id, { resolution: 'release', by: 'key 2' }),
      ]),
    )
    const counts = await Promise.all(
      [here, there, here, there].map((instance) => processDueCapturesAndReleases(instance)),
    )
    assert.equal(
      counts.reduce((sum, each) => sum + each),
      8,
    )
    assert.equal(requests.length, 8)
    const expectedEvents = { capture: '2 pre_auth.completed', release: '2 pre_auth.failed' }
    for (const id of ids) {
      const [modification = '', ...others] = await modificationLines(services.sql, id)
      const kind = modification.startsWith('capture') ? 'capture' : 'release'
      assert.deepEqual(
        [modification, others],
        [kind === 'capture' ? 'capture done by capture' : 'release done by void', []],
      )
      assert.deepEqual(await eventLines(services.sql, id), ['1 payment.pre_authorized', expectedEvents[kind]])
    }
  })
})
