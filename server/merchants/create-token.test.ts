import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { createVerifier } from 'fast-jwt'
import * as refusal from '../../kit/input/refusals.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { testApi } from '../../testing/harness/api.ts'
import { countNotes, createNotesTable, noteRoutes } from '../../testing/harness/notes.ts'
import { changeMerchant } from './change-merchant.ts'
import { createKey } from './create-key.ts'
import { revokeKey } from './revoke-key.ts'
import { keysOfMerchant } from './store.ts'
import { setMerchantState } from './suspend-merchant.ts'

const url = '/v1/token/get-token'
const someNote = { method: 'POST', url: '/v1/notes', form: 'title=a&amount=1' } as const
const { tr, en } = refusal.unauthenticated
const unauthenticated = { tr, en }

const oldSecret = 'the old secret, thirty-two letters'
const newSecret = 'the new secret, thirty-two letters'

const api = await testApi({ routes: noteRoutes() })
await createNotesTable(api.services.sql)

describe('200', () => {
  it('a secret key is exchanged for a token of ten minutes, exactly as in the contract', async () => {
    const answer = await api.call({
      method: 'POST',
      url,
      token: api.secretKey,
      headers: { 'accept-language': 'tr' },
    })
    assert.equal(answer.status, 200)
    const { access_token, ...data } = answer.json.data
    assert.match(access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    assert.deepEqual(data, {
      supports_3d: true,
      supports_2d: false,
      supports_white_label: false,
      supports_installment: true,
      expires_at: '2026-11-15T09:40:00+03:00',
    })
    assert.deepEqual(
      { ...answer.json, data: null },
      {
        status: true,
        message: 'Erişim belirteci oluşturuldu.',
        errors: [],
        error_code: null,
        data: null,
      },
    )
  })

  it('the contract’s own call with a JSON content type and no body works, and so does an empty form', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const answer = await api.call({
        method: 'POST',
        url,
        token: api.secretKey,
        headers: { 'content-type': type },
        body: '',
      })
      assert.equal(answer.status, 200, type)
    }
  })

  it('a token gives access to its merchant’s API for ten minutes', async () => {
    const issued = await api.token()
    api.clock.advance(599_999)
    assert.equal((await api.call({ ...someNote, token: issued })).status, 200)
    api.clock.advance(1)
    const answer = await api.call({ ...someNote, token: issued })
    assert.equal(answer.status, 401)
    assert.equal(answer.json.error_code, 911)
  })

  it('a token signed with the previous secret works after a rotation, and new tokens use the new secret', async () => {
    const before = await testApi({ env: { VEZNE_SECRET: oldSecret } })
    const old = await before.token()
    const rotated = { VEZNE_SECRET: newSecret, VEZNE_SECRET_PREVIOUS: oldSecret }
    const after = await testApi({ routes: noteRoutes(), database: before.database, env: rotated })
    await createNotesTable(after.services.sql)
    assert.equal((await after.call({ ...someNote, token: old })).json.merchant_id, before.merchant.id)
    const fresh = await after.token()
    const withoutOld = await testApi({
      routes: noteRoutes(),
      database: before.database,
      env: { VEZNE_SECRET: newSecret },
    })
    assert.equal((await withoutOld.call({ ...someNote, token: fresh })).status, 200)
    assert.equal((await withoutOld.call({ ...someNote, token: old })).json.error_code, 910)
  })

  it('the response shows the merchant’s current settings', async () => {
    const other = await testApi()
    await changeMerchant(other.services, {
      merchant: other.merchant.id,
      white_label: true,
      supports_2d: true,
      supports_installment: false,
      time_zone: 'America/New_York',
    })
    const { data } = (await other.call({ method: 'POST', url, token: other.secretKey })).json
    assert.equal(data.supports_white_label, true)
    assert.equal(data.supports_2d, true)
    assert.equal(data.supports_installment, false)
    assert.equal(data.expires_at, '2026-11-15T01:40:00-05:00')
  })
})

it('a token is a JWT that other libraries can read and verify, signed with a key for this purpose only', async () => {
  const token = await api.token()
  const [key] = api.services.keyring.keysFor('access tokens')
  const verify = createVerifier({
    key: key.key,
    algorithms: ['HS256'],
    clockTimestamp: api.clock.now().getTime(),
  })
  assert.deepEqual(verify(token), {
    m: api.merchant.id,
    k: (await keysOfMerchant(api.services.sql, api.merchant.id))[0]?.id,
    s: 'secret',
    exp: api.clock.now().getTime() / 1000 + 600,
  })
  const [other] = api.services.keyring.keysFor('something else')
  assert.throws(() => createVerifier({ key: other.key })(token))
})

describe('401', () => {
  it('a missing credential and every kind of invalid one get the same response, in the requested language', async () => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Bearer ' },
      { authorization: `Basic ${api.secretKey}` },
      { authorization: api.secretKey },
      { authorization: `Bearer ${api.secretKey} x` },
      { authorization: `Bearer ${api.secretKey.slice(0, -1)}` },
      { authorization: `Bearer ${api.secretKey.slice(0, -1)}!` },
      { authorization: `Bearer ${api.secretKey.toUpperCase()}` },
      { authorization: 'Bearer sk_test_00000000000000000000000000000000000000' },
      { authorization: `Bearer ${await api.token()}` },
      { authorization: `Bearer ${'x'.repeat(5000)}` },
    ]
    for (const language of ['tr', 'en'] as const) {
      for (const headers of wrong) {
        const answer = await api.call({
          method: 'POST',
          url,
          headers: { ...headers, 'accept-language': language },
        })
        assert.equal(answer.status, 401, JSON.stringify(headers))
        assert.deepEqual(answer.json, {
          status: false,
          message: unauthenticated[language],
          errors: [],
          error_code: 910,
          data: null,
        })
        assert.equal(answer.headers['www-authenticate'], 'Bearer')
      }
    }
  })

  it('altered, unsigned and wrongly signed tokens give 910, expired or not', async () => {
    const token = await api.token()
    const [head = '', claims = '', signature = ''] = token.split('.')
    const [key] = api.services.keyring.keysFor('access tokens')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const resign = (header: object, hash: string) => {
      const signed = `${encode(header)}.${claims}`
      return `${signed}.${createHmac(hash, key.key).update(signed).digest('base64url')}`
    }
    const bigger = encode({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 9_999_999_999 })
    const forged = [
      `${head}.${bigger}.${signature}`,
      `${head}.${claims}.${signature.slice(0, -2)}AA`,
      `${head}.${claims}.`,
      `${head}.${claims}`,
      `${encode({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `${encode({ alg: 'none', typ: 'JWT', kid: key.id })}.${claims}.${signature}`,
      resign({ alg: 'HS512', typ: 'JWT', kid: key.id }, 'sha512'),
      resign({ alg: 'HS384', typ: 'JWT', kid: key.id }, 'sha384'),
      resign({ alg: 'HS256', typ: 'JWT', kid: 'other' }, 'sha256'),
      `${head}.${claims}.${createHmac('sha256', 'guess').update(`${head}.${claims}`).digest('base64url')}`,
      '..',
      '.',
      'x',
      api.secretKey,
    ]
    for (const text of forged) {
      const answer = await api.call({ ...someNote, token: text })
      assert.equal(answer.status, 401, text)
      assert.equal(answer.json.error_code, 910, text)
    }
    assert.equal((await api.call({ ...someNote, token })).status, 200)
  })

  it('a revoked key creates no tokens, and its existing tokens are refused', async () => {
    const { key, text } = await createKey(api.services, api.merchant, 'secret', 'to be revoked')
    const token = await api.token(text)
    assert.equal((await api.call({ ...someNote, token })).status, 200)
    await revokeKey(api.services, key.id)
    assert.equal((await api.call({ method: 'POST', url, token: text })).json.error_code, 910)
    assert.equal((await api.call({ ...someNote, token })).json.error_code, 910)
    assert.equal((await api.call({ url: '/v1/notes/1', token })).json.error_code, 910)
    await assert.rejects(revokeKey(api.services, key.id))
  })

  it('a request whose key is revoked while its body arrives is refused', async () => {
    const { key, text } = await createKey(api.services, api.merchant, 'secret', 'to be revoked')
    const token = await api.token(text)
    async function* body() {
      await revokeKey(api.services, key.id)
      await api.merchantCache.refresh()
      yield 'title=too late&amount=1'
    }
    const { payload, statusCode } = await api.app.inject({
      method: 'POST',
      url: '/v1/notes',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-www-form-urlencoded',
        'transfer-encoding': 'chunked',
      },
      payload: Readable.from(body()),
    })
    assert.deepEqual([statusCode, JSON.parse(payload).error_code], [401, 910])
    assert.equal(await countNotes(api.services.sql, 'too late'), 0)
  })
})

describe('403', () => {
  it('a token made from a public key is refused if a secret one is required', async () => {
    const answer = await api.call({ ...someNote, token: await api.token(api.publicKey) })
    assert.equal(answer.status, 403)
    assert.equal(answer.json.error_code, 912)
  })

  it('a live merchant’s public key works from its registered origins and without a browser, not from other origins', async () => {
    const live = await testApi({ live: true })
    await changeMerchant(live.services, { merchant: live.merchant.id, origins: ['https://shop.example'] })
    const from = async (key: string, origin?: string) => {
      const headers: Record<string, string> = origin === undefined ? {} : { origin }
      return (await live.call({ method: 'POST', url, token: key, headers })).json.error_code
    }
    assert.match(live.secretKey, /^sk_live_/)
    assert.equal(await from(live.publicKey, 'https://shop.example'), null)
    assert.equal(await from(live.publicKey), null)
    assert.equal(await from(live.publicKey, 'https://shop.example.evil'), 912)
    assert.equal(await from(live.publicKey, 'null'), 912)
    assert.equal(await from(api.publicKey, 'https://anywhere.example'), 910)
    assert.equal(
      (
        await api.call({
          method: 'POST',
          url,
          token: api.publicKey,
          headers: { origin: 'https://x.example' },
        })
      ).status,
      200,
    )
  })

  it('a suspended merchant is refused with key and token, and admitted again after it is resumed', async () => {
    const other = await testApi({ routes: noteRoutes() })
    await createNotesTable(other.services.sql)
    const token = await other.token()
    await setMerchantState(other.services, other.merchant.id, 'suspended')
    assert.equal((await other.call({ method: 'POST', url, token: other.secretKey })).json.error_code, 913)
    assert.equal((await other.call({ ...someNote, token })).json.error_code, 913)
    await setMerchantState(other.services, other.merchant.id, 'active')
    assert.equal((await other.call({ ...someNote, token })).status, 200)
  })
})

it('refusals use the merchant’s language as soon as the merchant is known', async () => {
  const english = await testApi({ routes: noteRoutes() })
  await changeMerchant(english.services, { merchant: english.merchant.id, language: 'en' })
  const token = await english.token()
  const open = await english.token(english.publicKey)
  const message = async (sent: string) => (await english.call({ ...someNote, token: sent })).json.message
  assert.equal(await message('nobody’s'), unauthenticated.tr)
  assert.match(await message(open), /does not permit/)
  english.clock.advance(600_000)
  assert.match(await message(token), /has expired/)
  await setMerchantState(english.services, english.merchant.id, 'suspended')
  const refused = await english.call({ method: 'POST', url, token: english.secretKey })
  assert.match(refused.json.message, /is suspended/)
  assert.equal(JSON.parse(english.lines.at(-1) ?? '').merchant_id, english.merchant.id)
})

it('nothing stored can be used as a key', async () => {
  const rows = await api.services.sql.many(
    sql`select merchant_keys::text as row, hash::text from merchant_keys`,
  )
  assert.ok(rows.length >= 2)
  for (const text of [api.secretKey, api.publicKey])
    assert.ok(!JSON.stringify(rows).includes(text.slice(13, -5)))
})

describe('a live secret key in a web page', () => {
  const origin = 'https://shop.example'
  const readableBy = (answer: { headers: Record<string, unknown> }) =>
    answer.headers['access-control-allow-origin'] ?? answer.headers['access-control-expose-headers']

  it('makes tokens that no page can read, and refusals that no page can read', async () => {
    const live = await testApi({ live: true })
    const headers = { origin }
    const send = (authorization: string) =>
      live.call({ method: 'POST', url, headers: { ...headers, authorization } })
    const made = await send(`Bearer ${live.secretKey}`)
    assert.deepEqual([made.status, readableBy(made)], [200, undefined])
    const refused = [
      await send(`bearer   ${live.secretKey.slice(0, -1)}`),
      await live.call({ method: 'POST', url: '/v1/payment/3ds', token: live.secretKey, headers }),
    ]
    await setMerchantState(live.services, live.merchant.id, 'suspended')
    refused.push(await send(`Bearer ${live.secretKey}`))
    assert.deepEqual(
      refused.map(({ status }) => status),
      [401, 401, 403],
    )
    for (const answer of refused) assert.equal(readableBy(answer), undefined)
    const others = [
      await api.call({ method: 'POST', url, token: api.secretKey, headers }),
      await api.call({ method: 'POST', url, token: api.publicKey, headers }),
      await live.call({ method: 'POST', url, token: live.publicKey, headers }),
    ]
    for (const answer of others) assert.equal(readableBy(answer), '*')
  })

  it('is logged once per key, without repeating the key', async () => {
    const live = await testApi({ live: true })
    const { key, text } = await createKey(live.services, live.merchant, 'secret', 'another')
    const [first] = await keysOfMerchant(live.services.sql, live.merchant.id)
    await live.call({ method: 'POST', url, token: live.secretKey })
    await live.call({ method: 'POST', url, token: live.publicKey, headers: { origin } })
    await live.call({ method: 'POST', url, token: `${text}x`, headers: { origin } })
    const warnings = () =>
      live.lines.filter((line) => line.includes('"level":"warn"')).map((line) => JSON.parse(line).key_id)
    assert.deepEqual(warnings(), [])
    for (const token of [live.secretKey, text, live.secretKey, text])
      await live.call({ method: 'POST', url, token, headers: { origin } })
    assert.deepEqual(warnings(), [first?.id, key.id])
    assert.ok(!live.lines.join('').includes('shop.example'))
    await api.call({ method: 'POST', url, token: api.secretKey, headers: { origin } })
    assert.ok(!api.lines.some((line) => line.includes('sent by a browser')))
  })
})

it('a preflight is answered without a credential, for any origin', async () => {
  const answer = await api.call({ method: 'OPTIONS', url, headers: { origin: 'https://x.example' } })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers['access-control-allow-origin'], '*')
  assert.match(String(answer.headers['access-control-allow-headers']), /authorization/)
  const refused = await api.call({ method: 'POST', url, headers: { origin: 'https://x.example' } })
  assert.equal(refused.headers['access-control-allow-origin'], '*', 'a page must be able to read the refusal')
})
