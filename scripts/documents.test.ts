import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { openApiDocument } from '../kit/api/openapi.ts'
import { allRefusals, apiRoutes, refusalsOf } from '../server/api.ts'
import { eventKinds } from '../server/events/index.ts'
import { documentedWebhookMessages } from '../server/webhooks/index.ts'
import { noteRoutes } from '../testing/harness/notes.ts'
import { documents, staleDocuments } from './documents.ts'

it('the generated documents are up to date (`npm run format` writes them)', async () => {
  assert.deepEqual(await staleDocuments(), [])
})

describe('refusals', () => {
  it('have one code and status each, and a text in both languages', () => {
    const names = allRefusals().map(({ code, status }) => `${code}/${status}`)
    assert.equal(new Set(names).size, names.length)
    for (const { tr, en, when } of allRefusals()) {
      for (const text of [tr, en, when.tr, when.en]) assert.match(text, /[.:]$/)
      assert.notEqual(tr, en)
      assert.notEqual(when.tr, when.en)
    }
  })
})

describe('the OpenAPI document', () => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is read as any reader of JSON would
  const document: any = openApiDocument([...apiRoutes, ...noteRoutes()], {
    version: '1',
    url: 'http://localhost',
    language: 'en',
    refusalsOf,
    messages: documentedWebhookMessages,
  })

  it('describes a route with its parameters, its body as form and JSON, and every refusal code', () => {
    const create = document.paths['/v1/notes'].post
    assert.equal(create.operationId, 'createNote')
    assert.deepEqual(Object.keys(create.requestBody.content), [
      'application/x-www-form-urlencoded',
      'application/json',
    ])
    assert.deepEqual(Object.keys(create.responses), [
      '200',
      '400',
      '401',
      '403',
      '409',
      '413',
      '422',
      '429',
      '500',
      '503',
    ])
    assert.match(create.responses['422'].description, /`901`.*`951`/s)
    assert.ok(create.parameters.some(({ name }: { name: string }) => name === 'Idempotency-Key'))
    const readNote = document.paths['/v1/notes/{note_id}'].get
    assert.deepEqual(
      readNote.parameters
        .slice(0, 2)
        .map(({ name, in: place, required }: Record<string, unknown>) => [name, place, required]),
      [
        ['note_id', 'path', true],
        ['shout', 'query', false],
      ],
    )
  })

  it('describes every field of the API in a sentence, in both languages', () => {
    const [turkish, english] = (['tr', 'en'] as const).map((language) => {
      const info = {
        version: '1',
        url: 'http://localhost',
        language,
        refusalsOf,
        messages: documentedWebhookMessages,
      }
      return [...sentencesOf(openApiDocument(apiRoutes, info))]
    })
    assert.ok(english && english.length > 10)
    assert.deepEqual(
      turkish?.map(([place]) => place),
      english.map(([place]) => place),
    )
    for (const [index, [place, sentence]] of english.entries()) {
      assert.match(sentence, /[.…]$/, place)
      assert.notEqual(turkish?.[index]?.[1], sentence, `${place} is said in one language alone`)
    }
  })

  it('uses the service’s own address in its examples', () => {
    const info = { version: '1', url: 'https://pay.example/api', language: 'en', refusalsOf } as const
    const text = JSON.stringify(openApiDocument(apiRoutes, info))
    assert.ok(text.includes('"country_flag_url":"https://pay.example/api/flags/tr.svg"'))
    assert.ok(!text.includes('localhost'))
  })

  it('describes every webhook message: its headers and its body with the transaction', () => {
    assert.deepEqual(Object.keys(document.webhooks), [...eventKinds, 'webhook.test'])
    const { post } = document.webhooks['refund.executed']
    assert.deepEqual(
      post.parameters.map(({ name, in: place, required }: Record<string, unknown>) => [
        name,
        place,
        required,
      ]),
      [
        ['webhook-id', 'header', true],
        ['webhook-timestamp', 'header', true],
        ['webhook-signature', 'header', true],
      ],
    )
    const { schema, example } = post.requestBody.content['application/json']
    assert.equal(schema.$ref, '#/components/schemas/RefundExecutedMessage')
    assert.deepEqual(Object.keys(example), ['type', 'timestamp', 'data'])
    assert.equal(example.type, 'refund.executed')
    assert.equal(example.data.refund.transaction_id, example.data.transaction_id)
    const { data } = document.components.schemas.PaymentFailedMessage.properties
    assert.deepEqual(data, { $ref: '#/components/schemas/TransactionResult' })
  })

  it('gives every operation a unique name', () => {
    const names = JSON.stringify(document).match(/"operationId":"\w+"/g) ?? []
    assert.equal(new Set(names).size, names.length)
  })

  it('is valid according to the OpenAPI schema', async () => {
    // The second document includes the note routes, which have parameters of every kind.
    for (const text of [(await documents['openapi.json']?.()) ?? '', JSON.stringify(document)]) {
      const { valid, errors } = await new Validator().validate(JSON.parse(text))
      assert.deepEqual([valid, errors], [true, undefined])
    }
  })
})

/**
 * Yields each parameter, property and operation with its path and description; a missing description is
 * empty.
 */
function* sentencesOf(part: unknown, place = ''): Iterable<[string, string]> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, child] of Object.entries(part)) {
    const here = `${place} ${name}`
    const isNamed = typeof child === 'object' && child !== null && !('$ref' in child)
    if (place.endsWith(' properties') && !/ enum$| allOf \d+ properties$/.test(place) && isNamed) {
      yield [here, child.description ?? '']
    } else if (/ parameters$/.test(place)) yield [here, child.description ?? '']
    else if (/ (?:paths|webhooks) \S+ \w+$/.test(place) && name === 'description') yield [here, child]
    yield* sentencesOf(child, here)
  }
}
