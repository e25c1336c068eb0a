import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { untilLockIsAwaited } from '../../testing/harness/database.ts'
import { seedEvent, seedPayment } from '../../testing/seed/payment.ts'
import type { BatchingSql } from '../database/batching-sql.ts'
import type { Merchant } from '../merchants/index.ts'
import { createMerchant } from '../merchants/index.ts'
import { assignPositions } from './assign-positions.ts'
import { eventsAfterPosition, merchantsWithUnpositionedEvents } from './store.ts'

const { services, clock } = await testApi()
const { sql: database } = services

async function newShop(): Promise<Merchant> {
  return (await createMerchant(services, { name: 'Mağaza', live: false })).merchant
}

interface Writer {
  paymentId: number
  /** Writes the payment's next event with a time this many seconds from now; returns its id. */
  write(secondsFromNow: number, through?: BatchingSql): Promise<number>
}

/** Creates a payment whose events are written one by one. */
async function writerFor(merchant: Merchant): Promise<Writer> {
  const { id: paymentId } = await seedPayment(services, merchant)
  let number = 0
  return {
    paymentId,
    write: (secondsFromNow, through = database) => {
      number += 1
      const at = new Date(clock.now().getTime() + secondsFromNow * 1000)
      const event = { merchantId: merchant.id, paymentId, kind: 'refund.created' as const, number, at }
      return seedEvent({ ...services, sql: through }, event)
    },
  }
}

function assign({ id }: Merchant, limit: number) {
  return database.transaction((transaction) => assignPositions(transaction, id, limit))
}

/** Events after a position that any reader sees now. */
async function read({ id: merchantId }: Merchant, after = 0): Promise<{ id: number; position: number }[]> {
  const events = await eventsAfterPosition(database, merchantId, after, 1000)
  return events.map(({ id, position }) => ({ id, position }))
}

describe('the positions of events', () => {
  it('are assigned to the oldest events first, up to a limit, and continue after the last one', async () => {
    const shop = await newShop()
    const [one, other] = [await writerFor(shop), await writerFor(shop)]
    const third = await one.write(3)
    const first = await other.write(1)
    const second = await other.write(2)
    const positioned = await assign(shop, 2)
    assert.deepEqual(
      positioned.map(({ id, position, kind }) => [id, position, kind]),
      [
        [first, 1, 'refund.created'],
        [second, 2, 'refund.created'],
      ],
    )
    assert.deepEqual(
      (await assign(shop, 2)).map(({ id, position }) => [id, position]),
      [[third, 3]],
    )
    assert.deepEqual(await assign(shop, 2), [])
    const late = await one.write(0)
    assert.deepEqual(
      (await assign(shop, 2)).map(({ id, position }) => [id, position]),
      [[late, 4]],
    )
  })

  it('follow the event numbers of a payment, whatever the instances’ clocks and the limit', async () => {
    for (const limit of [1, 2, 3, 10]) {
      const shop = await newShop()
      const [one, other] = [await writerFor(shop), await writerFor(shop)]
      const written = [await one.write(9), await one.write(5), await one.write(1), await one.write(8)]
      const between = await other.write(6)
      for (let count = 1; count > 0; ) {
        count = (await assign(shop, limit)).length
        assert.ok(count <= limit)
      }
      const seen = (await read(shop)).map(({ id }) => id)
      assert.deepEqual(seen, [...written.slice(0, 3), between, ...written.slice(3)], `${limit} at a time`)
    }
  })

  it('are unique and without gaps when several instances assign them at the same time', async () => {
    const shop = await newShop()
    const writers = await Promise.all([1, 2, 3, 4].map(() => writerFor(shop)))
    const written: number[] = []
    const writing = Promise.all(
      writers.map(async ({ write }) => {
        for (let count = 0; count < 20; count++) written.push(await write(count))
      }),
    )
    // The merchant's list does not exist yet; one of the instances creates it.
    const instances = [3, 4, 5, 100].map(async (limit) => {
      const positionedIds: number[] = []
      for (let isLast = false; ; ) {
        const some = await assign(shop, limit)
        positionedIds.push(...some.map(({ id }) => id))
        if (some.length === 0 && isLast) return positionedIds
        if (some.length === 0) isLast = await writing.then(() => true)
      }
    })
    const positioned = (await Promise.all(instances)).flat()
    const seen = await read(shop)
    assert.equal(written.length, 80)
    assert.deepEqual(positioned.toSorted(), written.toSorted())
    assert.deepEqual(seen.map(({ id }) => id).toSorted(), written.toSorted())
    assert.deepEqual(
      seen.map(({ position }) => position),
      written.map((_id, index) => index + 1),
    )
  })

  it('become visible in order: while one is uncommitted, no later one is visible', async () => {
    const shop = await newShop()
    const writer = await writerFor(shop)
    const first = await writer.write(0)
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: arePositioned, resolve: positioned } = Promise.withResolvers<void>()
    const slow = database.transaction(async (transaction) => {
      await assignPositions(transaction, shop.id, 10)
      positioned()
      await mayCommit
    })
    await arePositioned
    const second = await writer.write(1)
    const quick = assign(shop, 10)
    await untilLockIsAwaited(database)
    assert.deepEqual(await read(shop), [])
    commit()
    await slow
    assert.deepEqual(
      (await quick).map(({ id, position }) => [id, position]),
      [[second, 2]],
    )
    assert.deepEqual(await read(shop), [
      { id: first, position: 1 },
      { id: second, position: 2 },
    ])
  })

  it('let a reader that follows the list miss no event, in any order of commits', async () => {
    const shop = await newShop()
    const seen: { id: number; position: number }[] = []
    const follow = async () => {
      seen.push(...(await read(shop, seen.at(-1)?.position)))
    }
    // All events are written, the earliest first, and none is committed.
    const open = await Promise.all([0, 1, 2, 3, 4, 5].map((second) => heldOpen(shop, second)))
    for (const index of [3, 5, 0, 4, 2, 1]) {
      await open[index]?.commit()
      await Promise.all([assign(shop, 10), follow(), assign(shop, 10)])
      await follow()
    }
    assert.deepEqual(
      seen.map(({ id }) => id),
      [3, 5, 0, 4, 2, 1].map((index) => open[index]?.id),
    )
    assert.deepEqual(
      seen.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6],
    )
  })

  it('are rolled back with their transaction', async () => {
    const shop = await newShop()
    const id = await (await writerFor(shop)).write(0)
    const broken = database.transaction(async (transaction) => {
      assert.equal((await assignPositions(transaction, shop.id, 10)).length, 1)
      throw new Error('broken off')
    })
    await assert.rejects(broken, /broken off/)
    assert.deepEqual(await read(shop), [])
    await assign(shop, 10)
    assert.deepEqual(await read(shop), [{ id, position: 1 }])
  })
})

/** Writes an event in a transaction that commits only when `commit` is called. */
async function heldOpen(shop: Merchant, second: number): Promise<{ id: number; commit(): Promise<void> }> {
  const { write } = await writerFor(shop)
  const { promise: mayCommit, resolve } = Promise.withResolvers<void>()
  const { promise: written, resolve: isWritten } = Promise.withResolvers<number>()
  const transaction = database.transaction(async (open) => {
    isWritten(await write(second, open))
    await mayCommit
  })
  return {
    id: await written,
    commit: () => {
      resolve()
      return transaction
    },
  }
}

it('merchants with unpositioned events are found, the longest waiting first', async () => {
  const shops = [await newShop(), await newShop(), await newShop(), await newShop()]
  for (const [index, seconds] of [30, 10, 20].entries()) {
    const { write } = await writerFor(shops[index] ?? assert.fail())
    await write(seconds)
    await write(seconds + 100)
  }
  const [one, other, third] = shops.map(({ id }) => id)
  assert.deepEqual(await merchantsWithUnpositionedEvents(database), [other, third, one])
  for (const shop of shops) await assign(shop, 1)
  assert.deepEqual(await merchantsWithUnpositionedEvents(database), [other, third, one])
  for (const shop of shops) await assign(shop, 1)
  assert.deepEqual(await merchantsWithUnpositionedEvents(database), [])
})
