import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { ApiRoute } from '../../server/api.ts'
import { allRefusals, apiRoutes } from '../../server/api.ts'
import { paymentStates } from '../../server/payments/records/states.ts'
import { routeAnswerFaults, schemaMismatches } from '../every-route/answers.ts'
import { formPairs, urlWithPair } from '../every-route/encode-input.ts'
import { routeName } from '../every-route/field.ts'
import { idInPath, urlWithId } from '../every-route/record-paths.ts'
import { makeRecord, needsNewBodyEachTime, validBody, validUrl } from '../every-route/samples.ts'
import { firstShop } from '../every-route/shop.ts'
import type { TestAnswer } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { seedPayment } from '../seed/payment.ts'
import type { DescribedApi } from './agreement.ts'
import { describeOperation, describeRoute, endpointFaults } from './agreement.ts'
import { contract } from './contract.ts'
import type { Contract, ContractFields } from './contract-schema.ts'
import { answerSchema, failureSchema, requiredNames } from './contract-schema.ts'

const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' } })
const shop = await firstShop(api)
const openApiPath = join(import.meta.dirname, '..', '..', 'openapi.json')
const openApi: DescribedApi = JSON.parse(readFileSync(openApiPath, 'utf8'))

const endpoints = Object.entries(contract.endpoints).map(([name, endpoint]) => {
  const route = apiRoutes.find((each) => routeName(each) === name)
  if (!route) throw new Error(`no route is ${name} of the contract`)
  return { name, endpoint, route }
})

const target = (route: ApiRoute) => validUrl(shop, route)

/** Asserts that an answer is the one of the contract and of the route. */
function assertAgreed(
  expected: string | undefined,
  route: ApiRoute,
  answer: TestAnswer,
  about: string,
): void {
  assert.equal(answer.status, 200, `${about}: ${answer.text}`)
  assert.deepEqual(schemaMismatches(answerSchema(contract, expected), answer.json), [], about)
  assert.deepEqual(routeAnswerFaults(route, answer), [], about)
}

function assertFailed(
  { status, json }: TestAnswer,
  expected: number,
  code: number,
  names: string[] = [],
): void {
  assert.deepEqual(schemaMismatches(failureSchema(contract), json), [])
  assert.deepEqual([status, json.error_code, Object.keys(json.errors)], [expected, code, names])
  assert.ok(contract.codes[code]?.split(', ').includes(String(status)))
}

describe('the whole API', () => {
  it('every address begins with the version', () => {
    const addresses = [...apiRoutes.map(({ url }) => url), ...Object.keys(openApi.paths)]
    for (const url of addresses) assert.ok(url.startsWith(`${contract.requests.prefix}/`), url)
  })

  it('the error codes and their HTTP statuses are those of the contract', () => {
    const codes = Object.entries(contract.codes).flatMap(([code, statuses]) =>
      statuses.split(', ').map((status) => `${code} ${status}`),
    )
    assert.deepEqual(
      allRefusals().map(({ code, status }) => `${code} ${status}`),
      codes,
    )
    const failures = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap(
        (method) => describeOperation(openApi, `${method} ${path}`)?.failures ?? [],
      ),
    )
    const shown = new Set(failures.map(({ code, status }) => `${code} ${status}`))
    // No endpoint answers with 921, which means that there is no endpoint.
    assert.deepEqual([...shown].toSorted(), codes.filter((each) => !each.startsWith('921')).toSorted())
  })

  it('openapi.json has the headers of the contract', () => {
    const [scheme] = /(?<=^Authorization: )\w+/.exec(contract.requests.authorization) ?? []
    for (const { type, scheme: own } of Object.values(openApi.components.securitySchemes))
      assert.deepEqual([type, own], ['http', scheme?.toLowerCase()])
    for (const { parameters } of Object.values(openApi.paths).flatMap((methods) => Object.values(methods)))
      assert.ok(parameters.some((each) => each.in === 'header' && each.name === 'Accept-Language'))
  })
})

for (const { name, endpoint, route } of endpoints) {
  describe(name, () => {
    it('the route has the credential, the parameters, the answer and the failures of the contract', () => {
      assert.deepEqual(endpointFaults(contract, name, describeRoute(route)), [])
    })

    it('openapi.json describes the same', () => {
      assert.deepEqual(endpointFaults(contract, name, describeOperation(openApi, name)), [])
    })

    it('the answer matches the contract, with only required and with all parameters', async () => {
      const all = undefined
      for (const names of route.body ? [requiredNames(endpoint.body), all] : [all]) {
        const url = await target(route)
        const bodyOf = async () => (route.body ? { json: await validBody(shop, route, names) } : {})
        const body = await bodyOf()
        const answer = await shop.call(route, { url, ...body })
        assertAgreed(endpoint.answer, route, answer, JSON.stringify(body))
        // An empty list would compare nothing.
        if (Array.isArray(answer.json) && (names !== all || !route.body)) {
          assert.ok(answer.json.length > 0, 'say in testing/every-route/shop.ts what a shop is given')
        }
        if (route.method === 'DELETE') continue
        const again = { url, ...(needsNewBodyEachTime(route) ? await bodyOf() : body) }
        assertAgreed(endpoint.answer, route, await shop.call(route, again), 'a second time')
      }
    })

    it('a form is answered like JSON, in every language, with lists as JSON or as indexed names', async () => {
      const first = await validBody(shop, route)
      for (const language of [...contract.requests.languages.split(', '), 'de', 'tr-TR,en;q=0.5']) {
        for (const formOf of route.body ? [asTexts, formPairs] : [asTexts]) {
          const request = { url: await target(route), headers: { 'accept-language': language } }
          const body = needsNewBodyEachTime(route) ? await validBody(shop, route) : first
          const form = route.body ? { form: formOf(body).join('&') } : {}
          assertAgreed(endpoint.answer, route, await shop.call(route, { ...request, ...form }), language)
        }
      }
    })

    for (const missing of requiredNames(endpoint.body)) {
      it(`without ${missing}, only that parameter is reported`, async () => {
        const names = requiredNames(endpoint.body).filter((each) => each !== missing)
        const json = await validBody(shop, route, names)
        assertFailed(await shop.call(route, { url: await target(route), json }), 422, 901, [missing])
      })
    }

    for (const missing of requiredNames(endpoint.query)) {
      it(`without ${missing} in the query, or with a blank one, only that parameter is reported`, async () => {
        const names = requiredNames(endpoint.query).filter((each) => each !== missing)
        const without = await validUrl(shop, route, { names })
        const blanks = ['', '%20'].map((blank) => urlWithPair(without, `${missing}=${blank}`))
        for (const url of [without, ...blanks]) {
          const body = route.body ? { json: await validBody(shop, route) } : {}
          assertFailed(await shop.call(route, { url, ...body }), 422, 901, [missing])
        }
      })
    }

    for (const filter of Object.keys(endpoint.anywhere ?? {})) {
      it(`${filter} has the same effect in the query, in JSON and in a form`, async () => {
        const [url, inQuery] = [await target(route), await validUrl(shop, route, { names: [filter] })]
        const json = await validBody(shop, route, [filter])
        const sent = [{ url: inQuery }, { url, json }, { url, form: formPairs(json).join('&') }]
        const answers = await Promise.all(sent.map((request) => shop.call(route, request)))
        for (const answer of answers) assertAgreed(endpoint.answer, route, answer, filter)
        assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
      })
    }

    for (const [needed, type] of Object.entries(endpoint.body ?? {})) {
      const [, other] = /, required with (\w+)$/.exec(type) ?? []
      if (other === undefined) continue
      it(`${needed} is required if ${other} is given`, async () => {
        const json = await validBody(shop, route, [...requiredNames(endpoint.body), other])
        assertFailed(await shop.call(route, { url: await target(route), json }), 422, 901, [needed])
      })
    }

    it('a value that breaks the rule of its parameter is reported under its name', async () => {
      for (const [name, value] of wrongParameters({ ...endpoint.body, ...endpoint.anywhere })) {
        const json = { ...(await validBody(shop, route)), [name]: value }
        assertFailed(await shop.call(route, { url: await target(route), json }), 422, 901, [name])
      }
      for (const [name, value] of wrongParameters({ ...endpoint.query, ...endpoint.anywhere })) {
        const names = requiredNames(endpoint.query).filter((each) => each !== name)
        const url = urlWithPair(
          await validUrl(shop, route, { names }),
          `${name}=${encodeURIComponent(value)}`,
        )
        assertFailed(await shop.call(route, { url }), 422, 901, [name])
      }
      for (const [, value] of wrongParameters({ ...endpoint.path })) {
        assertFailed(await shop.call(route, { url: route.url.replace(/:\w+/, `${value}`) }), 404, 920)
      }
    })

    it('a public-key token is accepted only where the contract allows it', async () => {
      if (endpoint.credential === 'key') return
      const token = await api.token(api.publicKey)
      const answer = await api.call({ method: route.method, url: await target(route), token })
      assert.equal(answer.status === 403 && answer.json.error_code === 912, endpoint.credential === 'secret')
    })

    it('failures have the envelope of the contract', async () => {
      const url = await target(route)
      assertFailed(await api.call({ method: route.method, url }), 401, 910)
      assertFailed(await api.call({ method: route.method, url, token: 'nonsense' }), 401, 910)
      assertFailed(await api.call({ method: 'PUT', url }), 405, 921)
      assertFailed(await shop.call(route, { url: urlWithPair(url, 'broken=%FF') }), 400, 900)
    })
  })
}

/** Parameters with values that their type refuses. */
function wrongParameters(fields: ContractFields): [name: string, value: string | number][] {
  const { binDigits, idDigits, maxAmount = 0 } = contract.limits
  const wrong: Readonly<Record<string, (string | number)[]>> = {
    id: [10 ** (idDigits - 1) - 1, 10 ** idDigits],
    BIN: [10 ** (binDigits - 1) - 1, 10 ** binDigits],
    amount: [0, 10.5, maxAmount + 1],
    integer: ['many'],
    boolean: ['perhaps'],
    currency: ['TL'],
    country: ['TUR'],
    phone: ['12'],
    pairs: ['order'],
    'return address': ['https://shop.example/return?order=1'],
    'array of items': ['order'],
    'array of id': ['order'],
  }
  return Object.entries(fields).flatMap(([name, type]) =>
    (wrong[type.replace(/, .*| or null/, '')] ?? []).map((value): [string, string | number] => [name, value]),
  )
}

/** Pairs of a form with lists and objects as JSON text. */
function asTexts(body: Record<string, unknown>): string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    formPairs({ [name]: typeof value === 'object' ? JSON.stringify(value) : value }),
  )
}

it('the lists of a payment have the form names of the contract', async () => {
  const { route } = endpoints.find(({ name }) => name === 'POST /v1/payment/3ds') ?? {}
  assert.ok(route)
  const body = await validBody(shop, route)
  const indexed = formPairs(body).map((pair) => pair.replace(/=.*/, ''))
  for (const name of contract.requests.formNames.split(', ')) assert.ok(indexed.includes(name), name)
  for (const name of contract.requests.jsonTexts.split(', ')) assert.equal(typeof body[name], 'object', name)
})

describe('records after changes', () => {
  for (const { endpoint, route, name } of endpoints.filter((each) => each.route.method === 'GET')) {
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
      const changeable = Object.entries(contract.endpoints[routeName(change)]?.body ?? {})
      const cleared = changeable.filter(([, type]) => type.endsWith(' or null'))
      const json = Object.fromEntries(cleared.map(([field]) => [field, '']))
      const changed = await owner.call(change, { url: urlWithId(owner, change, id), json })
      assertAgreed(contract.endpoints[routeName(change)]?.answer, change, changed, 'the change')
      const url = idInPath(route) ? urlWithId(owner, route, id) : `${route.url}?per_page=1`
      const answer = await owner.call(route, { url })
      assertAgreed(endpoint.answer, route, answer, 'after the change')
      const record = [answer.json].flat()[0]
      assert.deepEqual(record, changed.json)
      assert.notEqual(record.updated_at, record.created_at)
    })
  }
})

it('payments have the numbers and texts of the contract in every state', async () => {
  const { route } = endpoints.find(({ name }) => name === 'GET /v1/transaction/:transaction_id') ?? {}
  assert.ok(route)
  const owner = await firstShop(api)
  const seen: Contract['statuses'] = {}
  for (const state of paymentStates) {
    const { id } = await seedPayment(api.services, api.merchant, { state, attempts: [{ state: 'approved' }] })
    const answer = await owner.call(route, { url: urlWithId(owner, route, id) })
    assertAgreed('Transaction result', route, answer, state)
    for (const status of Object.keys(contract.statuses))
      seen[status] = { ...seen[status], [answer.json[status]]: answer.json[`${status}_text`] }
  }
  assert.deepEqual(seen, contract.statuses)
})

describe('the limits', () => {
  const minuteMs = 60_000

  it('an access token expires exactly after the lifetime in the contract', async () => {
    const lifetimeMs = contract.limits.accessTokenMinutes * minuteMs
    const made = await api.call({ method: 'POST', url: '/v1/token/get-token', token: api.secretKey })
    assert.equal(Date.parse(made.json.data.expires_at) - api.clock.now().getTime(), lifetimeMs)
    const token = made.json.data.access_token
    const read = () => api.call({ url: '/v1/customers/search', token })
    api.clock.advance(lifetimeMs - 1)
    assert.equal((await read()).status, 200)
    api.clock.advance(1)
    assertFailed(await read(), 401, 911)
  })

  it('a payment page expires after the lifetime in the contract, and amounts are in the minor unit', async () => {
    const token = await api.token()
    const json = { amount: 18_990, currency: 'TRY' }
    const started = await api.call({ method: 'POST', url: '/v1/payment/3ds', token, json })
    const { transaction_id: id, expires_at: expiry } = started.json.data
    const lifetimeMs = (contract.limits.paymentPageMinutes ?? 0) * minuteMs
    assert.equal(Date.parse(expiry) - Math.floor(api.clock.now().getTime() / 1000) * 1000, lifetimeMs)
    const { amount, formatted_amount: shown } = (await api.call({ url: `/v1/transaction/${id}`, token })).json
    assert.equal(
      shown,
      (amount / 10 ** contract.limits.fractionDigits).toFixed(contract.limits.fractionDigits),
    )
  })
})
