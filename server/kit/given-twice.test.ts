import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../testing/api.ts'
import { createNotesTable, noteRoutes } from '../testing/notes.ts'

const api = await testApi({ routes: noteRoutes() })
await createNotesTable(api.services.sql)
const token = await api.token()
const form = (text: string) => api.call({ method: 'POST', url: '/v1/notes', token, form: text })
const raw = (body: string, type: string) =>
  api.call({ method: 'POST', url: '/v1/notes', token, body, headers: { 'content-type': type } })

describe('a name in JSON', () => {
  it('that is there twice is refused as a form’s is, however it is spelled and wherever it stands', async () => {
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

  it('that is unknown may be there twice, in a form and in JSON alike', async () => {
    const twice = '{"title":"a","amount":1,"x":1,"x":2,"y":{"z":1,"z":2},"__proto__":1,"__proto__":2}'
    for (const answer of [await form('title=a&amount=1&x=1&x=2'), await raw(twice, 'application/json')])
      assert.deepEqual(answer.json.given, { title: 'a', amount: 1 })
  })
})
