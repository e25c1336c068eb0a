import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { apiRoutes, refusalsOf } from '../server/api.ts'
import { openApiDocument } from '../server/kit/openapi.ts'
import { noteRoutes } from '../server/testing/notes.ts'
import { allRefusals, documents, staleDocuments } from './documents.ts'

it('openapi.json and docs/errors.md are what the routes say; npm run format writes them', () => {
  assert.deepEqual(staleDocuments(), [])
})

describe('refusals', () => {
  it('one code with one status is one refusal, said in both languages', () => {
    const names = allRefusals().map(({ code, status }) => `${code}/${status}`)
    assert.equal(new Set(names).size, names.length)
    for (const { tr, en, when } of allRefusals()) {
      for (const text of [tr, en, when]) assert.match(text, /[.:]$/)
      assert.notEqual(tr, en)
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
  })

  it('describes a route with its parameters, its body in both forms, and every refusal with its code', () => {
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

  it('says of every field of the API what it is, in a sentence', () => {
    const served = JSON.parse(documents['openapi.json']?.() ?? '')
    for (const [path, operations] of Object.entries(served.paths)) {
      for (const operation of Object.values(operations as object)) {
        const { schema } = operation.responses['200'].content['application/json']
        walk(schema, path)
      }
    }
  })
})

function walk(schema: { properties?: object; description?: string }, path: string): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    if (field.properties) walk(field, `${path} ${name}`)
    else assert.match(field.description ?? '', /\.$/, `${path} ${name}`)
  }
}
