import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blankValueActionKey } from '../../kit/input/fields.ts'
import type { ApiRoute } from '../../server/api.ts'
import { apiRoutes } from '../../server/api.ts'
import type { TestAnswer, TestRequest } from '../harness/api.ts'
import { testApi } from '../harness/api.ts'
import { createNotesTable, noteRoutes, shelfRoutes } from '../harness/notes.ts'
import { routeAnswerFaults } from './answers.ts'
import type { EncodedInput, HostileInput } from './encode-input.ts'
import { encodeInBody, encodeInQuery, urlWithPair, valueAt } from './encode-input.ts'
import type { RouteField } from './field.ts'
import { fieldsOf, refusesUnknownFields, routeName } from './field.ts'
import { anyValue, hostileInputsFor } from './hostile-inputs.ts'
import { idInPath, readRouteOf, urlWithId } from './record-paths.ts'
import {
  clearedValues,
  needsNewBodyEachTime,
  requiredBodyNames,
  requiredQueryNames,
  validBody,
  validUrl,
  validValue,
  withoutShownOnce,
} from './samples.ts'
import { firstShop, unlimitedEnv } from './shop.ts'
import { liveRowCounts, tableDigests, tableOfCollection } from './tables.ts'

// The notes have every kind of parameter, including lists and records, so the tests cover those too.
const [createNote] = noteRoutes()
assert.ok(createNote)
const notes = [createNote, ...shelfRoutes]
const api = await testApi({ env: unlimitedEnv, routes: notes })
await createNotesTable(api.services.sql)
const shop = await firstShop(api, notes)

/** Names that no parameter has. The last ones have broken other programs. */
const strangeNames = [
  ...['nonsense', 'Name', 'name ', 'id', 'merchant_id', 'a.b'],
  ...['constructor', 'toString', 'hasOwnProperty', '__proto__', "'", '💳'],
]

interface Refusal {
  about: string
  request: Partial<TestRequest>
  answer: TestAnswer
}

for (const route of [...apiRoutes, ...notes].filter(({ body, query }) => body ?? query)) {
  describe(routeName(route), () => {
    const refusals: Refusal[] = []

    for (const field of fieldsOf(route.body)) {
      it(`${field.key} is stored as it was sent, or refused by its name`, async () => {
        const url = await validUrl(shop, route)
        const base = await validBody(shop, route)
        const faults: string[] = []
        const before = await liveRowCounts(api.services.sql)
        let made = 0
        for (const attempt of hostileInputsFor(field, valueAt(base, field.path))) {
          for (const sending of encodeInBody(field, base, attempt)) {
            const request = { url, ...sending.request }
            const answer = await shop.call(route, request)
            if (answer.status === 200) made += 1
            else refusals.push({ about: aboutOf(field, attempt, sending), request, answer })
            faults.push(
              ...(await faultsIn(route, field, attempt, answer)).map(
                (fault) => `${aboutOf(field, attempt, sending)}: ${fault}`,
              ),
            )
          }
        }
        assert.deepEqual(faults, [])
        if (readRouteOf(shop, route) && !idInPath(route))
          assertMade(route, before, await liveRowCounts(api.services.sql), made)
      })
    }

    for (const field of fieldsOf(route.query)) {
      it(`${field.key} is a filter or refused by its name`, async () => {
        const faults: string[] = []
        const others = requiredQueryNames(route).filter((name) => name !== field.key)
        // The body has only required parameters: it can contain the same name as the query, which would be
        // checked too.
        const body = route.body ? { json: await validBody(shop, route, requiredBodyNames(route)) } : {}
        const right = await validValue(shop, field.key, field.schema)
        for (const attempt of hostileInputsFor(field, right)) {
          for (const sending of encodeInQuery(await validUrl(shop, route, { names: others }), attempt)) {
            const request = { ...sending.request, ...body }
            const answer = await shop.call(route, request)
            if (answer.status !== 200)
              refusals.push({ about: aboutOf(field, attempt, sending), request, answer })
            faults.push(
              ...(await faultsIn(route, field, attempt, answer)).map(
                (fault) => `${aboutOf(field, attempt, sending)}: ${fault}`,
              ),
            )
          }
        }
        assert.deepEqual(faults, [])
      })
    }

    it('unknown names are refused in filters, and ignored in other queries', async () => {
      if (!route.query) return
      const isRefused = refusesUnknownFields(route.query)
      const body = route.body ? { json: await validBody(shop, route) } : {}
      for (const name of strangeNames) {
        const url = urlWithPair(await validUrl(shop, route), `${encodeURIComponent(name)}=1`)
        const answer = await shop.call(route, { url, ...body })
        const found = isRefused ? Object.keys(answer.json.errors ?? {}) : routeAnswerFaults(route, answer)
        assert.deepEqual([answer.status, found], isRefused ? [422, [name]] : [200, []], name)
        if (isRefused) refusals.push({ about: `the filter ${name}`, request: { url, ...body }, answer })
      }
    })

    it('unknown names are ignored in bodies', async () => {
      if (!route.body) return
      const baseOf = async () => JSON.stringify(await validBody(shop, route)).slice(1)
      const first = await baseOf()
      const headers = { 'content-type': 'application/json' }
      for (const name of strangeNames) {
        const base = needsNewBodyEachTime(route) ? await baseOf() : first
        const body = `{${JSON.stringify(name)}:{"name":1},${base}`
        const answer = await shop.call(route, { url: await validUrl(shop, route), body, headers })
        assert.deepEqual(
          [answer.status, routeAnswerFaults(route, answer)],
          [200, []],
          `${body} ${answer.text}`,
        )
      }
    })

    it('every refusal exists in English too, with another text, and changes nothing in the database', async () => {
      assert.ok(refusals.length > 0)
      const stored = await tableDigests(api.services.sql)
      // Refusals with the same text have the same reason, so one of each is enough.
      const reasons = new Map(refusals.map((refusal) => [JSON.stringify(refusal.answer.json), refusal]))
      for (const { about, request, answer } of reasons.values()) {
        const headers = { ...request.headers, 'accept-language': 'en' }
        const english = await shop.call(route, { ...request, headers })
        assert.deepEqual(routeAnswerFaults(route, english), [], about)
        assert.deepEqual(inBothLanguages(answer, english), [], about)
      }
      assert.deepEqual(await tableDigests(api.services.sql), stored)
    })
  })
}

function aboutOf(field: RouteField, attempt: HostileInput, sending: EncodedInput): string {
  return `${field.key}, ${attempt.about}, ${sending.about}`
}

function assertMade(
  route: ApiRoute,
  before: Record<string, number>,
  after: Record<string, number>,
  made: number,
): void {
  const table = tableOfCollection(route.url, Object.keys(after))
  assert.equal((after[table] ?? 0) - (before[table] ?? 0), made)
}

/** Faults of an answer: undeclared, or other than the input requires. */
async function faultsIn(
  route: ApiRoute,
  field: RouteField,
  { outcome }: HostileInput,
  answer: TestAnswer,
): Promise<string[]> {
  const faults = routeAnswerFaults(route, answer)
  if (faults.length > 0) return faults
  const isTaken = answer.status === 200
  const isRefused = answer.status === 422 && namesAlone(field, answer)
  if (outcome === 'unreadable') return answer.status === 400 ? [] : [`should be 400, is ${answer.text}`]
  if (outcome !== 'refused' && standsInTheWay(field, answer)) return []
  if (outcome === 'refused') return isRefused ? [] : [`should be refused by its name: ${answer.text}`]
  if (outcome === 'blank') return afterBlank(field, answer, isTaken, isRefused)
  if ('taken' in outcome) {
    return isTaken ? faultsOfStored(route, field, outcome.taken, answer) : [`should be taken: ${answer.text}`]
  }
  if (isTaken) return faultsOfStored(route, field, outcome.either, answer)
  // The number is in range, but identifies nothing. The route declares this refusal.
  if (answer.status === 404 && field.kind === 'integer') return []
  return isRefused ? [] : [`should be taken, or refused by its name: ${answer.text}`]
}

/** Error code for products that do not add up to the amount. */
const otherTotal = 902

/** True if another rule refused the request: the total, or a conflict with an earlier request. */
function standsInTheWay(field: RouteField, { status, json }: TestAnswer): boolean {
  return status === 409 || (changesTotal(field) && json.error_code === otherTotal)
}

/** True if the parameter changes the total of a payment, so that the total is refused. */
const changesTotal = ({ path: [name = ''] }: RouteField) =>
  ['amount', 'products', 'product_ids'].includes(name)

/** True if the refusal names only this parameter, or for a list or record something inside it. */
function namesAlone({ key, kind }: RouteField, { json }: TestAnswer): boolean {
  const names = Object.keys(json.errors)
  return (
    names.length > 0 &&
    names.every((name) => name === key || (kind !== 'pairs' && name.startsWith(`${key}.`)))
  )
}

function afterBlank(field: RouteField, answer: TestAnswer, isTaken: boolean, isRefused: boolean): string[] {
  const mustBeThere = field.isRequired || field.schema[blankValueActionKey] === 'refuse'
  if (mustBeThere) return isRefused ? [] : [`should be missed: ${answer.text}`]
  if (!isTaken) return isRefused ? [] : [`should be as if not sent: ${answer.text}`]
  const shown = valueAt(shownIn(answer), field.path)
  const isNothing =
    shown === null ||
    shown === undefined ||
    (Array.isArray(shown) && shown.length === 0) ||
    isSame(shown, clearedValues[field.key])
  return field.schema[blankValueActionKey] === 'clear' && !isNothing ? [`should be cleared, is ${shown}`] : []
}

/** The record in an answer. The notes return their input in `given`; an envelope has it in `data`. */
const shownIn = ({ json }: TestAnswer) => json.given ?? ('data' in json ? (json.data ?? {}) : json)

/** Asserts that the answer shows the sent value, and that a later read returns the same record. */
async function faultsOfStored(
  route: ApiRoute,
  field: RouteField,
  value: unknown,
  answer: TestAnswer,
): Promise<string[]> {
  if (route.method === 'GET') return []
  const shown = valueAt(shownIn(answer), field.path)
  const plain = field.kind === 'pairs' && Array.isArray(shown) ? shown.map(keyAndValue) : shown
  const faults: string[] = []
  if (value !== anyValue && shown !== undefined && !isSame(plain, value)) {
    faults.push(`should be stored as ${JSON.stringify(value)}, is ${JSON.stringify(plain)}`)
  }
  const reader = readRouteOf(shop, route)
  if (reader && Number.isSafeInteger(answer.json.id)) {
    const read = await shop.call(reader, { url: urlWithId(shop, reader, answer.json.id) })
    if (!isSame(read.json, withoutShownOnce(answer.json)))
      faults.push(`is read as ${read.text} after ${answer.text}`)
  }
  return faults
}

const keyAndValue = ({ key, value }: { key: string; value: string }) => ({ key, value })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Faults of a refusal in two languages: the same text in both, or other parameters. */
function inBothLanguages(turkish: TestAnswer, english: TestAnswer): string[] {
  const faults: string[] = []
  const same = [turkish, english].map(({ status, json }) => [
    status,
    json.error_code,
    Object.keys(json.errors),
  ])
  if (!isSame(same[0], same[1])) faults.push(`${JSON.stringify(same[0])} became ${JSON.stringify(same[1])}`)
  if (turkish.json.message === english.json.message)
    faults.push(`the message is one: ${english.json.message}`)
  for (const [name, sentences] of Object.entries<string[]>(turkish.json.errors)) {
    for (const sentence of sentences) {
      if (english.json.errors[name]?.includes(sentence))
        faults.push(`${name} is in one language: ${sentence}`)
    }
  }
  return faults
}
