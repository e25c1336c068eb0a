import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CommitUnknown, RowLocked, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { untilLockIsAwaited } from '../../testing/harness/database.ts'
import {
  countIdempotencyKeys,
  countNotes,
  createNotesTable,
  noteRoutes,
} from '../../testing/harness/notes.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { deleteExpiredKeys } from './delete-expired-keys.ts'
import { claimKey, claimKeysPart } from './store.ts'

let pause: (title: string) => Promise<void> = async () => undefined
const api = await testApi({
  routes: noteRoutes((title) => pause(title)),
  env: { RATE_LIMIT_PER_SECOND: '0' },
})
await createNotesTable(api.services.sql)
const token = await api.token()

function send(key: string, form: string, more: { token?: string; url?: string; app?: typeof api } = {}) {
  const headers = { 'idempotency-key': key, 'accept-language': 'en' }
  const { app = api, url = '/v1/notes' } = more
  return app.call({ method: 'POST', url, token: more.token ?? token, form, headers })
}

/** Stops the next request after it has claimed its key, until `letGo` is called. */
function standStill(then: () => void = () => undefined): { reached: Promise<void>; letGo: () => void } {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  pause = async () => {
    reached.resolve()
    await released.promise
    then()
  }
  const letGo = () => {
    released.resolve()
    pause = async () => undefined
  }
  return { reached: reached.promise, letGo }
}

describe('a repeated key', () => {
  it('returns the first response byte for byte, and has no second effect', async () => {
    const first = await send('k1', 'title=one&amount=1')
    const second = await send('k1', 'title=one&amount=1')
    assert.equal(first.status, 200)
    assert.equal(second.text, first.text)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(second.headers['content-type'], first.headers['content-type'])
    assert.equal(await countNotes(api.services.sql, 'one'), 1)
  })

  it('with another body, or with JSON instead of a form, is 951 and changes nothing', async () => {
    await send('k2', 'title=two&amount=1')
    const other = await send('k2', 'title=changed&amount=1')
    assert.deepEqual([other.status, other.json.error_code], [422, 951])
    const asJson = await api.call({
      method: 'POST',
      url: '/v1/notes',
      token,
      json: { title: 'two', amount: 1 },
      headers: { 'idempotency-key': 'k2' },
    })
    assert.equal(asJson.json.error_code, 951)
    assert.equal(await countNotes(api.services.sql, 'changed'), 0)
  })

  it('on another path or with another method is 951 too', async () => {
    const headers = { 'idempotency-key': 'k10' }
    assert.equal((await api.call({ method: 'POST', url: '/v1/notes/5/copies', token, headers })).status, 200)
    assert.equal(
      (await api.call({ method: 'POST', url: '/v1/notes/6/copies', token, headers })).json.error_code,
      951,
    )
    assert.equal(
      (await api.call({ method: 'DELETE', url: '/v1/notes/5/copies', token, headers })).json.error_code,
      951,
    )
    assert.equal(
      (await api.call({ method: 'POST', url: '/v1/notes/5/copies?x=1', token, headers })).status,
      200,
    )
  })

  it('returns its own response, whatever other keys return', async () => {
    const first = await send('own1', 'title=own1&amount=1')
    const second = await send('own2', 'title=own2&amount=1')
    assert.equal((await send('own1', 'title=own1&amount=1')).text, first.text)
    assert.equal((await send('own2', 'title=own2&amount=1')).text, second.text)
  })

  it('is free after a refusal, which changes nothing and is not stored', async () => {
    assert.equal((await send('k3', 'title=three&amount=0')).status, 422)
    assert.equal(await countIdempotencyKeys(api.services.sql, 'k3'), 0)
    assert.equal((await send('k3', 'title=three&amount=1')).status, 200)
  })

  it('is free after an internal error', async () => {
    pause = async () => {
      throw new Error('a bug')
    }
    assert.equal((await send('k4', 'title=four&amount=1')).status, 500)
    pause = async () => undefined
    assert.equal((await send('k4', 'title=four&amount=1')).status, 200)
    assert.equal(await countNotes(api.services.sql, 'four'), 1)
  })

  it('of another merchant is a different key', async () => {
    const other = await testApi({ routes: noteRoutes(), database: api.database })
    const mine = await send('k5', 'title=five&amount=1')
    const theirs = await send('k5', 'title=five&amount=1', { token: await other.token(), app: other })
    assert.notEqual(theirs.json.id, mine.json.id)
    assert.equal(theirs.headers['idempotency-replayed'], undefined)
    assert.equal(await countNotes(api.services.sql, 'five'), 2)
    assert.equal((await send('k5', 'title=five&amount=1')).text, mine.text)
    const again = await send('k5', 'title=five&amount=1', { token: await other.token(), app: other })
    assert.equal(again.text, theirs.text)
  })

  it('is a new request after 24 hours, whether the old key is deleted or not', async () => {
    const first = await send('k6', 'title=six&amount=1')
    api.clock.advance(24 * 60 * 60 * 1000 - 1)
    const fresh = await api.token()
    assert.equal((await send('k6', 'title=six&amount=1', { token: fresh })).text, first.text)
    api.clock.advance(1)
    assert.notEqual(
      (await send('k6', 'title=six&amount=1', { token: await api.token() })).json.id,
      first.json.id,
    )
    api.clock.advance(25 * 60 * 60 * 1000)
    assert.ok((await deleteExpiredKeys(api.services)) >= 1)
    assert.equal(await countIdempotencyKeys(api.services.sql, 'k6'), 0)
  })
})

it('an expired key that is claimed again while its deletion waits is not deleted', async () => {
  const now = api.clock.now()
  const old = new Date(now.getTime() - 25 * 60 * 60 * 1000)
  const request = { merchantId: 1, key: 'reborn', fingerprint: Buffer.from('x') }
  await claimKey(api.services.sql, request, old)
  let reaping: Promise<number> | undefined
  await api.services.sql.transaction(async (sql) => {
    await claimKey(sql, request, now)
    reaping = deleteExpiredKeys(api.services)
    await untilLockIsAwaited(api.services.sql)
  })
  await reaping
  assert.equal(await countIdempotencyKeys(api.services.sql, 'reborn'), 1)
})

it('keys of one batch are claimed in order, so that two instances do not deadlock', async () => {
  const { sql: database } = api.services
  const now = api.clock.now()
  const requestOf = (key: string) => ({ merchantId: 1, key, fingerprint: Buffer.from('x') })
  let together: Promise<{ key: string }[]> | undefined
  await database.transaction(async (held) => {
    await claimKey(held, requestOf('order a'), now)
    together = database.many(sql`with given_payments as (select *
        from (values (1, 'order b', '\\x78'::bytea, '', ${now}::timestamptz), (1, 'order a', '\\x78', '', ${now}))
        as given (merchant_id, key, fingerprint, answer, "storedAt")),
      claimed as (${claimKeysPart}) select key from claimed`)
    await untilLockIsAwaited(database)
    assert.equal(await claimKey(database, requestOf('order b'), now), true)
  })
  assert.deepEqual(await together, [])
})

it('an invalid key is refused under the name of its header', async () => {
  const fresh = await api.token()
  for (const key of ['', ' ', 'x'.repeat(256)]) {
    const answer = await send(key, 'title=unfit&amount=1', { token: fresh })
    assert.deepEqual(Object.keys(answer.json.errors), ['Idempotency-Key'])
    const both = await send(key, 'title=unfit&amount=x', { token: fresh })
    assert.deepEqual(
      Object.keys(both.json.errors),
      ['amount', 'Idempotency-Key'],
      'all that is wrong, at once',
    )
  }
  assert.equal((await send('x'.repeat(255), 'title=fit&amount=1', { token: fresh })).status, 200)
  assert.equal((await send('"quoted ı"', 'title=fit&amount=1', { token: fresh })).status, 200)
})

describe('at the same time', () => {
  it('50 requests with one key have one effect; each gets the response, or 950 with Retry-After', async () => {
    const fresh = await api.token()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send('k7', 'title=fifty&amount=1', { token: fresh })),
    )
    const good = answers.filter((answer) => answer.status === 200)
    assert.ok(good.length >= 1)
    assert.equal(new Set(good.map((answer) => answer.text)).size, 1)
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual([answer.status, answer.json.error_code], [409, 950])
      assert.ok(answer.headers['retry-after'])
    }
    assert.equal(await countNotes(api.services.sql, 'fifty'), 1)
  })

  it('a second request to the same instance gets 950 immediately, and uses no connection', async () => {
    const fresh = await api.token()
    const { reached, letGo } = standStill()
    const first = send('k11', 'title=under way&amount=1', { token: fresh })
    await reached
    const { sql: inner } = api.services
    api.services.sql = sqlWith(inner, { transaction: () => assert.fail('no transaction is opened') })
    const second = await send('k11', 'title=under way&amount=1', { token: fresh })
    api.services.sql = inner
    assert.deepEqual([second.status, second.json.error_code], [409, 950])
    letGo()
    assert.equal((await first).status, 200)
  })

  it('a key that another instance holds for too long is 950', async () => {
    const fresh = await api.token()
    const { sql: inner } = api.services
    const locked = () => Promise.reject(new RowLocked('canceling statement due to lock timeout'))
    api.services.sql = sqlWith(inner, {
      transaction: (work) => inner.transaction((held) => work(sqlWith(held, { run: locked }))),
    })
    const answer = await send('k12', 'title=locked&amount=1', { token: fresh })
    api.services.sql = inner
    assert.deepEqual([answer.status, answer.json.error_code], [409, 950])
    assert.equal(await countNotes(inner, 'locked'), 0)
  })

  it('of requests to two instances the later ones wait and return the first response', async () => {
    const secondInstance = await testApi({
      routes: noteRoutes((title) => pause(title)),
      database: api.database,
    })
    secondInstance.clock.advance(api.clock.now().getTime() - secondInstance.clock.now().getTime())
    const fresh = await api.token()
    const both = [api, secondInstance].flatMap((app) =>
      Array.from({ length: 8 }, () => send('k8', 'title=copies&amount=1', { token: fresh, app })),
    )
    const good = (await Promise.all(both)).filter((answer) => answer.status === 200)
    assert.ok(good.length >= 1)
    assert.equal(new Set(good.map((answer) => answer.text)).size, 1)
    assert.equal(await countNotes(api.services.sql, 'copies'), 1)
  })

  it('if the first request fails, the one that waits on another instance does the work', async () => {
    const secondInstance = await testApi({ routes: noteRoutes(), database: api.database })
    secondInstance.clock.advance(api.clock.now().getTime() - secondInstance.clock.now().getTime())
    const fresh = await api.token()
    const { reached, letGo } = standStill(() => {
      throw new Error('fails after the key was taken')
    })
    const first = send('k9', 'title=waits&amount=1', { token: fresh })
    await reached
    const second = send('k9', 'title=waits&amount=1', { token: fresh, app: secondInstance })
    await untilLockIsAwaited(api.services.sql)
    letGo()
    assert.equal((await first).status, 500)
    assert.equal((await second).status, 200)
    assert.equal(await countNotes(api.services.sql, 'waits'), 1)
  })
})

describe('if the response to a commit is lost', () => {
  /** Sends a request whose first transaction loses its connection, after or before the commit. */
  async function sendLosing(key: string, title: string, isCommitted: boolean) {
    const fresh = await api.token()
    const { sql: inner } = api.services
    let isLost = false
    api.services.sql = sqlWith(inner, {
      transaction: async (work) => {
        if (isLost) return inner.transaction(work)
        isLost = true
        if (isCommitted) await inner.transaction(work)
        throw new CommitUnknown('Connection terminated unexpectedly')
      },
    })
    try {
      return await send(key, `title=${title}&amount=1`, { token: fresh })
    } finally {
      api.services.sql = inner
    }
  }

  it('a committed response is found by its key', async () => {
    const answer = await sendLosing('k13', 'committed', true)
    assert.equal(answer.status, 200)
    assert.equal(await countNotes(api.services.sql, 'committed'), 1)
  })

  it('uncommitted work is done again', async () => {
    const answer = await sendLosing('k14', 'not committed', false)
    assert.equal(answer.status, 200)
    assert.equal(await countNotes(api.services.sql, 'not committed'), 1)
  })
})
