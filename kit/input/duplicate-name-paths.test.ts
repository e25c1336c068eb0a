import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { describe, it } from 'node:test'
import { testApi } from '../../testing/harness/api.ts'
import { countNotes, createNotesTable, noteRoutes } from '../../testing/harness/notes.ts'

const api = await testApi({ routes: noteRoutes() })
await createNotesTable(api.services.sql)
const token = await api.token()
const form = (text: string) => api.call({ method: 'POST', url: '/v1/notes', token, form: text })
const raw = (body: string, type: string) =>
  api.call({ method: 'POST', url: '/v1/notes', token, body, headers: { 'content-type': type } })

describe('a repeated name in JSON', () => {
  it('is refused as in a form, in any spelling and at any depth', async () => {
    const begun = '{"title":"a"'
    const wrong: [string, string][] = [
      [`${begun},"amount":1000,"amount":1}`, 'amount'],
      [`${begun},"amount":1,"amount":1}`, 'amount'],
      [`${begun},"amount":1,"amount":null}`, 'amount'],
      [`${begun},"amount":null,"\\u0061mount":1}`, 'amount'],
      [`${begun},"x":1,"amount":1,"x":2,"amount":2,"__proto__":1,"__proto__":2}`, 'amount'],
      [`${begun},"amount":1,"numbers":[1],"numbers":[2]}`, 'numbers'],
      [`${begun},"amount":1,"numbers":{"0":1,"0":2}}`, 'numbers.0'],
      [`${begun},"amount":1,"items":[{"key":"x"},{"key":"a","key":"b"}]}`, 'items.1.key'],
      [`${begun},"amount":1,"place":{"city":"a","city":"b"},"place":{"city":"a","city":"b"}}`, 'place'],
      [`${begun},"amount":1,"items":"[{\\"key\\":\\"a\\",\\"key\\":\\"b\\"}]"}`, 'items.0.key'],
    ]
    for (const [text, key] of wrong) {
      const answer = await raw(text, 'application/json')
      assert.deepEqual([answer.status, answer.json.error_code], [422, 901], text)
      assert.deepEqual(answer.json.errors, {
        [key]: ['Tek bir değer olmalıdır; birden fazla değer gönderilmiş.'],
      })
    }
    const inForm = await form('title=a&amount=1&items=[{"key":"a","value":"b","value":"c"}]')
    assert.deepEqual(Object.keys(inForm.json.errors), ['items.0.value'])
  })

  it('is accepted if the name is unknown, in a form as in JSON', async () => {
    const twice = '{"title":"a","amount":1,"x":1,"x":2,"y":{"z":1,"z":2},"__proto__":1,"__proto__":2}'
    for (const answer of [await form('title=a&amount=1&x=1&x=2'), await raw(twice, 'application/json')])
      assert.deepEqual(answer.json.given, { title: 'a', amount: 1 })
  })
})

describe('a repeated header', () => {
  const listening = api.app.listen({ port: 0, host: '127.0.0.1' })

  /** Sends headers exactly as given, repeated ones included; other clients merge them. */
  async function send(url: string, headers: [string, string][], body = '') {
    await api.merchantCache.refresh()
    const length: [string, string] = ['content-length', String(Buffer.byteLength(body))]
    const sent = [['host', 'localhost'], length, ...headers].flat()
    const call = request(new URL(url, await listening), { method: 'POST', headers: sent }).end(body)
    const [answer]: IncomingMessage[] = await once(call, 'response')
    const json = JSON.parse((await answer?.toArray())?.join('') ?? '')
    return { status: answer?.statusCode, code: json.error_code, errors: json.errors, json }
  }

  it('Authorization is refused with 401, whatever both values are', async () => {
    const other = await api.token(api.publicKey)
    const bearer = (text: string): [string, string] => ['Authorization', `Bearer ${text}`]
    const pairs: [string, [string, string][]][] = [
      ['/v1/token/get-token', [bearer(api.secretKey), bearer(api.secretKey)]],
      ['/v1/token/get-token', [bearer(api.secretKey), bearer(api.publicKey)]],
      ['/v1/token/get-token', [bearer('nobody'), bearer(api.secretKey)]],
      ['/v1/notes/1/copies', [bearer(token), bearer(token)]],
      ['/v1/notes/1/copies', [bearer(token), ['aUTHORIZATION', `Bearer ${other}`]]],
      ['/v1/notes/1/copies', [bearer(token), ['authorization', '']]],
    ]
    for (const [url, headers] of pairs) {
      const { status, code } = await send(url, headers)
      assert.deepEqual([status, code], [401, 910], JSON.stringify(headers))
    }
    assert.equal((await send('/v1/notes/1/copies', [bearer(token)])).status, 200)
  })

  it('Idempotency-Key is refused: it is unclear which key applies', async () => {
    const authorization: [string, string] = ['authorization', `Bearer ${token}`]
    const type: [string, string] = ['content-type', 'application/x-www-form-urlencoded']
    for (const [one, other] of [
      ['a', 'b'],
      ['a', 'a'],
      ['a', ''],
    ]) {
      const keys: [string, string][] = [
        ['Idempotency-Key', one ?? ''],
        ['idempotency-key', other ?? ''],
      ]
      const { status, errors } = await send(
        '/v1/notes',
        [authorization, type, ...keys],
        'title=keyed&amount=x',
      )
      assert.equal(status, 422)
      assert.deepEqual(Object.keys(errors), ['amount', 'Idempotency-Key'])
      assert.match(errors['Idempotency-Key'][0], /birden fazla/)
    }
    assert.equal(await countNotes(api.services.sql, 'keyed'), 0)
  })
})
