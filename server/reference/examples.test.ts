import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { firstShop } from '../../testing/every-route/shop.ts'
import type { TestRequest } from '../../testing/harness/api.ts'
import { testApi } from '../../testing/harness/api.ts'
import { shelfRoutes } from '../../testing/harness/notes.ts'
import { seedPayment } from '../../testing/seed/payment.ts'
import type { Field, Ids, Operation as Runnable } from './assets/request.js'
import { idsAfter, kindOf, missing, prepare, sendable, withIds } from './assets/request.js'
import type { ApiOperation, OpenApiDocument } from './document.ts'
import { operationsOf } from './document.ts'

const api = await testApi({ routes: shelfRoutes })
// Creates everything that a shop starts with, so that no list is empty.
await firstShop(api)

/** Sends an example as the page's script does. */
function run(operation: Runnable, credential: string, language = 'en') {
  const sender = { credential, language, idempotencyKey: `${operation.path} ${language}` }
  const { url, method, headers, body } = sendable(prepare(operation), sender)
  return api.call({
    method: method as NonNullable<TestRequest['method']>,
    url,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : Buffer.from(body) }),
  })
}

/** Existing data may cause a documented 409; any other failure means that the example itself is wrong. */
function isFine({ status, json }: Awaited<ReturnType<typeof run>>, { refusals }: ApiOperation): boolean {
  if (status === 200) return true
  return status === 409 && refusals.some(({ code }) => code === json.error_code)
}

it('every example on the page works in page order, and its response has the fields shown', async () => {
  const { json: document } = await api.call({ url: '/openapi.json' })
  const operations = operationsOf(document as OpenApiDocument)
  assert.ok(operations.length > 10)
  let ids: Ids = {}
  for (const operation of operations) {
    const filled = withIds(operation, ids)
    assert.deepEqual(missing(filled), [], `${operation.id} finds the ids of what was made before it`)
    const answer = await run(filled, operation.credential === 'key' ? api.secretKey : await api.token())
    assert.ok(isFine(answer, operation), `${operation.id}: ${answer.status} ${answer.text}`)
    if (answer.status !== 200) continue
    ids = await paidIn(idsAfter(ids, filled, answer.json))
    assert.deepEqual(
      fieldsOf(answer.json),
      fieldsOf(operation.answer.example),
      `${operation.id} shows what it answers`,
    )
  }
  assert.equal(ids['customer'], undefined, 'what was deleted is forgotten')
})

/** Replaces the started payment by a paid one, so that there is something to refund and to list. */
async function paidIn({ transaction, ...others }: Ids): Promise<Ids> {
  if (transaction === undefined || isPaid) return { ...others, ...(transaction && { transaction }) }
  isPaid = true
  const attempts = [{ state: 'approved' as const }]
  const { id } = await seedPayment(api.services, api.merchant, { state: 'paid', attempts })
  return { ...others, transaction: String(id) }
}

let isPaid = false

it('the timeline in an example has the texts of a real one, in both languages', async () => {
  for (const language of ['tr', 'en']) {
    const { json: document } = await api.call({ url: `/openapi.json?lang=${language}` })
    const kept = operationsOf(document as OpenApiDocument).filter(({ answer }) => timelineIn(answer.example))
    const makers = kept.filter(({ isKeyed }) => isKeyed)
    assert.ok(makers.length > 1)
    for (const operation of makers) {
      const { json } = await run(operation, await api.token(), language)
      const timelineTexts = timelineIn(json)?.map(({ text }) => text)
      for (const { id, answer } of kept.filter(({ tag }) => tag === operation.tag))
        assert.deepEqual(
          timelineIn(answer.example)?.map(({ text }) => text),
          timelineTexts,
          id,
        )
    }
  }
})

it('the fields of a refund and of a transfer in an example are consistent', async () => {
  const { json: document } = await api.call({ url: '/openapi.json' })
  const exampleOf = (path: string) => {
    const operation = operationsOf(document as OpenApiDocument).find((each) => each.path === path)
    return (operation?.answer.example as Record<string, unknown>[] | undefined)?.[0] ?? {}
  }
  const refund = exampleOf('/v1/transaction/{transaction_id}/refunds')
  assert.deepEqual([refund['status'], refund['waiting_for']], ['approved', 'bank_day'])
  assert.ok(refund['due_at'] && refund['reviewed_at'])
  assert.deepEqual([refund['reason'], refund['end_at']], [null, null], 'what waits has no outcome')
  const transfer = exampleOf('/v1/balance/transfers')
  assert.ok(transfer['refund_id'])
  assert.equal(transfer['reason'], 'refund')
  assert.equal(transfer['amount'], Number(transfer['gross']) - Number(transfer['commission']))
  assert.equal(transfer['formatted_amount'], (Number(transfer['amount']) / 100).toFixed(2))
})

it('an event that is sent again is shown as before its first attempt', async () => {
  const { json } = await api.call({ url: '/openapi.json' })
  const exampleOf = (path: string) =>
    json.paths[path].post.responses['200'].content['application/json'].example
  const shown = [
    exampleOf('/v1/webhooks/{webhook_id}/test'),
    ...exampleOf('/v1/events/{event_id}/resend'),
  ].map(({ id, event_id, type, reason, status, attempts }) => [
    id === event_id,
    type,
    reason,
    status,
    attempts,
  ])
  assert.deepEqual(shown, [
    [true, 'webhook.test', 'test', 'pending', []],
    [false, 'payment.succeeded', 'resend', 'pending', []],
  ])
})

/** The timeline of a record, or of the first record of a list. */
function timelineIn(answer: unknown): { text: string }[] | undefined {
  const record = Array.isArray(answer) ? answer[0] : answer
  return record?.timeline
}

/** The field names of a response, or of the first item of a list. */
function fieldsOf(answer: unknown): string[] {
  if (Array.isArray(answer)) return fieldsOf(answer[0])
  return typeof answer === 'object' && answer !== null ? Object.keys(answer) : []
}

describe('ids', () => {
  const field = (name: string, place: Field['place'], value = ''): Field => ({
    name,
    place,
    kind: 'text',
    value,
    shown: '',
    isRequired: place === 'path',
  })
  const operation = (method: string, path: string, fields: Field[] = []): Runnable => ({
    method,
    path,
    credential: 'secret',
    fields,
    isKeyed: false,
  })
  const byId = [field('customer_id', 'path', '7')]

  it('of the last created records fill blank fields that need that kind', () => {
    const ids = idsAfter({}, operation('POST', '/v1/customers'), { id: 7, merchant_id: 1, name: 'x' })
    const asked = [
      field('customer_id', 'path'),
      field('customer_id', 'body', '9'),
      field('customer_id', 'query'),
    ]
    const { fields } = withIds(operation('POST', '/v1/customers/{customer_id}', asked), ids)
    assert.deepEqual(
      fields.map(({ value }) => value),
      ['7', '9', ''],
    )
    assert.equal(kindOf('/v1/webhooks/{id}/test', field('id', 'path')), 'webhook')
  })

  it('are found in a bare resource, in the envelope, and by their own name', () => {
    const payment = operation('POST', '/v1/payment/start')
    const envelope = {
      status: true,
      message: '',
      errors: [],
      error_code: null,
      data: { transaction_id: '5' },
    }
    assert.deepEqual(idsAfter({}, payment, envelope), { transaction: '5' })
    assert.deepEqual(idsAfter({}, payment, null), {})
    assert.deepEqual(idsAfter({}, payment, [{ id: 1 }]), {})
    assert.deepEqual(idsAfter({}, payment, { order_id: null, other_id: { a: 1 } }), {})
  })

  it('stay after a read or an update, and are removed after a deletion', () => {
    const ids = { customer: '7', product: '8' }
    const path = '/v1/customers/{customer_id}'
    assert.equal(idsAfter(ids, operation('GET', path, byId), { id: 3 }), ids)
    assert.equal(idsAfter(ids, operation('POST', path, byId), { id: 3 }), ids)
    assert.deepEqual(idsAfter(ids, operation('DELETE', path, byId), {}), { product: '8' })
    const another = [field('customer_id', 'path', '9')]
    assert.deepEqual(idsAfter(ids, operation('DELETE', path, another), {}), ids)
  })
})
