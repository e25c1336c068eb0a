import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BoundedCache } from './bounded-cache.ts'

describe('a cached value', () => {
  it('is computed once, even if it is undefined', () => {
    const lengths = new BoundedCache<string, number | undefined>(10)
    let made = 0
    const make = (text: string) => {
      made++
      return text === '' ? undefined : text.length
    }
    for (let times = 0; times < 3; times++) {
      assert.equal(lengths.get('üç', make), 2)
      assert.equal(lengths.get('', make), undefined)
    }
    assert.equal(made, 2)
  })

  it('is computed again after the cache was full and cleared', () => {
    const doubled = new BoundedCache<number, number>(2)
    const misses: number[] = []
    const make = (key: number) => {
      misses.push(key)
      return 2 * key
    }
    for (const key of [1, 2, 1, 3, 3, 1]) assert.equal(doubled.get(key, make), 2 * key)
    assert.deepEqual(misses, [1, 2, 3, 1])
  })

  it('is not stored if computing it failed', () => {
    const values = new BoundedCache<string, string>(2)
    const fail = () => {
      throw new Error('not now')
    }
    assert.throws(() => values.get('a', fail), /not now/)
    assert.equal(
      values.get('a', (key) => key),
      'a',
    )
  })
})
