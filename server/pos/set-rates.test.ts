import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { Refused } from '../../kit/input/refusals.ts'
import { testApi } from '../../testing/harness/api.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { untilLockIsAwaited } from '../../testing/harness/database.ts'
import { segmentSlugs } from '../bins/index.ts'
import type { Merchant } from '../merchants/index.ts'
import { createMerchant } from '../merchants/index.ts'
import { sortedCommissions } from './commission.ts'
import { endRates } from './end-rates.ts'
import type { Pos } from './pos.ts'
import { ratesAt } from './rate.ts'
import { setRates } from './set-rates.ts'
import type { RateChange } from './store.ts'
import { insertRates, posForUpdate, posOfMerchant, posWithCommissions, rateChanges } from './store.ts'

const api = await testApi()
const { services, clock } = api
const run = (...words: string[]) => runTypedCommand(services, words)
let merchant: Merchant
let pos: Pos

async function newPos(): Promise<{ merchant: Merchant; pos: Pos }> {
  const made = await createMerchant(services, { name: 'Mağaza' })
  const basics = ['--bank', '62', '--connector', 'sandbox', '--single-rate', '2', '--families', 'bonus']
  await run('pos', 'add', String(made.merchant.id), '--name', 'Garanti', ...basics)
  const [added] = await posOfMerchant(services.sql, made.merchant.id)
  assert.ok(added)
  return { merchant: made.merchant, pos: added }
}

before(async () => {
  ;({ merchant, pos } = await newPos())
})

const set = (...words: string[]) => run('rate', 'set', String(pos.id), '--family', 'bonus', ...words)

/** Rates at a time, written `bonus personal 3: 4.29 merchant`. */
async function heldAt(at = clock.now()): Promise<string[]> {
  const [priced] = await posWithCommissions(services.sql, merchant.id, at)
  assert.ok(priced)
  return sortedCommissions(priced).map(
    ({ family, segment, installment, rate, commissionBy }) =>
      `${family} ${segment} ${installment}: ${rate / 10_000} ${commissionBy}`,
  )
}

async function faultsOf(...words: string[]): Promise<string[]> {
  const error = await run('rate', ...words).catch((caught: unknown) => caught)
  assert.ok(error instanceof Refused, String(error))
  return [...(error.complaints?.keys() ?? [])]
}

describe('a rate', () => {
  it('can be set for both segments, or for one', async () => {
    await set('--rate', '1=1.79', '--rate', '3=4,29')
    await set('--rate', '3=5', '--segment', 'commercial', '--by', 'customer')
    assert.deepEqual(await heldAt(), [
      'bonus personal 1: 1.79 merchant',
      'bonus personal 3: 4.29 merchant',
      'bonus commercial 1: 1.79 merchant',
      'bonus commercial 3: 5 customer',
      'other personal 1: 2 merchant',
      'other commercial 1: 2 merchant',
    ])
  })

  it('that is already valid is not written again', async () => {
    const before = await rateChanges(services.sql, pos)
    assert.match(await set('--rate', '1=1.79'), /Nothing was changed/)
    assert.deepEqual(await rateChanges(services.sql, pos), before)
  })

  it('keeps its bearer by default', async () => {
    clock.advance(1)
    await set('--rate', '3=5.5')
    const three = (await heldAt()).filter((line) => line.includes(' 3:'))
    assert.deepEqual(three, ['bonus personal 3: 5.5 merchant', 'bonus commercial 3: 5.5 customer'])
  })

  it('can change its bearer only', async () => {
    await set('--rate', '3=5.5', '--segment', 'personal', '--by', 'customer')
    assert.ok((await heldAt()).includes('bonus personal 3: 5.5 customer'))
    await set('--rate', '3=5.5', '--segment', 'personal', '--by', 'merchant')
    assert.ok((await heldAt()).includes('bonus personal 3: 5.5 merchant'))
  })

  it('replaces earlier ones, even if the clock was set back or they start at the same time', async () => {
    const rate = (percent: number) => ({
      pos: pos.id,
      family: 'bonus' as const,
      segment: 'personal' as const,
      rate: [{ installment: 24, rate: percent * 10_000 }],
    })
    const early = {
      ...services,
      clock: new TestClock(new Date(clock.now().getTime() - 30_000).toISOString()),
    }
    await setRates(services, merchant, rate(5))
    await setRates(early, merchant, rate(4))
    for (const laterMs of [0, 1, 60_000]) {
      const held = await heldAt(new Date(clock.now().getTime() + laterMs))
      assert.ok(held.includes('bonus personal 24: 4 merchant'), String(laterMs))
    }
    const from = { instantMs: clock.now().getTime() + 60_000, precisionMs: 1 }
    await setRates(services, merchant, { ...rate(7), from })
    await setRates(early, merchant, { ...rate(6), from })
    assert.ok((await heldAt(new Date(from.instantMs))).includes('bonus personal 24: 6 merchant'))
    await endRates(early, merchant, { pos: pos.id, family: 'bonus', installment: [24], from })
    assert.ok(!(await heldAt(new Date(from.instantMs))).some((line) => line.includes(' 24:')))
    await endRates(services, merchant, { pos: pos.id, family: 'bonus', installment: [24] })
  })

  it('is not delayed by a change from a clock that was far ahead', async () => {
    const other = await newPos()
    const ahead = new TestClock(new Date(clock.now().getTime() + 10 * 24 * 60 * 60_000).toISOString())
    const set3 = (by: Pick<typeof services, 'sql' | 'clock' | 'ids'>, percent: number) =>
      setRates(by, other.merchant, {
        pos: other.pos.id,
        family: 'bonus',
        segment: 'personal',
        rate: [{ installment: 3, rate: percent * 10_000 }],
      })
    await set3({ ...services, clock: ahead }, 9)
    await set3(services, 3)
    const changes = await rateChanges(services.sql, other.pos)
    const rateAt = (at: Date) => ratesAt(changes, at).find(({ installment }) => installment === 3)?.rate
    assert.deepEqual([rateAt(clock.now()), rateAt(ahead.now())], [30_000, 90_000])
  })

  it('waits for another change of the same POS', async () => {
    const isHeld = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = services.sql.transaction(async (sql) => {
      await posForUpdate(sql, pos.id)
      isHeld.resolve()
      await mayEnd.promise
    })
    await isHeld.promise
    const second = set('--rate', '35=1')
    await untilLockIsAwaited(services.sql)
    mayEnd.resolve()
    await Promise.all([first, second])
  })

  it('never changes earlier rates', async () => {
    const moments: [Date, string[]][] = []
    for (const rate of ['1=1', '1=2', '3=7', '6=8']) {
      moments.push([clock.now(), await heldAt()])
      clock.advance(60_000)
      await set('--rate', rate)
    }
    await run('rate', 'end', String(pos.id), '--family', 'bonus', '--installment', '6')
    for (const [at, held] of moments) assert.deepEqual(await heldAt(at), held)
    assert.ok(!(await heldAt()).some((line) => line.includes(' 6:')))
  })

  it('can start later, on a day of the merchant’s time zone', async () => {
    await set('--rate', '2=3', '--segment', 'personal', '--from', '2026-12-01')
    const just = new Date('2026-11-30T20:59:59.999Z')
    assert.ok(!(await heldAt(just)).some((line) => line.includes(' 2:')))
    assert.ok((await heldAt(new Date('2026-11-30T21:00:00Z'))).includes('bonus personal 2: 3 merchant'))
    const listed = await run('rate', 'list', String(pos.id))
    assert.match(listed, /Future rates:\n.*\nbonus +personal +2 +3 % +merchant +2026-12-01T00:00:00\+03:00/)
  })

  it('that starts later is corrected by setting it again', async () => {
    clock.advance(1)
    await set('--rate', '2=2.5', '--segment', 'personal', '--from', '2026-12-01')
    assert.ok((await heldAt(new Date('2026-12-02T00:00:00Z'))).includes('bonus personal 2: 2.5 merchant'))
  })

  it('that is invalid is refused by name, and nothing is written', async () => {
    const before = await rateChanges(services.sql, pos)
    const id = String(pos.id)
    assert.deepEqual(await faultsOf('set', id, '--family', 'world', '--rate', '1=1'), ['family'])
    assert.deepEqual(await faultsOf('set', id, '--family', 'gold', '--rate', '1=1'), ['family'])
    assert.deepEqual(await faultsOf('set', id, '--family', 'other', '--rate', '3=1'), ['rate'])
    assert.deepEqual(await faultsOf('set', id, '--family', 'bonus', '--rate', '3=1', '--rate', '3=2'), [
      'rate',
    ])
    assert.deepEqual(await faultsOf('set', id, '--family', 'bonus', '--rate', '1=1', '--by', 'customer'), [
      'by',
    ])
    assert.deepEqual(
      await faultsOf('set', id, '--family', 'bonus', '--rate', '2=1', '--from', '2026-11-14'),
      ['from'],
    )
    assert.deepEqual(await faultsOf('set', '1', '--family', 'bonus', '--rate', '2=1'), ['pos'])
    for (const rate of ['37=1', '0=1', '2', '=1', '2=', '2=100', '2=-1', '2=1.23456', 'x=1', '02=1']) {
      assert.deepEqual(await faultsOf('set', id, '--family', 'bonus', '--rate', rate), ['rate.0'], rate)
    }
    assert.deepEqual(await faultsOf('end', id, '--family', 'other', '--installment', '1'), ['family'])
    assert.deepEqual(await faultsOf('end', id, '--family', 'bonus', '--installment', '36'), ['installment'])
    assert.deepEqual(await rateChanges(services.sql, pos), before)
  })

  it('is valid once if several changes happen at the same time, and all changes are kept', async () => {
    const one = { pos: pos.id, family: 'bonus' as const, segment: 'personal' as const }
    await Promise.all(
      [10_000, 20_000, 30_000].map((rate) =>
        setRates(services, merchant, { ...one, rate: [{ installment: 36, rate }] }),
      ),
    )
    const changes = (await rateChanges(services.sql, pos)).filter(({ installment }) => installment === 36)
    assert.equal(changes.length, 3)
    assert.equal((await heldAt()).filter((line) => line.includes(' 36:')).length, 1)
  })
})

it('the query and the command line agree on the valid rates, for any changes', async () => {
  const other = await newPos()
  const start = clock.now().getTime()
  let revision = 1
  const change = fc.record({
    segment: fc.constantFrom(...segmentSlugs),
    installment: fc.integer({ min: 1, max: 3 }),
    rate: fc.option(fc.integer({ min: 0, max: 999_999 })),
    commissionBy: fc.constantFrom('merchant' as const, 'customer' as const),
    validFrom: fc.integer({ min: 0, max: 5 }).map((step) => new Date(start + step)),
    createdAt: fc.integer({ min: -2, max: 0 }).map((step) => new Date(start + step)),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const rows: RateChange[] = []
      for (const each of changes) {
        revision += 1
        rows.push({ ...each, revision, id: await services.ids.next(), posId: other.pos.id, family: 'bonus' })
      }
      await insertRates(services.sql, other.pos, rows)
      const all = await rateChanges(services.sql, other.pos)
      for (let step = -1; step <= 6; step++) {
        const at = new Date(start + step)
        const [priced] = await posWithCommissions(services.sql, other.merchant.id, at)
        const byId = (one: { id: number }, two: { id: number }) => one.id - two.id
        assert.deepEqual(priced?.commissions.toSorted(byId), ratesAt(all, at).toSorted(byId))
      }
    }),
    { numRuns: 30 },
  )
})
