import assert from 'node:assert/strict'
import { it } from 'node:test'
import { raw, sql } from '../../../kit/runtime/sql.ts'
import { seedCharges } from '../../../testing/seed/charges.ts'
import { posByConnector } from '../../../testing/seed/modifications.ts'
import { processDueVerifications } from '../../../testing/till/process-due.ts'
import { testTill } from '../../../testing/till/till.ts'
import { connectors } from '../../connectors/index.ts'

const count = 10_000
const perSecond = 100
const hourS = 60 * 60
const megabyte = 1024 * 1024

it('ten thousand approvals are rarely inquired about while inquiries fail for an hour, and all are verified afterwards', async (t) => {
  const till = await testTill({ withBankPage: true, env: { VERIFICATIONS_PER_SECOND: String(perSecond) } })
  const { services, clock } = till
  const posId = (await posByConnector(till)).get('sandbox-nestpay') ?? assert.fail()
  await seedCharges(till, { posId, preAuth: false, fault: null, count, bankAmountMinor: 10_000 })
  await services.sql.run(raw('analyze'))
  let isDown = true
  let inquiries = 0
  services.connectors = connectors.map((connector) => ({
    ...connector,
    open: (tools, access) => {
      const bank = connector.open(tools, access)
      const inquire = async (question: Parameters<typeof bank.inquire>[0]) => {
        inquiries += 1
        return isDown ? ({ status: 'unknown', why: 'it is down' } as const) : bank.inquire(question)
      }
      return { authentication: bank.authentication, authorize: (charge) => bank.authorize(charge), inquire }
    },
  }))
  clock.advance(60_000)
  const heapBefore = process.memoryUsage().heapUsed
  let maxInSecond = 0
  const second = async () => {
    const before = inquiries
    await processDueVerifications(services)
    maxInSecond = Math.max(maxInSecond, inquiries - before)
    clock.advance(1_000)
  }
  for (let passed = 0; passed < hourS; passed++) await second()
  const inquiriesInVain = inquiries
  // Four inquiries run when the first fails; then one follows each pause, which grows to five minutes.
  assert.ok(inquiriesInVain <= 4 + 17, `${inquiriesInVain} inquiries while it was down`)
  isDown = false
  const unverified = async () => {
    const row = await services.sql.one<{ left: number }>(
      sql`select count(*)::int as left from verifications where state = 'unverified'`,
    )
    return row.left
  }
  assert.equal(await unverified(), count)
  let seconds = 0
  for (; (await unverified()) > 0 && seconds < hourS; seconds++) await second()
  assert.equal(await unverified(), 0)
  assert.equal(inquiries - inquiriesInVain, count)
  assert.ok(maxInSecond <= perSecond, `${maxInSecond} inquiries in a second`)
  const grownMb = (process.memoryUsage().heapUsed - heapBefore) / megabyte
  t.diagnostic(
    `${inquiriesInVain} inquiries in vain, ${seconds} s for the rest, ${grownMb.toFixed(0)} MB of heap`,
  )
  assert.ok(grownMb < 200, `${grownMb} MB`)
})
