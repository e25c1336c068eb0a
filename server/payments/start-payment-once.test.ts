import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { DatabaseNotReached, DatabaseUnavailable, RowLocked, sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { silentLog, untilLockIsAwaited } from '../../testing/harness/database.ts'
import { isOnCitus } from '../../testing/harness/environment.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { seed } from '../../testing/seed/seed.ts'
import type { BatchingSql } from '../database/batching-sql.ts'
import { setLockTimeout } from '../database/distribute.ts'
import { openDatabase, shortTimeouts } from '../database/pool.ts'
import { idempotencyKeys } from '../idempotency/store.ts'
import { changePos } from '../pos/change-pos.ts'
import { ensureDemoPos } from '../pos/index.ts'

const url = '/v1/payment/3ds'
const env = { RATE_LIMIT_PER_SECOND: '0', PAGE_URL: 'https://pay.example' }
const api = await testApi({ env })
const { sql: database } = api.services
await ensureDemoPos(api.services, api.merchant)

/** Another instance of the service with separate connections to the same database and the same time. */
async function anotherInstance(limits?: typeof shortTimeouts): Promise<typeof api> {
  const { url: databaseUrl } = api.database
  const own = openDatabase({ url: databaseUrl }, 5, silentLog, limits)
  after(() => own.close())
  const instance = await testApi({ env, database: { ...own, url: databaseUrl } })
  instance.clock.advance(api.clock.now().getTime() - instance.clock.now().getTime())
  return instance
}

/** Starts a payment. The amount identifies it in the test. */
async function send(
  key: string,
  amount: number,
  more: { app?: typeof api; secret?: string; form?: string } = {},
) {
  const { app = api, secret = api.secretKey, form = '' } = more
  const headers = { 'idempotency-key': key, 'accept-language': 'en' }
  const token = await api.token(secret)
  return app.call({ method: 'POST', url, token, form: `amount=${amount}&currency=TRY${form}`, headers })
}

async function paymentsOf(amount: number): Promise<number> {
  const row = await database.one<{ count: number }>(
    sql`select count(*) as count from payments where amount = ${amount}`,
  )
  return row.count
}

/** A transaction that takes the key and rolls back on demand. */
async function holding(key: string) {
  const taken = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = database.transaction(async (transaction) => {
    await seed(transaction, idempotencyKeys, [
      { merchantId: api.merchant.id, key, fingerprint: Buffer.from('x'), storedAt: api.clock.now() },
    ])
    taken.resolve()
    await release.promise
    throw new Error('gave up')
  })
  await taken.promise
  return { holder, letGo: release.resolve }
}

/** The service with a replaced batch write. */
async function batchingBy(
  batch: (inner: BatchingSql) => BatchingSql['batch'],
  transaction?: BatchingSql['transaction'],
) {
  const app = await anotherInstance()
  const { sql: inner } = app.services
  app.services.sql = sqlWith(inner, { batch: batch(inner), ...(transaction && { transaction }) })
  return app
}

/** The service with a database that fails after or before executing the write. */
function failing(error: Error, isDone: boolean) {
  return batchingBy((inner) => async (query, row) => {
    if (isDone) await inner.batch(query, row)
    throw error
  })
}

const lost = new DatabaseUnavailable('Connection terminated unexpectedly')

describe('a repeated key', () => {
  it('returns the first answer, byte for byte, and starts nothing', async () => {
    const first = await send('again', 101)
    const second = await send('again', 101)
    assert.equal(first.status, 200, first.text)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assert.equal(second.text, first.text)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.equal(await paymentsOf(101), 1)
  })

  it('for another request is 951 and starts nothing', async () => {
    await send('other', 102)
    const other = await send('other', 103)
    assert.deepEqual([other.status, other.json.error_code], [422, 951])
    assert.equal(await paymentsOf(103), 0)
  })

  it('is free again after a refusal', async () => {
    const refused = await send('refused', 104, { form: '&products=[{"product_name":"Kargo","price":1}]' })
    assert.equal(refused.json.error_code, 902)
    assert.equal((await send('refused', 104)).status, 200)
    assert.equal(await paymentsOf(104), 1)
  })

  it('returns the first answer even if the request would be refused now', async () => {
    const first = await send('closed since', 105)
    const pos = await database.many<{ id: number }>(
      sql`select id from pos_credentials where merchant_id = ${api.merchant.id}`,
    )
    const switchAll = async (state: 'active' | 'refund_only') => {
      for (const { id } of pos) await changePos(api.services, { pos: id, state }, undefined)
      await api.services.cache.refresh()
    }
    await switchAll('refund_only')
    assert.equal((await send('started since', 106)).status, 422)
    assert.equal((await send('closed since', 105)).text, first.text)
    await switchAll('active')
  })

  it('after 24 hours starts another payment', async () => {
    const first = await send('a day', 107)
    api.clock.advance(24 * 60 * 60 * 1000 - 1)
    assert.equal((await send('a day', 107)).text, first.text)
    api.clock.advance(1)
    const second = await send('a day', 107)
    assert.equal(second.headers['idempotency-replayed'], undefined)
    assert.equal((await send('a day', 107)).text, second.text)
    // After another day the key belongs to the new request.
    api.clock.advance(24 * 60 * 60 * 1000)
    const third = await send('a day', 127)
    assert.equal((await send('a day', 127)).text, third.text)
    assert.equal((await send('a day', 107)).json.error_code, 951)
    assert.equal(await paymentsOf(107), 2)
  })

  it('of a public key is separate from the same key of a secret key', async () => {
    const ofBackend = await send('scope', 108)
    const ofStranger = await send('scope', 108, { secret: api.publicKey })
    assert.equal(ofStranger.headers['idempotency-replayed'], undefined)
    assert.notEqual(ofStranger.json.data.transaction_id, ofBackend.json.data.transaction_id)
    const again = await send('scope', 108, { secret: api.publicKey })
    assert.equal(again.text, ofStranger.text)
  })
})

describe('at the same time', () => {
  it('a hundred requests with fifty keys start fifty payments', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `moment ${index % 50}`)
    const answers = await Promise.all(keys.map((key) => send(key, 109)))
    const started = new Map<string, string>()
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 200) started.set(keys[index] ?? '', answer.text)
      else assert.deepEqual([answer.status, answer.json.error_code], [409, 950])
    }
    assert.equal(started.size, 50)
    for (const [key, text] of started) assert.equal((await send(key, 109)).text, text)
    assert.equal(await paymentsOf(109), 50)
  })

  it('one key on two instances starts one payment, and both return its answer', async () => {
    const instance = await anotherInstance()
    for (let round = 0; round < 10; round++) {
      const both = await Promise.all([api, instance].map((app) => send(`copies ${round}`, 110, { app })))
      assert.deepEqual(
        both.map(({ status }) => status),
        [200, 200],
      )
      assert.equal(both[0]?.text, both[1]?.text)
    }
    assert.equal(await paymentsOf(110), 10)
  })

  it('a key that another instance rolls back becomes free for the waiting request, and its batch is written', async () => {
    const { holder, letGo } = await holding('held')
    const waiting = Promise.all([send('held', 111), send('with it', 112)])
    await untilLockIsAwaited(database)
    letGo()
    await assert.rejects(holder, /gave up/)
    for (const { status, text } of await waiting) assert.equal(status, 200, text)
    assert.deepEqual([await paymentsOf(111), await paymentsOf(112)], [1, 1])
  })

  it('a key that another instance keeps gives 950, and the rest of the batch is written', async () => {
    if (isOnCitus()) await setLockTimeout(database, undefined, 100)
    const app = await anotherInstance({ ...shortTimeouts, lock_timeout: 100 })
    const { holder, letGo } = await holding('never let go')
    const [held, withIt] = await Promise.all([
      send('never let go', 116, { app }),
      send('with that', 117, { app }),
    ])
    assert.deepEqual([held.status, held.json.error_code], [409, 950])
    assert.equal(withIt.status, 200)
    letGo()
    await assert.rejects(holder, /gave up/)
    assert.deepEqual([await paymentsOf(116), await paymentsOf(117)], [0, 1])
  })
})

describe('if the database’s answer is lost', () => {
  it('and the payment was written, it is found by its key', async () => {
    const answer = await send('lost', 113, { app: await failing(lost, true) })
    assert.equal(answer.status, 200)
    assert.equal(await paymentsOf(113), 1)
    assert.equal((await send('lost', 113)).text, answer.text)
  })

  it('and the payment was not written, it is written', async () => {
    const answer = await send('lost before', 114, { app: await failing(lost, false) })
    assert.equal(answer.status, 200)
    assert.equal(await paymentsOf(114), 1)
    assert.equal((await send('lost before', 114)).text, answer.text)
  })

  it('an unreachable database is not asked a second time in another way', async () => {
    const app = await failing(new DatabaseNotReached('timeout exceeded when trying to connect'), false)
    const answer = await send('unreached', 119, { app })
    assert.deepEqual([answer.status, answer.json.error_code], [503, 991])
    assert.equal(await paymentsOf(119), 0)
  })

  it('a key that another instance holds is not asked for a second time in another way', async () => {
    const locked = () => Promise.reject(new RowLocked('canceling statement due to lock timeout'))
    const app = await batchingBy(
      () => locked,
      () => assert.fail('no transaction is opened'),
    )
    assert.equal((await send('locked', 122, { app })).json.error_code, 950)
  })

  it('an internal error gives 990 and leaves the key free', async () => {
    const answer = await send('a bug', 120, { app: await failing(new Error('a bug'), false) })
    assert.deepEqual([answer.status, answer.json.error_code], [500, 990])
    assert.equal((await send('a bug', 120)).headers['idempotency-replayed'], undefined)
  })
})

it('key, payment and answer are written in one query', async () => {
  let count = 0
  const app = await batchingBy(
    (inner) => (query, row) => {
      count += 1
      return inner.batch(query, row)
    },
    () => assert.fail('no transaction is opened'),
  )
  assert.equal((await send('one statement', 121, { app })).status, 200)
  assert.equal(count, 1)
})

it('a payment with a customer or products is checked and written together with its key', async () => {
  const token = await api.token()
  const make = (databaseUrl: string, form: string) =>
    api.call({ method: 'POST', url: databaseUrl, token, form })
  const cup = await make('/v1/products', 'product_name=Fincan&price=115')
  const ayse = await make(
    '/v1/customers',
    'name=Ayşe&lastname=Işık&email=ayse@example.com&phone=%2B905321234567',
  )
  const form = `&customer_id=${ayse.json.id}&product_ids[0]=${cup.json.id}`
  const first = await send('named', 115, { form })
  assert.equal(first.status, 200, first.text)
  assert.equal((await send('named', 115, { form })).text, first.text)
  const rows = await database.many(sql`select customer_id, items from payments where amount = 115`)
  const items = [{ id: cup.json.id, price: 115, description: null, product_name: 'Fincan' }]
  assert.deepEqual(rows, [{ customer_id: ayse.json.id, items }])
  assert.deepEqual(Object.keys((await send('unknown', 115, { form: '&customer_id=7' })).json.errors), [
    'customer_id',
  ])
  assert.equal((await send('another total', 116, { form })).json.error_code, 902)
})
