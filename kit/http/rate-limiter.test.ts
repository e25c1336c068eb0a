import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { noteRoutes } from '../../testing/harness/notes.ts'
import { RateLimiter } from './rate-limiter.ts'

const url = '/v1/token/get-token'

describe('a bucket', () => {
  it('grants its burst, then the refill; waiting as long as told is enough', () => {
    const clock = new TestClock()
    const buckets = new RateLimiter({ burst: 3, perSecond: 2 }, clock)
    assert.deepEqual([buckets.take('a'), buckets.take('a'), buckets.take('a')], [0, 0, 0])
    assert.equal(buckets.take('a'), 1)
    assert.equal(buckets.take('b'), 0, 'another name has its own')
    clock.advance(1000)
    assert.deepEqual([buckets.take('a'), buckets.take('a'), buckets.take('a')], [0, 0, 1])
    clock.advance(3_600_000)
    assert.deepEqual(
      [1, 2, 3, 4].map(() => buckets.take('a')),
      [0, 0, 0, 1],
    )
  })

  it('with a slow refill reports the full waiting time', () => {
    const clock = new TestClock()
    const buckets = new RateLimiter({ burst: 1, perSecond: 1 / 60 }, clock)
    buckets.take('a')
    const waitS = buckets.take('a')
    assert.equal(waitS, 60)
    clock.advance(waitS * 1000)
    assert.equal(buckets.take('a'), 0)
  })

  it('of a sender who invents new names does not fill the memory', () => {
    const buckets = new RateLimiter({ burst: 1, perSecond: 0.001 }, new TestClock())
    let granted = 0
    for (let index = 0; index < 250_000; index++) {
      if (buckets.take('in use') === 0) granted += 1
      buckets.take(index)
    }
    assert.ok(buckets.size <= 200_000)
    assert.equal(granted, 1, 'whoever comes again and again is not forgotten')
  })
})

describe('429', () => {
  it('each key has its burst and rate, shared by its tokens, and Retry-After gives the waiting time', async () => {
    const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '2', RATE_LIMIT_BURST: '5' } })
    const statuses = async (count: number, key: string) => {
      const answers = []
      for (let index = 0; index < count; index++)
        answers.push(await api.call({ method: 'POST', url, token: key }))
      return answers
    }
    const answers = await statuses(6, api.secretKey)
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200, 429],
    )
    assert.equal(answers.at(-1)?.json.error_code, 960)
    assert.equal(answers.at(-1)?.headers['retry-after'], '1')
    assert.deepEqual(
      (await statuses(1, api.publicKey)).map(({ status }) => status),
      [200],
      'another key is free',
    )
    api.clock.advance(1000)
    assert.deepEqual(
      (await statuses(3, api.secretKey)).map(({ status }) => status),
      [200, 200, 429],
    )
  })

  it('each sender with a public key has its own limit, so nobody can use up the payers’ limit', async () => {
    const api = await testApi({
      env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '2' },
    })
    const from = async (address: string) =>
      (await api.call({ method: 'POST', url, token: api.publicKey, headers: { 'x-forwarded-for': address } }))
        .status
    assert.deepEqual(
      [await from('203.0.113.1'), await from('203.0.113.1'), await from('203.0.113.1')],
      [200, 200, 429],
    )
    assert.equal(await from('203.0.113.2'), 200)
  })

  it('an address with too many failed credentials gets 429 for further failures; a valid credential always passes', async () => {
    const api = await testApi({ env: { FAILED_CREDENTIALS_PER_MINUTE: '3' } })
    const fail = async () => (await api.call({ method: 'POST', url, token: 'sk_test_wrong' })).json.error_code
    assert.deepEqual([await fail(), await fail(), await fail(), await fail()], [910, 910, 910, 960])
    assert.equal((await api.call({ method: 'POST', url, token: api.secretKey })).status, 200)
    api.clock.advance(20_000)
    assert.deepEqual([await fail(), await fail()], [910, 960])
  })

  it('an expired token is not counted as a failed credential: its sender must learn that it expired', async () => {
    const api = await testApi({ routes: noteRoutes(), env: { FAILED_CREDENTIALS_PER_MINUTE: '1' } })
    const token = await api.token()
    api.clock.advance(600_000)
    for (let index = 0; index < 5; index++) {
      assert.equal((await api.call({ url: '/v1/notes/1', token })).json.error_code, 911)
    }
  })
})
