import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Refused } from '../../kit/input/refusals.ts'
import { EncodingQueue, maxPictures, maxPicturesPerMerchant } from './encoding-queue.ts'

const isRefused = (error: unknown) => error instanceof Refused && error.retryAfterS === 2

/** A queue with a number of pictures of each of these merchants, of which none ends before `finish` is called. */
function filled(counts: Readonly<Record<number, number>>) {
  const queue = new EncodingQueue()
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  let [running, most] = [0, 0]
  const encode = async () => {
    most = Math.max(most, ++running)
    await promise
    running--
  }
  const add = (merchantId: number) => queue.run(merchantId, encode)
  const all = Object.entries(counts).flatMap(([id, count]) =>
    Array.from({ length: count }, () => add(Number(id))),
  )
  return { add, finish, ended: Promise.all(all), most: () => most }
}

it('two pictures are encoded at the same time, of two merchants', async () => {
  for (const [counts, most] of [
    [{ 1: 3, 2: 3, 3: 3 }, 2],
    [{ 1: 6 }, 1],
  ] as const) {
    const queue = filled(counts)
    queue.finish()
    await queue.ended
    assert.equal(queue.most(), most)
  }
})

it('merchants take turns, however many pictures one of them sends', async () => {
  const queue = new EncodingQueue()
  const order: number[] = []
  const add = (merchantId: number) =>
    queue.run(merchantId, async () => {
      order.push(merchantId)
    })
  await Promise.all([1, 1, 1, 1, 1, 1, 2, 3].map(add))
  assert.ok(order.indexOf(2) < 3 && order.indexOf(3) < 4, order.join(' '))
})

it('one picture more than a merchant may have is refused until one has ended; one of another merchant is not', async () => {
  const queue = filled({ 1: maxPicturesPerMerchant })
  const tooMany = assert.rejects(queue.add(1), isRefused)
  const other = queue.add(2)
  queue.finish()
  await Promise.all([queue.ended, tooMany, other])
  await queue.add(1)
})

it('one picture more than all merchants may have is refused', async () => {
  const each = maxPictures / 8
  const queue = filled(Object.fromEntries(Array.from({ length: 8 }, (_, index) => [index + 1, each])))
  const tooMany = assert.rejects(queue.add(9), isRefused)
  queue.finish()
  await Promise.all([queue.ended, tooMany])
})
