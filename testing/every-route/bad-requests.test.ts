import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiRoute } from '../../server/api.ts'
import { apiRoutes } from '../../server/api.ts'
import type { TestAnswer, TestRequest } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { shelfRoutes } from '../harness/notes.ts'
import { routeAnswerFaults } from './answers.ts'
import { urlWithPair } from './encode-input.ts'
import { refusesUnknownFields, routeName } from './field.ts'
import { hostileTexts } from './hostile-inputs.ts'
import { idInPath } from './record-paths.ts'
import { needsNewBodyEachTime, validBody, validUrl } from './samples.ts'
import { firstShop, unlimitedEnv } from './shop.ts'
import { tableDigests } from './tables.ts'

const api = await testApi({ env: unlimitedEnv, routes: shelfRoutes })
const shop = await firstShop(api, shelfRoutes)

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

/** A request that the route accepts. */
async function rightRequest(route: ApiRoute): Promise<Partial<TestRequest> & { url: string }> {
  const url = await validUrl(shop, route)
  return route.body ? { url, json: await validBody(shop, route) } : { url }
}

/** Asserts a refusal with this status, code and names, in Turkish and in English, that stores nothing. */
async function assertRefused(
  route: ApiRoute,
  requests: Partial<TestRequest>[],
  expected: { status: number; code: number; names?: string[] },
): Promise<void> {
  const stored = await tableDigests(api.services.sql)
  for (const request of requests) {
    const about = JSON.stringify(request).slice(0, 300)
    const messages = new Set<string>()
    for (const language of ['tr', 'en']) {
      const headers = { ...request.headers, 'accept-language': language }
      const answer = await shop.call(route, { ...request, headers })
      assert.deepEqual([answer.status, answer.json?.error_code], [expected.status, expected.code], about)
      assert.deepEqual(routeAnswerFaults(route, answer), [], about)
      assert.deepEqual(Object.keys(answer.json.errors), expected.names ?? [], about)
      messages.add(answer.json.message)
      for (const sentence of Object.values(answer.json.errors).flat()) messages.add(String(sentence))
    }
    assert.equal(messages.size, expected.names ? 4 : 2, `${about}: one language says what the other does`)
  }
  assert.deepEqual(await tableDigests(api.services.sql), stored)
}

for (const route of [...apiRoutes, ...shelfRoutes]) {
  describe(routeName(route), () => {
    if (idInPath(route)) {
      it('a malformed id is answered like an unknown one', async () => {
        const ids = Object.values(hostileTexts).filter(
          (text) => text !== '' && encodeURIComponent(text).length < 900,
        )
        const long = ['1'.repeat(990), '9'.repeat(15), '１'.repeat(14)]
        const urls = [...ids, ...long].map((id) => validUrl(shop, route, { id: encodeURIComponent(id) }))
        const requests = (await Promise.all(urls)).map((url) => ({ url }))
        await assertRefused(route, requests, { status: 404, code: 920 })
      })

      it('an address that cannot be decoded is refused', async () => {
        const urls = ['%', '%zz', '%FF', '%C3%28', '%ED%A0%80', '1%'].map((id) =>
          validUrl(shop, route, { id }),
        )
        const requests = (await Promise.all(urls)).map((url) => ({ url }))
        await assertRefused(route, requests, { status: 400, code: 900 })
      })
    }

    it('a query that cannot be decoded is refused, even if the route has no query', async () => {
      const { url, ...others } = await rightRequest(route)
      const many = Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&')
      const queries = ['a=%', 'a=%zz', 'a=%FF', '%C0%80=1', 'a[b][c][d][e][f][g][h]=1', many]
      const requests = queries.map((query) => ({ ...others, url: urlWithPair(url, query) }))
      await assertRefused(route, requests, { status: 400, code: 900 })
    })

    if (route.method !== 'GET') {
      it('a body that cannot be read is refused, even if the route has no body', async () => {
        const { url } = await rightRequest(route)
        const bodies: [string | Buffer, Record<string, string>][] = [
          ...[
            '{',
            '[]',
            '"a"',
            '1',
            'null',
            'true',
            '{"a":1}}',
            "{'a':1}",
            '{"a":01}',
            '{"a":NaN}',
            '\0',
          ].map((body): [string, Record<string, string>] => [body, json]),
          [`${'{"a":'.repeat(50)}1${'}'.repeat(50)}`, json],
          [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
          [Buffer.from('{"a":"é"}', 'latin1'), json],
          [Buffer.from('{"a":1}', 'utf16le'), json],
          ['{}', { 'content-type': 'application/json; charset=latin1' }],
          ['{}', { 'content-type': 'text/plain' }],
          ['<a/>', { 'content-type': 'application/xml' }],
          ['--x', { 'content-type': 'multipart/form-data; boundary=x' }],
          [Buffer.from('a=\xff', 'latin1'), form],
          ...['a=%', 'a=%zz', 'a=%FF', '%ED%A0%80=1', 'a[b][c][d][e][f][g][h]=1'].map(
            (body): [string, Record<string, string>] => [body, form],
          ),
          [Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&'), form],
        ]
        const requests = bodies.map(([body, headers]) => ({ url, body, headers }))
        await assertRefused(route, requests, { status: route.rawBody ? 415 : 400, code: 900 })
      })

      it('a body of more than 256 KiB, or a file of more than its limit, is refused as too large', async () => {
        const { url } = await rightRequest(route)
        const body = `a=${'b'.repeat(route.rawBody?.maxBytes ?? 256 * 1024)}`
        await assertRefused(route, [{ url, body, headers: form }], { status: 413, code: 900 })
      })
    }

    if (route.idempotent) {
      it('a blank or too long Idempotency-Key is refused by its name', async () => {
        const right = await rightRequest(route)
        const requests = ['', ' ', '\t ', 'k'.repeat(256), 'k'.repeat(8000)].map((key) => ({
          ...right,
          headers: { 'idempotency-key': key },
        }))
        await assertRefused(route, requests, { status: 422, code: 901, names: ['Idempotency-Key'] })
      })

      it('any other Idempotency-Key is accepted, and belongs to the first request with it', async () => {
        const keys = [
          'k',
          ' '.padEnd(254 - routeName(route).length, 'k'),
          "'; drop table idempotency_keys; --",
          '%00',
          '"\\',
          'é\u00ff',
          '__proto__',
          '{"a":1}',
          'null',
        ]
        const others: Partial<TestRequest>[] = []
        for (const key of keys) {
          const headers = { 'idempotency-key': `${routeName(route)} ${key}` }
          const first = { ...(await rightRequest(route)), headers }
          const made = await shop.call(route, first)
          const replayed = await shop.call(route, first)
          assert.deepEqual([made.status, routeAnswerFaults(route, made)], [200, []], `${key} ${made.text}`)
          assert.deepEqual([replayed.text, replayed.headers['idempotency-replayed']], [made.text, 'true'])
          if (route.body) others.push({ ...first, json: { ...(first.json as object), other: 1 } })
          if (route.query && !refusesUnknownFields(route.query))
            others.push({ ...first, url: urlWithPair(first.url, 'other=1') })
        }
        await assertRefused(route, others, { status: 422, code: 951 })
      })
    } else {
      it('an Idempotency-Key is ignored', async () => {
        for (const key of ['', 'k', 'k'.repeat(8000)]) {
          const answer = await shop.call(route, {
            ...(await rightRequest(route)),
            headers: { 'idempotency-key': key },
          })
          assert.deepEqual([answer.status, answer.headers['idempotency-replayed']], [200, undefined])
        }
      })
    }

    it('any Accept-Language is accepted; an unsupported one selects the merchant’s language', async () => {
      const strange = [
        '',
        '*',
        'xx',
        ';;;',
        'en;q=',
        'en;q=0',
        'q=1',
        ','.repeat(5000),
        'en;q=9e9',
        '\u00ff',
        '__proto__',
        'constructor',
        "tr'--",
        'e'.repeat(8000),
      ]
      for (const language of strange) await assertUsual({ 'accept-language': language })
    })

    it('a valid X-Request-Id is returned, and any other is replaced', async () => {
      for (const id of ['a', 'A-b_9', 'x'.repeat(64)]) {
        assert.equal((await assertUsual({ 'x-request-id': id })).headers['x-request-id'], id)
      }
      for (const id of [
        '',
        ' ',
        'x'.repeat(65),
        'a b',
        'a;b',
        '<b>',
        "'",
        '\u00ff',
        'a\tb',
        '4242424242424242',
        api.secretKey,
      ]) {
        const given = String((await assertUsual({ 'x-request-id': id })).headers['x-request-id'])
        assert.match(given, /^[\w-]{1,64}$/)
        assert.notEqual(given, id)
      }
    })

    let first: ReturnType<typeof rightRequest> | undefined

    /**
     * A valid request, reused if the route accepts it more than once, so that its records are created once.
     */
    function usualRequest(): ReturnType<typeof rightRequest> {
      if (route.method === 'DELETE' || needsNewBodyEachTime(route)) return rightRequest(route)
      first ??= rightRequest(route)
      return first
    }

    async function assertUsual(headers: Record<string, string>): Promise<TestAnswer> {
      const answer = await shop.call(route, { ...(await usualRequest()), headers })
      assert.deepEqual([answer.status, routeAnswerFaults(route, answer)], [200, []], JSON.stringify(headers))
      return answer
    }
  })
}
