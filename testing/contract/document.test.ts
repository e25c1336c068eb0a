import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { contract } from './contract.ts'
import type { Contract } from './contract-schema.ts'
import type { ContractDifference } from './document.ts'
import { documentFaults, readContract } from './document.ts'

/** A small document with each kind of table and sentence. Its envelope is the real one. */
const words = `# A library

Prices have the minor unit: the last two digits are the fractional part.
Identifiers of shelves are integers (about 4 digits).

### Common request conventions

| Item | Rule |
|---|---|
| Authorization header | \`Authorization: Bearer <TOKEN>\` |
| Accept-Language header | \`tr\` |
| Content-Type for POST writes | \`text/a\` for shelves, \`text/b\` for books |
| Arrays in form bodies | Such as \`books[0]\` |
| Arrays of objects given as one field | \`books\` |

### Common response envelope

| Field | Type | Meaning |
|---|---|---|
| status | boolean | true on success, false on failure |
| message | string | Text |
| errors | array or object | Empty array on success; names if a parameter is wrong |
| error_code | integer or null | null on success; integer on failure |
| data | object or null | Result; null on failure |

## Resources and their fields

### Shelf

| Field | Type | Notes |
|---|---|---|
| id | integer | |
| label | string or null | |
| price | integer | Minor unit |
| made_at | string | ISO 8601 |
| state | integer | Observed 1 |
| state_text | string | Observed \`open\` for 1 |
| kind | string | Observed \`oak\` and \`pine\` |
| books | array of Book item | |
| owner_name | object | first (string), born_at |

### Book item (on shelves)

| Field | Type |
|---|---|
| title | string (numbers come back as strings) |
| sold_at | string, ISO 8601 |

## Endpoints

| Method | Path | Purpose | Token |
|---|---|---|---|
| POST | /v1/token | Token | key in a header |
| POST | /v1/shelves | Create | access token |
| DEL | /v1/shelves/:id | Delete | secret-key token |
| GET | /v1/shelves/:id | Read | access token |
| GET | /v1/shelf?number=<number> | Look up | access token (secret-key or public-key token) |
| POST | /v1/list | List | secret-key token |

### POST /v1/token

- Response: envelope with \`data\` = token result.

### POST /v1/shelves

| Parameter | Type | Required | Rule |
|---|---|---|---|
| label | string | yes | |
| rank | integer | perhaps | |
| room | string | no | Becomes required when rank is given |
| notes | JSON object string of key-to-value pairs | no | |
| books | array (JSON string) | no | Items: title (string, required), price (integer, minor unit, optional) |
| tags | array | no | Items with \`key\` and \`value\` |

Response: the Shelf resource.

### DELETE /v1/shelves/:id

- Path parameter: id, integer, of a shelf.

Response: envelope with status true, data null.

### GET /v1/shelf

- Query parameter \`number\`: integer, required, exactly 8 digits.
- Response: Shelf.

### POST /v1/list

- Optional filter: \`number\`, integer.
- Response: array of Book entries.

## Errors

| error_code | Meaning |
|---|---|
| 7 | Broken |

## Limits

| Limit | Value |
|---|---|
| Access token lifetime | 10 minutes |
| BIN length | 8 digits |
| Amount unit | minor unit |

## Versioning

All endpoints are under \`/v1\`.
`

/** The facts of the document. */
const library: Contract = {
  requests: {
    prefix: '/v1',
    authorization: 'Authorization: Bearer <TOKEN>',
    languages: 'tr',
    contentTypes: 'text/a, text/b',
    formNames: 'books[0]',
    jsonTexts: 'books',
  },
  envelope: contract.envelope,
  resources: {
    Shelf: {
      id: 'id',
      label: 'string or null',
      price: 'amount',
      made_at: 'time',
      state: 'integer',
      state_text: 'text of state',
      kind: 'oak | pine',
      books: 'array of Book item',
      owner_name: 'Owner name',
    },
    'Book item': { title: 'string', sold_at: 'time' },
    'Owner name': { first: 'string', born_at: 'time' },
  },
  endpoints: {
    'POST /v1/token': { credential: 'key', answer: 'envelope of Token result' },
    'POST /v1/shelves': {
      credential: 'secret',
      body: {
        label: 'string, required',
        rank: 'integer, unclear',
        room: 'string, required with rank',
        notes: 'pairs',
        books: 'array of items',
        tags: 'array of items',
      },
      items: {
        books: { title: 'string, required', price: 'amount' },
        tags: { key: 'not shown, required', value: 'not shown, required' },
      },
      answer: 'Shelf',
    },
    'DELETE /v1/shelves/:id': {
      credential: 'secret',
      path: { id: 'id, required' },
      answer: 'envelope of null',
    },
    'GET /v1/shelves/:id': { credential: 'secret', path: { id: 'id, required' } },
    'GET /v1/shelf': { credential: 'any', query: { number: 'BIN, required' }, answer: 'Shelf' },
    'POST /v1/list': { credential: 'secret', anywhere: { number: 'integer' }, answer: 'array of Book entry' },
  },
  statuses: { state: { 1: 'open' } },
  codes: { 7: 'not shown' },
  limits: { accessTokenMinutes: 10, binDigits: 8, amountUnit: 'minor unit', idDigits: 4, fractionDigits: 2 },
}

/** The small document with one change. */
function tampered(from: string, to: string): Contract {
  assert.ok(words.includes(from), from)
  return readContract(words.replace(from, to))
}

describe('reading a document', () => {
  it('finds every fact of its tables and sentences', () => {
    assert.deepEqual(documentFaults(library, readContract(words), []), [])
  })

  it('throws if a credential is unknown', () => {
    assert.throws(() => tampered('| secret-key token |', '| cookie |'), /unknown credential: cookie/)
  })

  it('throws if a table is left, apart from those of states', () => {
    const table =
      '\n\n| Parameter | Type | Required | Rule |\n|---|---|---|---|\n| depth | integer | yes | |\n'
    const shelf = 'Response: the Shelf resource.'
    assert.throws(() => tampered(shelf, `${shelf}${table}`), /unread tables: POST \/v1\/shelves$/)
    assert.throws(() => tampered('# A library', `# A library${table}`), /unread tables/)
    assert.throws(() => tampered('## Errors', `### POST /v1/rooms${table}\n## Errors`), /POST \/v1\/rooms$/)
    assert.throws(() => tampered('| error_code | Meaning', '| code | Meaning'), /unread tables: Errors$/)
    assert.doesNotThrow(() => tampered('## Errors', `## States and transitions${table}\n## Errors`))
  })
})

describe('a contract and a document', () => {
  it('disagree if a row or a sentence is changed, added or removed', () => {
    const cases: [from: string, to: string, ...facts: string[]][] = [
      ['| label | string or null |', '| label | string |', 'resources Shelf label'],
      [
        '| label | string or null |',
        '| name | string or null |',
        'resources Shelf label',
        'resources Shelf name',
      ],
      ['| id | integer | |\n', '', 'resources Shelf id'],
      ['ISO 8601', 'a time', 'resources Shelf made_at'],
      ['for 1', 'for 2', 'statuses state 1', 'statuses state 2'],
      ['first (string)', 'first (integer)', 'resources Owner name first'],
      ['| label | string | yes |', '| label | string | no |', 'endpoints POST /v1/shelves body label'],
      [
        'title (string, required)',
        'title (string, optional)',
        'endpoints POST /v1/shelves items books title',
      ],
      ['exactly 8 digits', 'exactly 6 digits', 'endpoints GET /v1/shelf query number'],
      ['| List | secret-key token |', '| List | key |', 'endpoints POST /v1/list credential'],
      ['Response: the Shelf resource', 'Response: the Book resource', 'endpoints POST /v1/shelves answer'],
      [
        '| GET | /v1/shelves/:id | Read | access token |\n',
        '',
        'endpoints GET /v1/shelves/:id credential',
        'endpoints GET /v1/shelves/:id path id',
      ],
      ['Empty array on success', 'Text on success', 'envelope success errors'],
      ['| 7 | Broken |', '| 7 | Broken |\n| 8 | Lost |', 'codes 8'],
      ['| 10 minutes |', '| 20 minutes |', 'limits accessTokenMinutes'],
      ['| BIN length |', '| Height | 3 metres |\n| BIN length |', 'limits Height'],
      ['about 4 digits', 'about 5 digits', 'limits idDigits'],
      ['last two digits', 'last three digits', 'limits fractionDigits'],
      ['under `/v1`', 'under `/v2`', 'requests prefix'],
    ]
    for (const [from, to, ...facts] of cases) {
      const faults = documentFaults(library, tampered(from, to), [])
      assert.deepEqual(faults.map((fault) => fault.replace(/: .*/, '')).toSorted(), facts)
    }
    assert.deepEqual(documentFaults(library, tampered('| kind | string |', '| kind | integer |'), []), [
      'resources Shelf kind: ours is "oak | pine", the document has "integer"',
    ])
  })

  it('agree if each difference is listed', () => {
    const document = tampered('| label | string or null |', '| label | string |')
    const instead = { 'resources Shelf label': { theirs: 'string', ours: 'string or null' } }
    assert.deepEqual(documentFaults(library, document, [{ reason: '', instead }]), [])
    const silent = {
      'resources Book item': 'sold_at time; title string',
      'endpoints POST /v1/list answer': 'array of Book entry',
    }
    const short = readContract(
      words.replace(/### Book item.*?(?=## End)/s, '').replace('- Response: array', ''),
    )
    assert.deepEqual(documentFaults(library, short, [{ reason: '', silent }]), [])
  })

  it('disagree if a listed difference does not exist, is another one, or is listed twice', () => {
    const document = tampered('| label | string or null |', '| label | string |')
    const label = 'resources Shelf label'
    const both = { theirs: 'string', ours: 'string or null' }
    const listed = { reason: '', instead: { [label]: both } }
    const cases: [ContractDifference[], string[]][] = [
      [
        [listed, { reason: '', instead: { 'resources Shelf id': { theirs: 'id', ours: 'id' } } }],
        ['resources Shelf id: no difference, or listed twice'],
      ],
      [
        [{ reason: '', instead: { [label]: { ...both, theirs: 'integer' } } }],
        [`${label}: the document has "string", listed is "integer"`],
      ],
      [
        [{ reason: '', instead: { [label]: { ...both, ours: 'integer' } } }],
        [`${label}: ours is "string or null", listed is "integer"`],
      ],
      [[listed, listed], [`${label}: no difference, or listed twice`]],
      [
        [listed, { reason: '', silent: { codes: '8 404' } }],
        ['codes: the document leaves out "", listed is "8 404"'],
      ],
    ]
    for (const [differences, faults] of cases)
      assert.deepEqual(documentFaults(library, document, differences), faults)
  })
})
