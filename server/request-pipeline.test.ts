import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { shownIntegerSchema } from '../kit/api/resource.ts'
import { bareResponseDefinition, route } from '../kit/api/route.ts'
import { noSuchRoute } from '../kit/input/refusals.ts'
import { testApi } from '../testing/harness/api.ts'
import type { Merchant } from './merchants/index.ts'
import { createKey, revokeKey } from './merchants/index.ts'
import type { Services } from './services.ts'

type Step = () => Promise<void>
const pass: Step = async () => undefined

/** Steps of the next requests, set by each test. */
let convert = pass
let handle = pass
let conversions = 0

const fileRoute = route({
  method: 'POST',
  url: '/v1/files',
  summary: 'Send file',
  description: 'Returns the length of a file.',
  credential: 'secret',
  rawBody: {
    about: 'A file.',
    types: ['text/plain'],
    unsupportedType: noSuchRoute,
    maxBytes: 100,
    convert: async (_services: Services, _merchant: Merchant, bytes) => {
      conversions++
      await convert()
      return bytes.length
    },
  },
  answer: bareResponseDefinition(shownIntegerSchema('Its length.', 1)),
  handle: async (_services: Services, _merchant: Merchant, { converted }) => {
    await handle()
    return converted
  },
})

const api = await testApi({ routes: [fileRoute], env: { RATE_LIMIT_PER_SECOND: '0' } })

async function send(body: string, key?: string, secret?: string) {
  const token = await api.token(secret)
  const headers = { 'content-type': 'text/plain', ...(key !== undefined && { 'idempotency-key': key }) }
  return api.call({ method: 'POST', url: '/v1/files', token, body, headers })
}

/** A step that ends when the test says so. */
function held() {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const step: Step = () => {
    reached.resolve()
    return released.promise
  }
  return { step, reached: reached.promise, letGo: released.resolve }
}

describe('the conversion of a file', () => {
  it('runs once for an Idempotency-Key, whose stored response needs no other', async () => {
    conversions = 0
    const first = await send('abc', 'one')
    convert = async () => {
      throw new Error('a second conversion')
    }
    const again = await send('abc', 'one')
    assert.deepEqual([first.text, again.text, again.headers['idempotency-replayed']], ['3', '3', 'true'])
    assert.equal((await send('other', 'one')).json.error_code, 951)
    assert.equal(conversions, 1)
    convert = pass
  })

  it('runs again when the key has expired', async () => {
    await send('abc', 'old')
    conversions = 0
    api.clock.advance(24 * 60 * 60 * 1000)
    const later = await send('abcd', 'old')
    assert.deepEqual([later.text, later.headers['idempotency-replayed'], conversions], ['4', undefined, 1])
  })

  it('holds its key: a second request gets 409 and converts nothing', async () => {
    const wait = held()
    convert = wait.step
    const first = send('abc', 'busy')
    await wait.reached
    assert.equal((await send('abc', 'busy')).status, 409)
    wait.letGo()
    assert.equal((await first).status, 200)
    convert = pass
  })

  for (const key of [undefined, 'revoked'])
    it(`has no effect if the key of the merchant is revoked meanwhile, ${key ? 'with' : 'without'} an Idempotency-Key`, async () => {
      const made = await createKey(api.services, api.merchant, 'secret', '')
      const wait = held()
      convert = wait.step
      handle = async () => assert.fail('the key is revoked')
      const answer = send('abc', key, made.text)
      await wait.reached
      await revokeKey(api.services, made.key.id)
      await api.merchantCache.refresh()
      wait.letGo()
      const { status, json } = await answer
      assert.deepEqual([status, json.error_code], [401, 910])
      convert = pass
      handle = pass
    })

  for (const key of [undefined, 'late'])
    it(`shares one deadline with the operation, ${key ? 'with' : 'without'} an Idempotency-Key`, async () => {
      const [converting, handling] = [held(), held()]
      convert = converting.step
      handle = handling.step
      const answer = send('abc', key)
      await converting.reached
      api.clock.advance(100_000)
      await api.merchantCache.refresh()
      converting.letGo()
      await Promise.race([handling.reached, answer])
      api.clock.advance(20_000)
      api.deadlines.cancelLate()
      handling.letGo()
      assert.equal((await answer).status, 503)
      convert = pass
      handle = pass
    })
})
