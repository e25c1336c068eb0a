import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  nullableSchema,
  resourceSchema,
  shownIntegerSchema,
  shownListSchema,
  shownTextSchema,
  shownTimeSchema,
} from '../../kit/api/resource.ts'
import {
  bareResponseDefinition,
  envelopeResponseDefinition,
  nullResultSchema,
  route,
} from '../../kit/api/route.ts'
import {
  integerField,
  keyValuePairsField,
  listField,
  objectSchema,
  optional,
  textField,
} from '../../kit/input/fields.ts'
import type { ApiRoute } from '../../server/api.ts'
import type { RouteSchema } from '../every-route/field.ts'
import { answerFaults, envelopeFaults, parameterFaults, schemaFaults } from './agreement.ts'
import type { ContractEndpoint } from './document.ts'
import { readContract } from './document.ts'

// A small contract with one of each part of the real one. Every test below breaks one thing in it or in our
// schemas.
const words = `# A service

### Common response envelope

| Field | Type | Meaning |
|---|---|---|
| status | boolean | true on success |
| message | string | Text |
| errors | array or object | Empty on success |
| error_code | integer or null | null on success |
| data | object or null | Result |

## Resources and their fields

### Shelf

| Field | Type | Notes |
|---|---|---|
| id | integer | |
| label | string or null | |
| made_at | string | ISO 8601 |
| shown_at | string | Format \`DD.MM.YYYY HH:mm\` |
| books | array of Book item | |

### Book item (on shelves)

| Field | Type |
|---|---|
| title | string (numbers come back as strings) |

## Endpoints

| Method | Path | Purpose | Token |
|---|---|---|---|
| POST | /v1/shelves | Create | access token |
| DEL | /v1/shelves/:shelf_id | Delete | secret-key token |
| GET | /v1/shelves/search?:sources | Search | access token (secret-key or public-key token) |
| GET | /v1/shelf?number=<number> | Look up | secret-key token |
| POST | /v1/shelves/list | List | secret-key token |

### POST /v1/shelves

| Parameter | Type | Required | Rule |
|---|---|---|---|
| label | string | yes | |
| rank | integer | no | |
| notes | JSON object string of key-to-value pairs | no | |
| books | array (JSON string) | no | Items: title (string, required), pages (integer, optional) |

Response: the Shelf resource.

### GET /v1/shelf

- Query parameter \`number\`: integer, required, exactly 4 digits.
- Response: Shelf.

### POST /v1/shelves/list

- Request: no body in the shown form.
- Optional filter: \`number\`, integer. How it is sent: not shown.
- Response: array of Shelf entries.

## Limits

| Limit | Value | Applies to |
|---|---|---|
| Height | 10 minutes | All |
`

const about = 'A thing.'
const Book = resourceSchema('BookItem', about, { title: shownTextSchema(about, 'Ince Memed') })
const Shelf = resourceSchema('Shelf', about, {
  id: shownIntegerSchema(about, 1),
  label: nullableSchema(shownTextSchema(about, 'A')),
  made_at: shownTimeSchema(about),
  shown_at: shownTextSchema(about, '15.11.2026 09:30'),
  books: shownListSchema(about, Book),
})
const right = {
  id: 1,
  label: null,
  made_at: '2026-11-15T09:30:00+03:00',
  shown_at: '15.11.2026 09:30',
  books: [{ title: 'İnce Memed' }],
}
const fields = {
  label: textField(about, { max: 10 }),
  rank: optional(integerField(about, { min: 1, max: 9 })),
  notes: optional(keyValuePairsField(about, { max: 1, maxKey: 1, maxValue: 1 })),
  books: optional(
    listField(
      about,
      objectSchema({
        title: textField(about, { max: 10 }),
        pages: optional(integerField(about, { min: 1, max: 9 })),
      }),
      { max: 2 },
    ),
  ),
}
const creating = (body: ReturnType<typeof objectSchema>): ApiRoute =>
  route({
    method: 'POST',
    url: '/v1/shelves',
    summary: about,
    description: about,
    credential: 'secret',
    body,
    answer: bareResponseDefinition(Shelf),
    handle: () => right,
  })

const contract = readContract(words)
const [create] = contract.endpoints
assert.ok(create?.response)
const response = create.response
const tampered = (from: string, to: string) => {
  assert.ok(words.includes(from))
  return readContract(words.replace(from, to))
}
const inSchema = (schema: object, other = contract) =>
  schemaFaults(other, response, schema as RouteSchema, {})
const inAnswer = (answer: unknown, other = contract) => answerFaults(other, response, answer, {})
const inParameters = (body: ReturnType<typeof objectSchema>, other = contract) =>
  parameterFaults(other.endpoints[0] ?? create, creating(body), {})

describe('reading a contract', () => {
  it('finds endpoints with their methods, addresses, credentials and answers', () => {
    assert.deepEqual(
      contract.endpoints.map(({ method, url, credential }) => `${method} ${url} ${credential}`),
      [
        'POST /v1/shelves secret',
        'DELETE /v1/shelves/:shelf_id secret',
        'GET /v1/shelves/search any',
        'GET /v1/shelf secret',
        'POST /v1/shelves/list secret',
      ],
    )
    assert.deepEqual(response, { form: 'bare', resource: 'Shelf' })
    assert.equal(contract.endpoints[1]?.response, undefined)
    assert.deepEqual([...contract.resources.keys()], ['Shelf', 'Book item'])
    assert.equal(contract.limits.get('Height'), '10 minutes')
  })

  it('understands the sentences about envelopes and lists', () => {
    const answer = (sentence: string) =>
      tampered('Response: the Shelf resource.', sentence).endpoints[0]?.response
    assert.deepEqual(answer('- Response: envelope with `data` = shelf result.'), {
      form: 'envelope',
      resource: 'Shelf result',
    })
    assert.deepEqual(answer('Response: envelope with status true, data null.'), {
      form: 'envelope',
      resource: undefined,
    })
    assert.deepEqual(answer('- Response: array of Shelf entries.'), { form: 'list', resource: 'Shelf entry' })
    assert.deepEqual(answer('- Response: Shelf result.'), { form: 'bare', resource: 'Shelf result' })
  })

  it('throws if a part is missing or unknown', () => {
    assert.throws(() => tampered('## Limits', '## Bounds'), /no section "Limits"/)
    assert.throws(() => tampered('| Method |', '| Verb |'), /lists no endpoints/)
    assert.throws(
      () => tampered('| secret-key token |', '| cookie |'),
      /credential that this test does not know/,
    )
    assert.throws(() => inSchema(Shelf, tampered('### Book item', '### Tome')), /describes no "Book item"/)
  })
})

describe('a schema and its contract', () => {
  it('agree if the schema has every field with its type, and no other', () => {
    assert.deepEqual(inSchema(Shelf), [])
  })

  it('disagree if a field is missing, additional, of another type or nullable by mistake', () => {
    const { label: _label, ...without } = Shelf.properties
    const cases: [object, string][] = [
      [resourceSchema('S', about, without), 'Shelf.label is missing in the schema'],
      [
        resourceSchema('S', about, { ...Shelf.properties, more: shownTextSchema(about, '') }),
        'Shelf.more is one field too many in the schema',
      ],
      [
        resourceSchema('S', about, { ...Shelf.properties, id: shownTextSchema(about, '1') }),
        'Shelf.id is string in the schema, not integer',
      ],
      [
        resourceSchema('S', about, { ...Shelf.properties, id: nullableSchema(shownIntegerSchema(about, 1)) }),
        'Shelf.id is integer or null in the schema, not integer',
      ],
      [
        resourceSchema('S', about, {
          ...Shelf.properties,
          books: shownListSchema(about, resourceSchema('B', about, { name: shownTextSchema(about, '') })),
        }),
        'Book item.title is missing in the schema',
      ],
      [{ ...Shelf, required: ['id'] }, 'Shelf.label is missing in the schema'],
    ]
    for (const [schema, fault] of cases) assert.equal(inSchema(schema)[0], fault)
  })

  it('disagree if a row of the table is changed, added or removed', () => {
    const changed = tampered('| label | string or null |', '| label | string |')
    assert.deepEqual(inSchema(Shelf, changed), ['Shelf.label is string or null in the schema, not string'])
    const renamed = tampered('| made_at | string', '| created_at | string')
    assert.deepEqual(inSchema(Shelf, renamed), [
      'Shelf.created_at is missing in the schema',
      'Shelf.made_at is one field too many in the schema',
    ])
    assert.deepEqual(inSchema(Shelf, tampered('| id | integer | |\n', '')), [
      'Shelf.id is one field too many in the schema',
    ])
  })

  it('require the envelope to have the fields of its table, and data where the contract has a resource', () => {
    const done = envelopeResponseDefinition(nullResultSchema, { tr: 'Tamam.', en: 'Done.' }).schema
    const inEnvelope = (resource: string | undefined, other = contract) =>
      schemaFaults(other, { form: 'envelope', resource }, done, {})
    assert.deepEqual(inEnvelope(undefined), [])
    assert.equal(inEnvelope('Shelf')[0], 'Shelf.id is missing in the schema')
    assert.equal(
      inEnvelope(undefined, tampered('| message | string | Text |\n', ''))[0],
      'the envelope has the fields status,message,errors,error_code,data',
    )
  })
})

describe('an answer and its contract', () => {
  it('agree field by field', () => {
    assert.deepEqual(inAnswer(right), [])
    assert.deepEqual(inAnswer({ ...right, label: 'A', books: [] }), [])
  })

  it('disagree on one field, one type, one null or one format', () => {
    const { id: _id, ...without } = right
    const cases: [unknown, string][] = [
      [without, 'Shelf.id is missing'],
      [{ ...right, more: 1 }, 'Shelf.more is one field too many'],
      [{ ...right, id: '1' }, 'Shelf.id is no integer: "1"'],
      [{ ...right, id: 1.5 }, 'Shelf.id is no integer: 1.5'],
      [{ ...right, made_at: null }, 'Shelf.made_at is no string: null'],
      [
        { ...right, made_at: '2026-11-15T09:30:00Z' },
        'Shelf.made_at is not of the form ISO 8601: 2026-11-15T09:30:00Z',
      ],
      [
        { ...right, made_at: '2026-11-15 09:30' },
        'Shelf.made_at is not of the form ISO 8601: 2026-11-15 09:30',
      ],
      [
        { ...right, shown_at: '2026-11-15' },
        'Shelf.shown_at is not of the form `DD.MM.YYYY HH:mm`: 2026-11-15',
      ],
      [{ ...right, books: {} }, 'Shelf.books is no array of Book item: {}'],
      [{ ...right, books: [{ title: 5 }] }, 'Book item.title is no string (numbers come back as strings): 5'],
      [[right], 'Shelf.id is missing'],
      [null, 'Shelf is no object'],
    ]
    for (const [answer, fault] of cases) assert.equal(inAnswer(answer)[0], fault)
  })

  it('require a success without errors, and a failure with a code and without data', () => {
    const success = { status: true, message: 'Tamam.', errors: [], error_code: null, data: null }
    const failure = { ...success, status: false, error_code: 901, errors: { label: ['Zorunlu.'] } }
    assert.deepEqual([envelopeFaults(contract, success), envelopeFaults(contract, failure)], [[], []])
    const { data: _data, ...without } = success
    for (const broken of [
      without,
      { ...success, more: 1 },
      { ...success, errors: { a: [] } },
      { ...success, error_code: 1 },
      { ...failure, data: {} },
      { ...failure, error_code: null },
      { ...failure, error_code: '901' },
      { ...failure, message: null },
      null,
    ]) {
      assert.notDeepEqual(envelopeFaults(contract, broken), [], JSON.stringify(broken))
    }
  })
})

describe('the parameters of a route and their table', () => {
  it('agree if each parameter exists with its type, and no other', () => {
    assert.deepEqual(inParameters(objectSchema(fields)), [])
  })

  it('disagree if one is missing, additional, of another type or wrongly required or optional', () => {
    const { label, rank: _rank, ...others } = fields
    const pages = objectSchema({
      title: optional(textField(about, { max: 10 })),
      pages: optional(integerField(about, { min: 1, max: 9 })),
    })
    assert.deepEqual(inParameters(objectSchema({ label, ...others })), ['rank is not there'])
    assert.deepEqual(inParameters(objectSchema({ ...fields, more: label })), [
      'more is one parameter too many',
    ])
    assert.deepEqual(inParameters(objectSchema({ ...fields, rank: optional(label) })), [
      'rank is text, not integer',
    ])
    assert.deepEqual(inParameters(objectSchema({ ...fields, label: optional(label) })), ['label is optional'])
    assert.deepEqual(
      inParameters(objectSchema({ ...fields, books: optional(listField(about, pages, { max: 1 })) })),
      ['books.title should be required'],
    )
    assert.deepEqual(
      inParameters(objectSchema(fields), tampered('| rank | integer | no |', '| rank | integer | yes |')),
      ['rank is optional'],
    )
    assert.deepEqual(
      inParameters(objectSchema(fields), tampered('| rank | integer |', '| rank | boolean |')),
      ['rank is integer, not boolean'],
    )
  })

  it('agree on a query if a required parameter has its digits, and a filter is in both query and body', () => {
    const number = integerField(about, { min: 1000, max: 9999 })
    const [, , , lookUp = create, listing = create] = contract.endpoints
    const inParts = (endpoint: ContractEndpoint, parts: Pick<ApiRoute, 'query' | 'body'>) =>
      parameterFaults(endpoint, { ...creating(objectSchema({})), ...parts }, {})
    const part = (fields: Parameters<typeof objectSchema>[0]) => objectSchema(fields)
    const none = { query: undefined, body: undefined }
    assert.deepEqual(inParts(lookUp, { ...none, query: part({ number }) }), [])
    assert.deepEqual(inParts(lookUp, { ...none, body: part({ number }) }), ['number is not there'])
    assert.deepEqual(inParts(lookUp, { ...none, query: part({ number: optional(number) }) }), [
      'number is optional',
    ])
    assert.deepEqual(inParts(lookUp, { ...none, query: part({ number, more: number }) }), [
      'more is one parameter too many',
    ])
    const shorter = integerField(about, { min: 1, max: 9999 })
    assert.deepEqual(inParts(lookUp, { ...none, query: part({ number: shorter }) }), [
      'number has not exactly 4 digits',
    ])
    const both = part({ number: optional(number) })
    assert.deepEqual(inParts(listing, { query: both, body: both }), [])
    assert.deepEqual(inParts(listing, { query: both, body: undefined }), ['number is not there'])
    assert.deepEqual(inParts(listing, { query: part({ number }), body: both }), ['number is a must'])
  })

  it('require an exception where the contract contradicts itself', () => {
    const torn = tampered('| rank | integer | no |', '| rank | integer | perhaps |')
    assert.throws(
      () => inParameters(objectSchema(fields), torn),
      /say in the exceptions whether rank is a must/,
    )
    const decided = { required: { 'POST /v1/shelves rank': false } }
    assert.deepEqual(
      parameterFaults(torn.endpoints[0] ?? create, creating(objectSchema(fields)), decided),
      [],
    )
  })
})
