import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { isoTime, startOfDay } from '../../kit/text/zoned-time.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { newInstance } from '../../testing/harness/new-instance.ts'
import { inconsistencies } from '../../testing/invariants/consistency.ts'
import { eventLines } from '../../testing/invariants/payment-rows.ts'
import { bankPageTill, passBankDay, payAtBankPage } from '../../testing/till/pay-at-bank-page.ts'
import { processDueRefunds } from '../../testing/till/process-due.ts'
import { refundActions } from '../../testing/till/refunds.ts'
import type { Connector } from '../connectors/index.ts'
import { connectors } from '../connectors/index.ts'
import { changeMerchant } from '../merchants/change-merchant.ts'

const till = await bankPageTill()
const { services, clock, merchant } = till
const { sql: database } = services
const backend = backendOf(till)
const { ask, asked, refunded, refundsOf, statusOf, command } = refundActions(till)
const zone = 'Europe/Istanbul'
const hourMs = 60 * 60 * 1000

const paid = () => payAtBankPage(till, '5451030000000018')

/** A quarter past the next midnight in Istanbul: the bank has closed its day by then. */
function dayClosed(): Date {
  const tomorrow = isoTime(new Date(clock.now().getTime() + 24 * hourMs), zone).slice(0, 10)
  return new Date(startOfDay(tomorrow, zone).getTime() + hourMs / 4)
}

const listed = async (id: number) => (await backend.get(`/v1/transaction/${id}/refunds`)).json

async function waitOf(id: number): Promise<[string, string | null, string | null]> {
  const [{ status, waiting_for, due_at }] = await listed(id)
  return [status, waiting_for, due_at]
}

async function refundCallCount(paymentId: number): Promise<number> {
  const { count } = await database.one<{ count: number }>(sql`select count(*)::int as count from bank_calls
    where payment_id = ${paymentId} and operation = 'refund'`)
  return count
}

describe('a partial refund on the day of the charge', () => {
  it('is listed with its wait reason and the next call to the bank, and ends after the end of the bank’s day', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    const closed = dayClosed()
    assert.deepEqual(await waitOf(id), ['approved', 'bank_day', isoTime(closed, zone)])
    await till.pass(closed.getTime() - clock.now().getTime() - 1)
    assert.deepEqual(await waitOf(id), ['approved', 'bank_day', isoTime(closed, zone)])
    assert.equal(await refundCallCount(id), 1, 'the bank is not bothered before its day has ended')
    await till.pass(1)
    assert.deepEqual(await waitOf(id), ['executed', null, null])
    assert.equal(await refundCallCount(id), 2)
    await passBankDay(till)
    assert.deepEqual([await statusOf(id), await refundCallCount(id)], [[5, 2], 2])
    assert.deepEqual((await eventLines(database, id)).slice(1), ['2 refund.created', '3 refund.executed'])
    assert.deepEqual(await inconsistencies(till), [])
  })

  it('is shown with its wait reason on the command line', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    const [refund] = await refundsOf(id)
    const due = isoTime(dayClosed(), zone).replace('+', '\\+')
    const waits = 'the end of the bank’s day'
    for (const list of [await command('list'), await command('list', '--state', 'approved')])
      assert.match(list, new RegExp(`^${refund?.id} .* 40.00 TRY +${waits} +${due} +Ürün iade edildi$`, 'm'))
    const shown = await command('show', refund?.id ?? 0)
    assert.match(shown, new RegExp(`^waits for {5}${waits}$`, 'm'))
    assert.match(shown, new RegExp(`^next try {6}${due}$`, 'm'))
    const payment = await runTypedCommand(services, ['payment', 'show', String(id)])
    const open = `${refund?.id} approved, waits for ${waits}, next try ${due}`
    assert.match(payment, new RegExp(`^open refund {3}${open}$`, 'm'))
    assert.match(payment, new RegExp(`^\\d+ +refund +doing .* CORE-2508 not_settled_yet +${due}$`, 'm'))
    await passBankDay(till)
    assert.ok(!(await command('show', refund?.id ?? 0)).includes('waits for'))
    assert.equal(await command('list'), 'There are no open refunds.')
  })

  it('is executed once, by any of the instances that run at that time', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    clock.advance(dayClosed().getTime() - clock.now().getTime())
    const instances = [1, 2, 3].map(() => newInstance(services, database))
    await Promise.all(instances.map((instance) => processDueRefunds(instance)))
    assert.deepEqual(await waitOf(id), ['executed', null, null])
    assert.equal(await refundCallCount(id), 2)
    await till.pass(hourMs)
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('another refund during the wait', () => {
  it('is refused with the reason and the time, in both languages, in the merchant’s time zone', async () => {
    const id = await paid()
    await refunded(id, 4_000)
    const closed = dayClosed()
    const [, tomorrow] = /^(.*)T/.exec(isoTime(closed, zone)) ?? []
    const day = tomorrow?.split('-').toReversed().join('.')
    const { status, json, headers } = await ask(id, { amount: '1000' })
    assert.deepEqual(
      [status, json.error_code, json.errors, json.data, json.message],
      [
        ...[409, 930, [], null],
        `This transaction already has a refund without an outcome. The refund waits for the end of the bank’s day: the bank makes no partial refunds on the day of the charge. The next request to the bank is at ${day} 00:15.`,
      ],
    )
    assert.equal(Number(headers['retry-after']), (closed.getTime() - clock.now().getTime()) / 1000)
    const turkish = await ask(id, { amount: '1000' }, { 'accept-language': 'tr' })
    assert.equal(
      turkish.json.message,
      `Bu işlemin henüz sonuçlanmamış bir iade talebi var. Bankanın gün sonu bekleniyor: banka, çekimin yapıldığı gün kısmi iade yapmaz. Bankaya ${day} 00:15 tarihinde yeniden sorulacak.`,
    )
    const inZone = async (time_zone: string) => {
      await changeMerchant(services, { merchant: merchant.id, time_zone })
      await services.cache.refresh()
    }
    await inZone('Asia/Kathmandu')
    try {
      assert.match((await ask(id)).json.message, new RegExp(`at ${day} 03:00\\.$`))
      assert.match(String((await waitOf(id))[2]), /T03:00:00\+05:45$/)
    } finally {
      await inZone(zone)
    }
    await passBankDay(till)
  })

  it('is accepted after the outcome of the first; refunds never exceed the captured amount, even when requested at the same time', async () => {
    const id = await paid()
    const atOnce = async (...amounts: number[]) => {
      const answers = await Promise.all(amounts.map((amount) => ask(id, { amount: String(amount) })))
      return answers.map(({ status, json }) => [status, json.error_code]).toSorted()
    }
    const [accepted, open] = [
      [200, null],
      [409, 930],
    ]
    assert.deepEqual(await atOnce(4_000, 4_000, 4_000), [accepted, open, open])
    await till.pass(3_000)
    assert.deepEqual(await atOnce(4_000, 6_000, 1), [open, open, open], 'also where it would fit')
    await passBankDay(till)
    assert.deepEqual(await atOnce(4_000, 4_000), [accepted, open])
    await till.pass(3_000)
    assert.deepEqual(await atOnce(2_001), [[422, 901]])
    await refunded(id, 2_000)
    assert.deepEqual([await statusOf(id), await atOnce(1)], [[4, 2], [[409, 931]]])
    assert.deepEqual(
      (await refundsOf(id)).map(({ state, amount }) => [state, amount]),
      [
        ['executed', 4_000],
        ['executed', 4_000],
        ['executed', 2_000],
      ],
    )
    assert.deepEqual(await inconsistencies(till), [])
  })
})

describe('a bank that closes its day after midnight', () => {
  /** Banks that close their day at `until`. */
  const late = (until: Date): readonly Connector[] =>
    connectors.map((connector) => ({
      ...connector,
      open: (tools, access) => {
        const bank = connector.open(tools, access)
        const refund: typeof bank.refund = async (modification) =>
          clock.now() < until
            ? { outcome: 'declined', reason: 'not_settled_yet', code: 'CORE-2508', message: null }
            : ((await bank.refund?.(modification)) ?? assert.fail())
        return Object.assign(Object.create(bank), { authentication: bank.authentication, refund })
      },
    }))

  it('is asked every hour from then on, and the list shows the next time', async () => {
    const id = await paid()
    await asked(id, 4_000)
    await till.pass(3_000)
    const closed = dayClosed()
    const after = (hours: number) => new Date(closed.getTime() + hours * hourMs)
    services.connectors = late(after(1.5))
    try {
      await till.pass(closed.getTime() - clock.now().getTime())
      assert.deepEqual(await waitOf(id), ['approved', 'bank_day', isoTime(after(1), zone)])
      await till.pass(hourMs)
      assert.deepEqual(await waitOf(id), ['approved', 'bank_day', isoTime(after(2), zone)])
      await till.pass(hourMs)
    } finally {
      services.connectors = connectors
    }
    assert.deepEqual(await waitOf(id), ['executed', null, null])
    await till.pass(2 * hourMs)
    assert.deepEqual(await inconsistencies(till), [])
  })
})
