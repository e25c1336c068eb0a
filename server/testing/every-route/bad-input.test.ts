import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiRoute } from '../../api.ts'
import { apiRoutes } from '../../api.ts'
import { closed, whenBlank } from '../../kit/fields.ts'
import type { TestAnswer, TestRequest } from '../api.ts'
import { testApi } from '../api.ts'
import { createNotesTable, noteRoutes } from '../notes.ts'
import { faultsOf } from './answers.ts'
import type { Field, Schema } from './field.ts'
import { fieldsOf, nameOf } from './field.ts'
import type { Attempt } from './hostile.ts'
import { attemptsOn, whatever } from './hostile.ts'
import { idInPath, make, readerOf, withId } from './makers.ts'
import { rightBody, rightValue } from './samples.ts'
import type { Sending } from './sending.ts'
import { inBody, inQuery, valueAt } from './sending.ts'
import { firstShop } from './shop.ts'
import { contents, liveRows, tableOf } from './tables.ts'

// The notes have every kind of parameter, lists and records among them: what is said here holds for those too.
const [createNote] = noteRoutes()
assert.ok(createNote)
const api = await testApi({ env: { RATE_LIMIT_PER_SECOND: '0' }, routes: [createNote] })
await createNotesTable(api.services.sql)
const shop = await firstShop(api, [createNote])

interface Refusal {
  about: string
  request: Partial<TestRequest>
  answer: TestAnswer
}

for (const route of [...apiRoutes, createNote].filter(({ body, query }) => body ?? query)) {
  describe(nameOf(route), () => {
    const refusals: Refusal[] = []
    const target = async () =>
      idInPath(route) ? withId(route, await make(shop, idInPath(route)?.parameter ?? '')) : route.url

    for (const field of fieldsOf(route.body)) {
      it(`${field.key} is taken as it was sent, or refused by its name`, async () => {
        const url = await target()
        const base = await rightBody(shop, route)
        const faults: string[] = []
        const before = await liveRows(api.services.sql)
        let made = 0
        for (const attempt of attemptsOn(field, valueAt(base, field.path))) {
          for (const sending of inBody(field, base, attempt)) {
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
        if (readerOf(shop, route) && !idInPath(route))
          assertMade(route, before, await liveRows(api.services.sql), made)
      })
    }

    for (const field of fieldsOf(route.query)) {
      it(`${field.key} is a filter or refused by its name`, async () => {
        const faults: string[] = []
        for (const attempt of attemptsOn(field, await rightValue(shop, field.key, field.schema))) {
          for (const sending of inQuery(await target(), attempt)) {
            const answer = await shop.call(route, sending.request)
            if (answer.status !== 200)
              refusals.push({ about: aboutOf(field, attempt, sending), request: sending.request, answer })
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

    it('names that it does not know are ignored in bodies and refused in filters', async () => {
      const names = [
        'nonsense',
        'Name',
        'name ',
        'id',
        'merchant_id',
        'constructor',
        'toString',
        'hasOwnProperty',
        '__proto__',
        'a.b',
        "'",
        '💳',
      ]
      const isClosed = ((route.query ?? {}) as Schema)[closed] === true
      const base = await rightBody(shop, route)
      for (const name of names) {
        const pair = `${encodeURIComponent(name)}=1`
        if (route.query && isClosed) {
          const answer = await shop.call(route, { url: `${route.url}?${pair}` })
          assert.deepEqual([answer.status, Object.keys(answer.json.errors ?? {})], [422, [name]], name)
          refusals.push({ about: `the filter ${name}`, request: { url: `${route.url}?${pair}` }, answer })
        }
        if (route.body) {
          const json = `{${JSON.stringify(name)}:{"name":1},${JSON.stringify(base).slice(1)}`
          const headers = { 'content-type': 'application/json' }
          const answer = await shop.call(route, { url: await target(), body: json, headers })
          assert.deepEqual([answer.status, faultsOf(route, answer)], [200, []], `${json} ${answer.text}`)
        }
      }
    })

    it('what was refused is refused in English too, in other words, and leaves nothing behind', async () => {
      assert.ok(refusals.length > 0)
      const stored = await contents(api.services.sql)
      for (const { about, request, answer } of refusals) {
        const headers = { ...request.headers, 'accept-language': 'en' }
        const english = await shop.call(route, { ...request, headers })
        assert.deepEqual(faultsOf(route, english), [], about)
        assert.deepEqual(inBothLanguages(answer, english), [], about)
      }
      assert.deepEqual(await contents(api.services.sql), stored)
    })
  })
}

function aboutOf(field: Field, attempt: Attempt, sending: Sending): string {
  return `${field.key}, ${attempt.about}, ${sending.about}`
}

function assertMade(
  route: ApiRoute,
  before: Record<string, number>,
  after: Record<string, number>,
  made: number,
): void {
  const table = tableOf(route.url, Object.keys(after))
  assert.equal((after[table] ?? 0) - (before[table] ?? 0), made)
}

/** What is not as it should be: an answer unlike any declared, or another one than the attempt must get. */
async function faultsIn(
  route: ApiRoute,
  field: Field,
  { outcome }: Attempt,
  answer: TestAnswer,
): Promise<string[]> {
  const faults = faultsOf(route, answer)
  if (faults.length > 0) return faults
  const isTaken = answer.status === 200
  const isRefused = answer.status === 422 && namesAlone(field, answer)
  if (outcome === 'unreadable') return answer.status === 400 ? [] : [`should be 400, is ${answer.text}`]
  if (outcome === 'refused') return isRefused ? [] : [`should be refused by its name: ${answer.text}`]
  if (outcome === 'blank') return afterBlank(field, answer, isTaken, isRefused)
  if ('taken' in outcome) {
    return isTaken ? faultsOfStored(route, field, outcome.taken, answer) : [`should be taken: ${answer.text}`]
  }
  if (isTaken) return faultsOfStored(route, field, outcome.either, answer)
  return isRefused ? [] : [`should be taken, or refused by its name: ${answer.text}`]
}

/** Of a list or record, what is inside may be named instead. */
function namesAlone({ key, kind }: Field, { json }: TestAnswer): boolean {
  const names = Object.keys(json.errors)
  return (
    names.length > 0 &&
    names.every((name) => name === key || (kind !== 'pairs' && name.startsWith(`${key}.`)))
  )
}

function afterBlank(field: Field, answer: TestAnswer, isTaken: boolean, isRefused: boolean): string[] {
  const mustBeThere = field.isRequired || field.schema[whenBlank] === 'refuse'
  if (mustBeThere) return isRefused ? [] : [`should be missed: ${answer.text}`]
  if (!isTaken) return isRefused ? [] : [`should be as if not sent: ${answer.text}`]
  const shown = valueAt(shownIn(answer), field.path)
  const isNothing = shown === null || shown === undefined || (Array.isArray(shown) && shown.length === 0)
  return field.schema[whenBlank] === 'clear' && !isNothing ? [`should be cleared, is ${shown}`] : []
}

/** The notes answer what they were given in one field. */
const shownIn = ({ json }: TestAnswer) => json.given ?? json

/** What is shown is what was sent, and what is read afterwards is what was shown. */
async function faultsOfStored(
  route: ApiRoute,
  field: Field,
  value: unknown,
  answer: TestAnswer,
): Promise<string[]> {
  if (route.method === 'GET') return []
  const shown = valueAt(shownIn(answer), field.path)
  const plain = field.kind === 'pairs' && Array.isArray(shown) ? shown.map(keyAndValue) : shown
  const faults: string[] = []
  if (value !== whatever && shown !== undefined && !isSame(plain, value)) {
    faults.push(`should be stored as ${JSON.stringify(value)}, is ${JSON.stringify(plain)}`)
  }
  const reader = readerOf(shop, route)
  if (reader && Number.isSafeInteger(answer.json.id)) {
    const read = await shop.call(reader, { url: withId(reader, answer.json.id) })
    if (!isSame(read.json, answer.json)) faults.push(`is read as ${read.text} after ${answer.text}`)
  }
  return faults
}

const keyAndValue = ({ key, value }: { key: string; value: string }) => ({ key, value })

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Where the two answers say the same words, or do not speak of the same parameters. */
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
        faults.push(`${name} is told in one language: ${sentence}`)
    }
  }
  return faults
}
