import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { apiRoutes } from '../../server/api.ts'
import { schemaMismatches } from '../every-route/answers.ts'
import { withValueAt } from '../every-route/encode-input.ts'
import { routeName } from '../every-route/field.ts'
import type { DescribedApi } from './agreement.ts'
import { describeOperation, describeRoute, endpointFaults } from './agreement.ts'
import { contract } from './contract.ts'
import type { Contract, ContractFields } from './contract-schema.ts'
import { answerSchema, failureSchema } from './contract-schema.ts'

const openApiPath = join(import.meta.dirname, '..', '..', 'openapi.json')
const openApi: DescribedApi = JSON.parse(readFileSync(openApiPath, 'utf8'))

/** A copy with another value at this path. */
const changed = <Whole>(whole: Whole, path: readonly string[], value: unknown) =>
  withValueAt(whole, path, value) as Whole

function routeOf(name: string) {
  const route = apiRoutes.find((each) => routeName(each) === name)
  assert.ok(route, name)
  return route
}

const names = Object.keys(contract.endpoints)
const described = {
  'a route': new Map(names.map((name) => [name, describeRoute(routeOf(name))])),
  'openapi.json': new Map(names.map((name) => [name, describeOperation(openApi, name)])),
}

const createCustomer = 'POST /v1/customers'
const createProduct = 'POST /v1/products'
const startPayment = 'POST /v1/payment/3ds'
const lookUpBin = 'GET /v1/bin-lookup'
const readCustomer = 'GET /v1/customers/:customer_id'
const readProduct = 'GET /v1/products/:product_id'
const readTransaction = 'GET /v1/transaction/:transaction_id'
const searchCustomers = 'GET /v1/customers/search'
const deleteCustomer = 'DELETE /v1/customers/:customer_id'

const json = 'bodies application/json'
const form = 'bodies application/x-www-form-urlencoded'
const event = 'answer items properties timeline items properties type'

/** Changes of a description, by the path of the changed part, and the fault that each causes. */
const changes: [name: string, path: string, value: unknown, fault: string][] = [
  [createCustomer, 'credential', 'any', 'the credential is any'],
  [createCustomer, 'bodies', {}, 'the bodies are '],
  [createCustomer, 'isBodyRequired', false, 'the body is optional'],
  [createCustomer, `${json} properties city`, undefined, 'body.city is missing'],
  [createCustomer, `${form} properties city`, undefined, 'body.city is missing'],
  [createCustomer, `${json} properties more`, {}, 'body.more is one too many'],
  [createCustomer, `${json} properties city type`, 'null', 'body.city is null, not string'],
  [createCustomer, `${json} properties city enum`, ['Van'], 'body.city is one of Van, not of undefined'],
  [createProduct, `${json} required`, ['price'], 'body.product_name is optional'],
  [startPayment, `${json} required`, ['amount', 'currency', 'products'], 'body.products is required'],
  [
    startPayment,
    `${json} properties products items required`,
    ['price'],
    'body.products[].product_name is optional',
  ],
  [
    startPayment,
    `${json} properties product_ids items type`,
    'null',
    'body.product_ids[] is null, not integer',
  ],
  [
    lookUpBin,
    'query properties bin_number maximum',
    9,
    'query.bin_number is from 10000000 to 9, not 10000000 to 99999999',
  ],
  [lookUpBin, 'query required', [], 'query.bin_number is optional'],
  [readCustomer, 'path properties', {}, 'path.customer_id is missing'],
  [readCustomer, 'answer properties id', undefined, 'answer.id is missing'],
  [readCustomer, 'answer properties more', {}, 'answer.more is one too many'],
  [
    readCustomer,
    'answer properties id type',
    ['integer', 'null'],
    'answer.id is integer or null, not integer',
  ],
  [
    readCustomer,
    'answer properties created_at format',
    'date',
    'answer.created_at has the format date, not date-time',
  ],
  [
    searchCustomers,
    `${event} enum`,
    ['made'],
    'answer[].timeline[].type is one of made, not of created,updated',
  ],
  [searchCustomers, 'answer type', 'object', 'answer is object, not array'],
  [deleteCustomer, 'answer properties data type', 'object', 'answer.data is object, not null'],
  [deleteCustomer, 'answer properties message', undefined, 'answer.message is missing'],
  ['POST /v1/token/get-token', 'failures', [{ status: 400, code: 901 }], 'there is no 901 with status 400'],
]

for (const [source, descriptions] of Object.entries(described)) {
  describe(`${source} and the contract`, () => {
    const faultsOf = (name: string, other: Contract = contract) =>
      endpointFaults(other, name, descriptions.get(name))

    it('disagree on a missing endpoint, and on each part of an endpoint', () => {
      assert.deepEqual(endpointFaults(contract, 'GET /v1/nothing', undefined), ['GET /v1/nothing is missing'])
      for (const [name, path, value, fault] of changes) {
        const description = changed(descriptions.get(name), path.split(' '), value)
        assert.deepEqual(endpointFaults(contract, name, description), [fault])
      }
    })

    it('disagree if any field of a resource or of the envelope is removed, added or of another type', () => {
      const resources = Object.keys(contract.resources).map((resource) => ['resources', resource])
      for (const path of [...resources, ['envelope', 'success']]) {
        const name = names.find((each) => faultsOf(each, changed(contract, path, {})).length > 0)
        assert.ok(name, `no endpoint answers with ${path}`)
        for (const [about, fields] of otherFields(path)) {
          // The data in the envelope are those of the endpoint, whatever the envelope says of them.
          const isFree = path[1] === 'success' && about.startsWith('data as')
          assert.equal(
            faultsOf(name, changed(contract, path, fields)).length === 0,
            isFree,
            `${path} ${about}`,
          )
        }
      }
    })

    it('disagree if any parameter is removed, added, of another type, or required by mistake', () => {
      for (const [name, { items = {}, ...endpoint }] of Object.entries(contract.endpoints)) {
        const parts = (['path', 'query', 'body', 'anywhere'] as const).filter((part) => endpoint[part])
        const lists = Object.keys(items).map((list) => ['items', list])
        for (const part of [...parts.map((each) => [each]), ...lists]) {
          for (const [about, fields] of otherFields(['endpoints', name, ...part])) {
            const other = changed(contract, ['endpoints', name, ...part], fields)
            assert.notDeepEqual(faultsOf(name, other), [], `${name} ${part} ${about}`)
          }
        }
      }
    })

    it('disagree if the credential, the answer, a status, a code or the content types are others', () => {
      for (const [name, { credential, answer }] of Object.entries(contract.endpoints)) {
        const others: [string, string][] = [
          ['credential', credential === 'any' ? 'secret' : 'any'],
          ['answer', answer === 'Customer' ? 'Product' : 'Customer'],
        ]
        for (const [part, value] of others)
          assert.notDeepEqual(faultsOf(name, changed(contract, ['endpoints', name, part], value)), [], name)
      }
      const whole: [string[], unknown][] = [
        [['statuses', 'payment_status', '1'], 'paid'],
        [['codes', '901'], '400'],
        [['requests', 'contentTypes'], 'application/json'],
      ]
      for (const [path, value] of whole)
        assert.ok(
          names.some((name) => faultsOf(name, changed(contract, path, value)).length > 0),
          `${path}`,
        )
    })
  })
}

/** Copies of some fields of the contract, each with one change. */
function* otherFields(path: string[]): Iterable<[about: string, fields: ContractFields]> {
  const fields = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], contract)
  const all = fields as ContractFields
  for (const [name, type] of Object.entries(all)) {
    const { [name]: _own, ...others } = all
    const [word = '', need] = type.split(/, (required)$/)
    const another = `${/^(boolean|true)/.test(word) ? 'integer' : 'boolean'}${need ? ', required' : ''}`
    yield [`without ${name}`, others]
    yield [`${name} as ${another}`, { ...all, [name]: another }]
    if (path[0] !== 'endpoints') continue
    const opposite = need ? word : `${word.replace(/,.*/, '')}, required`
    yield [`${name} as ${opposite}`, { ...all, [name]: opposite }]
  }
  yield ['with one more', { ...all, more: 'string' }]
}

describe('openapi.json alone', () => {
  const faultsIn = (name: string, path: string[], value: unknown) =>
    endpointFaults(contract, name, describeOperation(changed(openApi, path, value), name))
  const create = ['paths', '/v1/customers', 'post']

  it('disagrees with another credential, an optional body, or a parameter in another place', () => {
    const fault = (path: string[], value: unknown) =>
      faultsIn('POST /v1/customers', [...create, ...path], value)
    assert.deepEqual(fault(['security'], [{ key: [] }]), ['the credential is key'])
    assert.deepEqual(fault(['security'], []), ['the credential is []'])
    assert.deepEqual(fault(['requestBody', 'required'], false), ['the body is optional'])
    assert.deepEqual(faultsIn('POST /v1/customers', ['paths', '/v1/customers'], {}), [
      'POST /v1/customers is missing',
    ])
    const { parameters } = openApi.paths['/v1/bin-lookup']?.['get'] ?? { parameters: [] }
    const moved = parameters.map((each) => ({ ...each, in: 'header' }))
    assert.deepEqual(
      faultsIn('GET /v1/bin-lookup', ['paths', '/v1/bin-lookup', 'get', 'parameters'], moved),
      ['query.bin_number is missing'],
    )
  })

  it('disagrees with a named schema that is missing or other, and with an example', () => {
    const schemas = ['components', 'schemas']
    const fault = (path: string[], value: unknown) => faultsIn('POST /v1/customers', path, value)[0]
    assert.equal(fault([...schemas, 'Customer'], undefined), 'answer is , not object')
    assert.equal(
      fault([...schemas, 'MetadataItem', 'properties', 'key', 'type'], 'null'),
      'answer.metadata[].key is null, not string',
    )
    assert.equal(
      fault([...schemas, 'Failure', 'properties', 'data', 'type'], 'object'),
      'failure.data is object, not null',
    )
    assert.equal(fault([...create, 'responses', '422', 'content'], {}), 'there is no NaN with status 422')
    const example = [...create, 'responses', '200', 'content', 'application/json', 'example']
    assert.equal(fault([...example, 'country'], 'tr'), 'example.country has another form: tr')
  })
})

describe('an answer and the contract', () => {
  const exampleOf = (name: string) => described['openapi.json'].get(name)?.example
  const faultsOf = (name: string, path: string, value: unknown) =>
    schemaMismatches(
      answerSchema(contract, contract.endpoints[name]?.answer),
      changed(exampleOf(name), path.split(' '), value),
    )

  it('disagree on a field, a type, a null or a form', () => {
    const cases: [name: string, path: string, value: unknown, fault: string][] = [
      [readCustomer, 'more', 1, '$.more is one field too many'],
      [readCustomer, 'name', null, '$.name is no string'],
      [readCustomer, 'id', '1', '$.id is no integer'],
      [readCustomer, 'id', 10.5, '$.id is no integer'],
      [readCustomer, 'id', 42, '$.id has another form: 42'],
      [readCustomer, 'created_at', '2026-11-15T09:30:00Z', '$.created_at is no time'],
      [readCustomer, 'created_at', '2026-11-15 09:30', '$.created_at is no time'],
      [readCustomer, 'formatted_created_at', '2026-11', '$.formatted_created_at has another form: 2026-11'],
      [readCustomer, 'phone', '05321234567', '$.phone has another form: 05321234567'],
      [readCustomer, 'phone_code', '90', '$.phone_code has another form: 90'],
      [readCustomer, 'country', 'tr', '$.country has another form: tr'],
      [readCustomer, 'metadata', {}, '$.metadata is no array'],
      [readCustomer, 'metadata 0 value', 5, '$.metadata[0].value is no string'],
      [readCustomer, 'timeline 0 type', 'made', '$.timeline[0].type is none of its values'],
      [readProduct, 'formatted_price', '189.90', '$.formatted_price has another form: 189.90'],
      [readProduct, 'currency_code', 'TL', '$.currency_code has another form: TL'],
      [readTransaction, 'formatted_amount', '189,90', '$.formatted_amount has another form: 189,90'],
      [deleteCustomer, 'data', {}, '$.data is no null'],
      [deleteCustomer, 'errors', ['x'], '$.errors has more than 0 items'],
      [deleteCustomer, 'error_code', 901, '$.error_code is no null'],
      [deleteCustomer, 'status', false, '$.status is not true'],
    ]
    for (const [name, path, value, fault] of cases) assert.deepEqual(faultsOf(name, path, value), [fault])
    for (const [answer, fault] of [
      ['Customer', '$ is no object'],
      ['array of Customer', '$ is no array'],
    ])
      assert.deepEqual(schemaMismatches(answerSchema(contract, answer), null), [fault])
    const { name: _name, ...without } = exampleOf(readCustomer) as { name: string }
    assert.deepEqual(schemaMismatches(answerSchema(contract, 'Customer'), without), ['$.name is missing'])
  })

  it('require a failure to have a code and no data', () => {
    const failure = {
      status: false,
      message: 'Hata.',
      errors: { name: ['Zorunlu.'] },
      error_code: 901,
      data: null,
    }
    assert.deepEqual(schemaMismatches(failureSchema(contract), failure), [])
    for (const part of [
      { status: true },
      { message: null },
      { errors: null },
      { error_code: null },
      { data: {} },
    ])
      assert.equal(schemaMismatches(failureSchema(contract), { ...failure, ...part }).length, 1)
  })

  it('cannot be compared if the contract does not explain a word', () => {
    assert.throws(() => answerSchema(contract, 'Shelf'), /does not explain "Shelf"/)
    assert.throws(() => answerSchema(contract), /does not explain ""/)
  })
})
