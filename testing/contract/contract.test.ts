import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ApiRoute } from '../../server/api.ts'
import { apiRoutes } from '../../server/api.ts'
import { routeAnswerFaults } from '../every-route/answers.ts'
import { formPairs, urlWithPair } from '../every-route/encode-input.ts'
import type { RouteSchema } from '../every-route/field.ts'
import { routeName } from '../every-route/field.ts'
import { idInPath, urlWithId } from '../every-route/record-paths.ts'
import {
  makeRecord,
  needsNewBodyEachTime,
  requiredBodyNames,
  requiredQueryNames,
  validBody,
  validUrl,
} from '../every-route/samples.ts'
import { firstShop } from '../every-route/shop.ts'
import type { TestAnswer } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import type { ContractExceptions } from './agreement.ts'
import { answerFaults, envelopeFaults, parameterFaults, schemaFaults } from './agreement.ts'
import type { Contract, ContractEndpoint, ContractResponse } from './document.ts'
import { readContract } from './document.ts'

/** The contract is not part of this repository. The tests are skipped unless it is beside the clone. */
const contractPath = join(import.meta.dirname, '..', '..', '..', 'shared', 'interface.md')
const isThere = existsSync(contractPath)
const options = isThere ? {} : { skip: 'the contract does not lie beside this clone' }

/** Decisions where the contract contradicts itself or names a thing without showing it. */
const exceptions: ContractExceptions = {
  types: {
    // Null until the outcome, then a string.
    'Transaction result.end_at': 'string or null',
  },
  fields: [
    // The contract names it as "not shown".
    'Commission entry.company_pos_credential',
  ],
  required: {
    // The contract shows an accepted request without it.
    'POST /v1/customers country': false,
    // The contract requires one of the two, but an accepted example has neither.
    'POST /v1/payment/3ds products': false,
    'POST /v1/payment/3ds product_ids': false,
    // Listed as required, described as optional.
    'POST /v1/transaction/refund amount': false,
  },
  parameters: [
    // Products return a currency, but the table for creating them lacks it.
    'POST /v1/products currency_code',
  ],
}

/** Answers of endpoints whose shape the contract does not show. */
const notShown: Readonly<Record<string, ContractResponse>> = {
  'POST /v1/customers/:customer_id': { form: 'bare', resource: 'Customer' },
  'GET /v1/customers/:customer_id': { form: 'bare', resource: 'Customer' },
  'GET /v1/customers/search': { form: 'list', resource: 'Customer' },
  'DELETE /v1/customers/:customer_id': { form: 'envelope', resource: undefined },
  'POST /v1/products/:product_id': { form: 'bare', resource: 'Product' },
  'GET /v1/products/:product_id': { form: 'bare', resource: 'Product' },
  'GET /v1/products/search': { form: 'list', resource: 'Product' },
  'DELETE /v1/products/:product_id': { form: 'envelope', resource: undefined },
}

const nothing: Contract = { endpoints: [], resources: new Map(), envelope: [], limits: new Map() }
const contract = isThere ? readContract(readFileSync(contractPath, 'utf8')) : nothing
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const shop = await firstShop(api)

const routeOf = ({ method, url }: ContractEndpoint) =>
  apiRoutes.find((route) => route.method === method && route.url === url)
const delivered = contract.endpoints.flatMap((endpoint) => {
  const route = routeOf(endpoint)
  return route ? [{ endpoint, route, name: routeName(route) }] : []
})

function responseOf({ method, url, response }: ContractEndpoint): ContractResponse {
  const known = response ?? notShown[`${method} ${url}`]
  if (!known)
    throw new Error(`say in contract.test.ts what ${method} ${url} answers: the contract does not show it`)
  return known
}

const target = (route: ApiRoute) => validUrl(shop, route)

function assertAgreed(endpoint: ContractEndpoint, route: ApiRoute, answer: TestAnswer, about: string): void {
  assert.equal(answer.status, 200, `${about}: ${answer.text}`)
  assert.deepEqual(answerFaults(contract, responseOf(endpoint), answer.json, exceptions), [], about)
  assert.deepEqual(routeAnswerFaults(route, answer), [], about)
}

describe('the endpoints', options, () => {
  it('the contract lists the known endpoints, resources and limits', () => {
    assert.ok(contract.endpoints.length >= 17)
    assert.ok(contract.resources.size >= 9)
    assert.equal(contract.envelope.length, 5)
    for (const endpoint of contract.endpoints) {
      const { resource } = endpoint.response ?? {}
      assert.ok(
        resource === undefined || contract.resources.has(resource),
        `${endpoint.url} answers ${resource}`,
      )
    }
  })

  it('every implemented endpoint requires the credential of the contract', (context) => {
    for (const { endpoint, route, name } of delivered)
      assert.equal(route.credential, endpoint.credential, name)
    const missing = contract.endpoints.filter((endpoint) => !routeOf(endpoint))
    if (missing.length > 0) context.diagnostic(`not delivered yet: ${missing.map(routeName).join(', ')}`)
    const beyond = apiRoutes.filter((route) => !delivered.some((each) => each.route === route))
    if (beyond.length > 0) context.diagnostic(`beyond the contract: ${beyond.map(routeName).join(', ')}`)
    assert.ok(delivered.length >= 11)
  })

  it('every address is under /v1', () => {
    for (const { url } of apiRoutes) assert.ok(url.startsWith('/v1/'), url)
  })
})

for (const { endpoint, route, name } of delivered) {
  describe(name, options, () => {
    it('the schema of the answer has the fields of the contract, and no other', () => {
      assert.deepEqual(
        schemaFaults(contract, responseOf(endpoint), route.answer.schema as RouteSchema, exceptions),
        [],
      )
    })

    it('the parameters are those of the contract, with their types', () => {
      assert.deepEqual(parameterFaults(endpoint, route, exceptions), [])
    })

    it('the answer matches the contract, with only required and with all parameters', async () => {
      const all = undefined
      for (const names of route.body ? [requiredBodyNames(route), all] : [all]) {
        const url = await target(route)
        const bodyOf = async () => (route.body ? { json: await validBody(shop, route, names) } : {})
        const body = await bodyOf()
        const answer = await shop.call(route, { url, ...body })
        assertAgreed(endpoint, route, answer, JSON.stringify(body))
        // An empty list would compare nothing.
        if (responseOf(endpoint).form === 'list' && (names !== all || !route.body)) {
          assert.ok(answer.json.length > 0, 'say in testing/every-route/shop.ts what a shop is given')
        }
        if (route.method === 'DELETE') continue
        const again = { url, ...(needsNewBodyEachTime(route) ? await bodyOf() : body) }
        assertAgreed(endpoint, route, await shop.call(route, again), 'a second time')
      }
    })

    it('a form is answered like JSON, in every language', async () => {
      const formOf = async () => String(new URLSearchParams(asTexts(await validBody(shop, route))))
      const first = await formOf()
      for (const language of ['tr', 'en', 'de', 'tr-TR,en;q=0.5']) {
        const request = { url: await target(route), headers: { 'accept-language': language } }
        const form = needsNewBodyEachTime(route) ? await formOf() : first
        const answer = await shop.call(route, route.body ? { ...request, form } : request)
        assertAgreed(endpoint, route, answer, language)
      }
    })

    for (const missing of requiredBodyNames(route)) {
      it(`without ${missing}, only that parameter is reported`, async () => {
        const names = requiredBodyNames(route).filter((each) => each !== missing)
        const json = await validBody(shop, route, names)
        const answer = await shop.call(route, { url: await target(route), json })
        assert.deepEqual([answer.status, answer.json.error_code], [422, 901], missing)
        assert.deepEqual(Object.keys(answer.json.errors), [missing])
        assert.deepEqual(envelopeFaults(contract, answer.json), [])
      })
    }

    for (const missing of requiredQueryNames(route)) {
      it(`without ${missing} in the query, or with a blank one, only that parameter is reported`, async () => {
        const names = requiredQueryNames(route).filter((each) => each !== missing)
        const without = await validUrl(shop, route, { names })
        for (const url of [
          without,
          ...['', '%20'].map((blank) => urlWithPair(without, `${missing}=${blank}`)),
        ]) {
          const answer = await shop.call(
            route,
            route.body ? { url, json: await validBody(shop, route) } : { url },
          )
          assert.deepEqual([answer.status, answer.json.error_code], [422, 901], url)
          assert.deepEqual(Object.keys(answer.json.errors), [missing])
          assert.deepEqual(envelopeFaults(contract, answer.json), [])
        }
      })
    }

    for (const { name: filter } of endpoint.parameters.filter(
      ({ location: place }) => place === 'anywhere',
    )) {
      it(`${filter} has the same effect in the query, in JSON and in a form`, async () => {
        const url = await validUrl(shop, route, { names: requiredQueryNames(route) })
        const inQuery = await validUrl(shop, route, { names: [...requiredQueryNames(route), filter] })
        const json = await validBody(shop, route, [...requiredBodyNames(route), filter])
        const little = await validBody(shop, route, requiredBodyNames(route))
        const sent = [
          { url: inQuery, json: little },
          { url, json },
          { url, form: formPairs(json).join('&') },
        ]
        const answers = await Promise.all(sent.map((request) => shop.call(route, request)))
        for (const answer of answers) assertAgreed(endpoint, route, answer, filter)
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      })
    }

    for (const { name: needed, rule } of endpoint.parameters) {
      const [, other] = /Becomes required when (\w+) is given/.exec(rule) ?? []
      if (other === undefined) continue
      it(`${needed} is required if ${other} is given`, async () => {
        const json = await validBody(shop, route, [...requiredBodyNames(route), other])
        const answer = await shop.call(route, { url: await target(route), json })
        assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, [needed]])
      })
    }

    it('a public-key token is accepted only where the contract allows it', async () => {
      if (route.credential === 'key') return
      const token = await api.token(api.publicKey)
      const answer = await api.call({ method: route.method, url: await target(route), token })
      assert.equal(answer.status === 403 && answer.json.error_code === 912, endpoint.credential === 'secret')
    })

    it('failures have the envelope of the contract', async () => {
      const url = await target(route)
      const failures = [
        await api.call({ method: route.method, url }),
        await api.call({ method: route.method, url, token: 'nonsense' }),
        await api.call({ method: 'PUT', url }),
        await shop.call(route, { url: urlWithPair(url, 'broken=%FF') }),
      ]
      assert.deepEqual(
        failures.map(({ status }) => status),
        [401, 401, 405, 400],
      )
      for (const answer of failures) assert.deepEqual(envelopeFaults(contract, answer.json), [], answer.text)
    })
  })
}

describe('records after changes', options, () => {
  for (const { endpoint, route, name } of delivered.filter((each) => each.route.method === 'GET')) {
    const { collection } = idInPath(route) ?? { collection: route.url.replace(/\/search$/, '') }
    const change = apiRoutes.find(
      (each) => each.method === 'POST' && new RegExp(`^${collection}/:\\w+$`).test(each.url),
    )
    if (!change) continue
    it(`${name} matches the contract after a change that clears every optional field`, async () => {
      const owner = await firstShop(api)
      const id = await makeRecord(owner, idInPath(change)?.parameter ?? '')
      api.clock.advance(61_000)
      await api.merchantCache.refresh()
      const json = Object.fromEntries(clearable(change).map((field) => [field, '']))
      const changed = await owner.call(change, { url: urlWithId(owner, change, id), json })
      assertAgreed(answeringOne(endpoint), change, changed, 'the change')
      const url = idInPath(route) ? urlWithId(owner, route, id) : `${route.url}?per_page=1`
      const answer = await owner.call(route, { url })
      assertAgreed(endpoint, route, answer, 'after the change')
      const record = [answer.json].flat()[0]
      assert.deepEqual(record, changed.json)
      assert.notEqual(record.updated_at, record.created_at)
    })
  }
})

function clearable({ body }: ApiRoute): string[] {
  const fields = Object.entries((body as RouteSchema | undefined)?.properties ?? {})
  return fields.filter(([, schema]) => [schema.type].flat().includes('null')).map(([name]) => name)
}

/** A change returns one record, even if the endpoint returns a list. */
function answeringOne(endpoint: ContractEndpoint): ContractEndpoint {
  return { ...endpoint, response: { ...responseOf(endpoint), form: 'bare' } }
}

describe('the limits', options, () => {
  it('an access token expires exactly after the lifetime in the contract', async () => {
    const [, minutes = ''] = /^(\d+) minutes$/.exec(contract.limits.get('Access token lifetime') ?? '') ?? []
    const lifetimeMs = Number(minutes) * 60_000
    assert.ok(lifetimeMs > 0)
    const made = await api.call({ method: 'POST', url: '/v1/token/get-token', token: api.secretKey })
    assert.equal(Date.parse(made.json.data.expires_at) - api.clock.now().getTime(), lifetimeMs)
    const token = made.json.data.access_token
    const read = () => api.call({ url: '/v1/customers/search', token })
    api.clock.advance(lifetimeMs - 1)
    assert.equal((await read()).status, 200)
    api.clock.advance(1)
    const { status, json } = await read()
    assert.deepEqual([status, json.error_code], [401, 911])
  })

  it('amounts are whole numbers in the minor unit', async () => {
    const late = await firstShop(api)
    assert.equal(contract.limits.get('Amount unit'), 'minor unit integer')
    for (const { route } of delivered) {
      for (const name of ['price', 'amount']) {
        if (!((route.body ?? {}) as RouteSchema).properties?.[name]) continue
        const json = { ...(await validBody(late, route)), [name]: 10.5 }
        const url = await validUrl(late, route)
        assert.deepEqual(Object.keys((await late.call(route, { url, json })).json.errors), [name])
      }
    }
  })

  it('a BIN has the number of digits in the contract', async () => {
    const late = await firstShop(api)
    const [, digits = ''] = /^(\d+) digits$/.exec(contract.limits.get('BIN length') ?? '') ?? []
    for (const { route } of delivered.filter(({ endpoint }) => endpoint.url === '/v1/bin-lookup')) {
      for (const length of [Number(digits) - 1, Number(digits) + 1]) {
        const answer = await late.call(route, { url: `${route.url}?bin_number=${'4'.repeat(length)}` })
        assert.deepEqual([answer.status, Object.keys(answer.json.errors)], [422, ['bin_number']])
      }
    }
  })
})

function asTexts(body: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
}
