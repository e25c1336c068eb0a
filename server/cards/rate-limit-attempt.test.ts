import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SecretPan } from '../../kit/money/card.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { Keyring } from '../../kit/security/keyring.ts'
import { testApi } from '../../testing/harness/api.ts'
import type { Services } from '../services.ts'
import { cardJobs, fingerprintsOf, rateLimitAttempt } from './index.ts'

const minuteMs = 60 * 1000
const pan = SecretPan.of('4155650100416111')
const otherPan = SecretPan.of('4111111111111111')
assert.ok(pan && otherPan)

async function till(env: Record<string, string>) {
  const { services, clock } = await testApi({ env })
  const fingerprint = fingerprintsOf(services, pan as SecretPan)[0]
  const others = (index: number) => Buffer.from(`another card, number ${index}`)
  return { services, clock, fingerprint, others }
}

const passed = (answers: readonly unknown[]) => answers.filter((answer) => answer === undefined).length

describe('within an hour', () => {
  it('fifty concurrent attempts with one card, from fifty senders, pass exactly up to the card’s limit', async () => {
    const { services, fingerprint } = await till({ ATTEMPTS_PER_CARD: '10', ATTEMPTS_PER_ADDRESS: '30' })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        rateLimitAttempt(services, { address: `10.0.0.${index}`, fingerprint }),
      ),
    )
    assert.equal(passed(answers), 10)
  })

  it('a hundred concurrent attempts from one sender, with a hundred cards, pass exactly up to the sender’s limit', async () => {
    const { services, others } = await till({ ATTEMPTS_PER_CARD: '10', ATTEMPTS_PER_ADDRESS: '30' })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        rateLimitAttempt(services, { address: `2001:db8:1:2::${index}`, fingerprint: others(index) }),
      ),
    )
    assert.equal(passed(answers), 30)
    assert.equal(
      await rateLimitAttempt(services, { address: '2001:db8:1:3::1', fingerprint: others(1) }),
      undefined,
    )
  })

  it('attempts that share cards and senders crosswise do not deadlock', async () => {
    const { services, others } = await till({ ATTEMPTS_PER_CARD: '1000', ATTEMPTS_PER_ADDRESS: '1000' })
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        rateLimitAttempt(services, { address: `10.0.0.${index % 5}`, fingerprint: others(index % 7) }),
      ),
    )
    assert.equal(passed(answers), 200)
    const { sum } = await services.sql.one<{ sum: number }>(sql`select sum(count)::int from attempt_counts`)
    assert.equal(sum, 400)
  })

  it('no more than the limit pass, wherever the hour starts', async () => {
    const { services, clock, fingerprint } = await till({ ATTEMPTS_PER_CARD: '4', ATTEMPTS_PER_ADDRESS: '0' })
    const passedAt: number[] = []
    for (let minute = 0; minute < 600; minute += 7) {
      if (!(await rateLimitAttempt(services, { address: '10.0.0.1', fingerprint }))) passedAt.push(minute)
      clock.advance(7 * minuteMs)
    }
    for (const first of passedAt) {
      const within = passedAt.filter((minute) => minute >= first && minute < first + 60)
      assert.ok(within.length <= 4, `${within.length} from minute ${first}`)
    }
    assert.ok(passedAt.length > 4 * 7, 'and not many less')
  })
})

describe('a refused attempt', () => {
  it('returns the wait, and the next one after it passes, however many were tried meanwhile', async () => {
    const { services, clock, fingerprint } = await till({ ATTEMPTS_PER_CARD: '3', ATTEMPTS_PER_ADDRESS: '0' })
    const attempt = () => rateLimitAttempt(services, { address: '10.0.0.1', fingerprint })
    for (let index = 0; index < 3; index++) assert.equal(await attempt(), undefined)
    const refused = await attempt()
    assert.ok(refused && refused.retryAfterS <= 70 * 60 && refused.retryAfterS > 60 * 60)
    for (let waited = 0; waited < refused.retryAfterS - 1; waited++) {
      clock.advance(1000)
      if (waited % 60 === 0) {
        assert.deepEqual(await attempt(), { retryAfterS: refused.retryAfterS - waited - 1 })
      }
    }
    assert.deepEqual(await attempt(), { retryAfterS: 1 })
    clock.advance(1000)
    assert.equal(await attempt(), undefined)
  })

  it('for a card still counts for its sender, so a full card cannot hide other attempts', async () => {
    const { services, fingerprint, others } = await till({
      ATTEMPTS_PER_CARD: '1',
      ATTEMPTS_PER_ADDRESS: '3',
    })
    const attempt = (print: Buffer) => rateLimitAttempt(services, { address: '10.0.0.1', fingerprint: print })
    assert.equal(await attempt(fingerprint), undefined)
    assert.ok(await attempt(fingerprint))
    assert.ok(await attempt(fingerprint))
    assert.ok(await attempt(others(1)))
  })

  it('under a lowered limit waits until enough counts have expired', async () => {
    const { services, clock, fingerprint } = await till({ ATTEMPTS_PER_CARD: '6', ATTEMPTS_PER_ADDRESS: '0' })
    for (let index = 0; index < 6; index++) {
      assert.equal(await rateLimitAttempt(services, { address: '10.0.0.1', fingerprint }), undefined)
      clock.advance(10 * minuteMs)
    }
    const stricter: Services = { ...services, config: { ...services.config, attemptsPerCard: 2 } }
    const refused = await rateLimitAttempt(stricter, { address: '10.0.0.1', fingerprint })
    assert.ok(refused)
    clock.advance(refused.retryAfterS * 1000 - 1000)
    assert.ok(await rateLimitAttempt(stricter, { address: '10.0.0.1', fingerprint }))
    clock.advance(1000)
    assert.equal(await rateLimitAttempt(stricter, { address: '10.0.0.1', fingerprint }), undefined)
  })
})

it('a limit of 0 means no limit', async () => {
  const { services, fingerprint } = await till({ ATTEMPTS_PER_CARD: '0', ATTEMPTS_PER_ADDRESS: '0' })
  for (let index = 0; index < 50; index++) {
    assert.equal(await rateLimitAttempt(services, { address: '10.0.0.1', fingerprint }), undefined)
  }
  assert.equal((await services.sql.many(sql`select from attempt_counts`)).length, 0)
})

it('the counts reveal neither address nor card, and expired counts are deleted', async () => {
  const { services, clock, fingerprint } = await till({})
  await rateLimitAttempt(services, { address: '10.0.0.1', fingerprint })
  const stored = JSON.stringify(await services.sql.many(sql`select * from attempt_counts`))
  assert.ok(!stored.includes('10.0.0') && !stored.includes(fingerprint.toString('hex')))
  clock.advance(70 * minuteMs)
  for (const job of cardJobs) await job.work(services, new AbortController().signal)
  assert.equal((await services.sql.many(sql`select from attempt_counts`)).length, 2)
  clock.advance(10 * minuteMs)
  for (const job of cardJobs) await job.work(services, new AbortController().signal)
  assert.equal((await services.sql.many(sql`select from attempt_counts`)).length, 0)
})

it('a fingerprint depends on the card and the secret only; while the secret changes, a card has two', async () => {
  const old = { keyring: new Keyring('the secret that was in use until now', undefined) }
  const during = {
    keyring: new Keyring('the secret that is in use from now on', 'the secret that was in use until now'),
  }
  const [before] = fingerprintsOf(old, pan)
  assert.deepEqual(fingerprintsOf(old, pan), [before])
  assert.notDeepEqual(fingerprintsOf(old, otherPan), [before])
  const both = fingerprintsOf(during, pan)
  assert.equal(both.length, 2)
  assert.deepEqual(both[1], before)
  assert.notDeepEqual(both[0], before)
})
