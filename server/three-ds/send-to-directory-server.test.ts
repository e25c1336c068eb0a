import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import { readConfig } from '../config.ts'
import { sendToDirectoryServer } from './send-to-directory-server.ts'

const config = readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it' })
const ask = (http: HttpClient) =>
  sendToDirectoryServer({ http, config }, 'http://directory.example/', { a: 1 })

function answering(status: number): HttpClient {
  return { send: async () => ({ status, headers: new Headers(), body: Buffer.from('{"a":2}') }) }
}

function failing(error: Error): HttpClient {
  return { send: () => Promise.reject(error) }
}

it('a response with status 200 is returned as its text', async () => {
  assert.deepEqual(await ask(answering(200)), { text: '{"a":2}' })
})

it('a response with another status is no answer, whatever its body', async () => {
  for (const status of [201, 202, 204, 301, 302, 400, 404, 500, 503])
    assert.deepEqual(await ask(answering(status)), { why: `status ${status}` })
})

it('a missing response is reported with its reason', async () => {
  const lost = new NoHttpResponse('no connection', { mayHaveArrived: true })
  assert.deepEqual(await ask(failing(lost)), { why: 'no connection' })
})

it('a bug of ours is thrown, not reported as a missing response', async () => {
  await assert.rejects(ask(failing(new TypeError('of ours'))), TypeError)
})
