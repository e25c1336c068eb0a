import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { SecretPan } from '../../kit/money/card.ts'
import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import { Metrics } from '../../kit/runtime/metrics.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { readConfig } from '../config.ts'
import { cardEnrolmentOf } from './card-enrolment.ts'

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs
const one = 'http://one.example/directory'
const other = 'http://other.example/directory'
const known = '4000000000002701'
const unknown = '5200000000002235'

interface RangeRequest {
  url: string
  serialNumber: string | null
}

/** What the directory server says from now on: null is nothing. */
let response: { serialNum?: string; cardRangeData?: object[] } | null
let requests: RangeRequest[]
let clock: TestClock
let services: Parameters<typeof cardEnrolmentOf>[0]

const http: HttpClient = {
  send: async ({ url, body = '{}' }) => {
    const { threeDSServerTransID, messageVersion, serialNum = null } = JSON.parse(body)
    requests.push({ url, serialNumber: serialNum })
    if (response === null) throw new NoHttpResponse('nobody is there', { mayHaveArrived: false })
    const message = {
      messageType: 'PRes',
      messageVersion,
      threeDSServerTransID,
      dsTransID: newUuid(systemRandom),
      dsStartProtocolVersion: '2.2.0',
      dsEndProtocolVersion: '2.3.1',
      ...response,
    }
    return { status: 200, headers: new Headers(), body: Buffer.from(JSON.stringify(message)) }
  },
}

const rangeOf = (start: string) => ({
  startRange: start.padEnd(16, '0'),
  endRange: start.padEnd(16, '9'),
  actionInd: 'A',
  acsStartProtocolVersion: '2.2.0',
  acsEndProtocolVersion: '2.3.1',
})

const wholeTable = { serialNum: '1', cardRangeData: [rangeOf('4')] }
const nothingNew = { serialNum: '1' }

beforeEach(() => {
  response = wholeTable
  requests = []
  clock = new TestClock()
  services = {
    http,
    clock,
    config: readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it' }),
    random: systemRandom,
    log: silentLog,
    metrics: new Metrics(),
  }
})

/** Whether a card takes part, as it is answered at once. What is asked for behind the answer is there afterwards. */
async function outcomeOf(number: string, url = one): Promise<string> {
  const pan = SecretPan.of(number)
  assert.ok(pan)
  const { outcome } = await cardEnrolmentOf(services, { live: false }, url, pan)
  await new Promise<void>(runAfterPendingIo)
  return outcome
}

/** The same, once it was heard that somebody wants to know. */
async function outcomeAfterRefresh(number: string): Promise<string> {
  await outcomeOf(number)
  return outcomeOf(number)
}

it('a directory server is asked once a day, and each for itself', async () => {
  for (const number of [known, unknown, known]) await outcomeOf(number)
  assert.deepEqual(requests, [{ url: one, serialNumber: null }])
  assert.equal(await outcomeOf(known, other), 'enrolled')
  assert.deepEqual(requests.splice(0), [
    { url: one, serialNumber: null },
    { url: other, serialNumber: null },
  ])
  clock.advance(dayMs - 1)
  await outcomeOf(known)
  assert.deepEqual(requests, [])
  clock.advance(1)
  response = nothingNew
  for (const number of [known, unknown, known]) await outcomeOf(number)
  assert.deepEqual(requests, [{ url: one, serialNumber: '1' }])
})

it('of many who want to know at once one asks, and all are told', async () => {
  const outcomes = await Promise.all([known, known, unknown, known].map((number) => outcomeOf(number)))
  assert.deepEqual(outcomes, ['enrolled', 'enrolled', 'not_enrolled', 'enrolled'])
  assert.equal(requests.length, 1)
  clock.advance(dayMs)
  response = nothingNew
  await Promise.all([known, known, known].map((number) => outcomeOf(number)))
  assert.equal(requests.length, 2)
})

it('what is old is answered at once, and asked for behind the answer', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  const { promise, resolve } = Promise.withResolvers<void>()
  const slow: HttpClient = { send: async (request) => promise.then(() => http.send(request)) }
  services = { ...services, http: slow }
  response = { serialNum: '2', cardRangeData: [rangeOf('5')] }
  const answers = Promise.all([outcomeOf(known), outcomeOf(unknown)])
  const waits = new Promise<void>(runAfterPendingIo).then(() => new Promise<void>(runAfterPendingIo))
  assert.deepEqual(await Promise.race([answers, waits]), ['enrolled', 'not_enrolled'])
  resolve()
  await new Promise<void>(runAfterPendingIo)
  assert.equal(await outcomeOf(unknown), 'enrolled')
  assert.equal(requests.length, 2)
})

it('that nobody answered is not remembered: who comes next asks again', async () => {
  response = null
  assert.equal(await outcomeOf(known), 'not_known')
  response = wholeTable
  assert.equal(await outcomeOf(known), 'enrolled')
})

it('changes are put to what was known', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  response = { serialNum: '2', cardRangeData: [rangeOf('5')] }
  assert.equal(await outcomeAfterRefresh(unknown), 'enrolled')
  assert.equal(await outcomeOf(known), 'enrolled')
  assert.deepEqual(requests.at(-1), { url: one, serialNumber: '1' })
})

it('changes that do not fit what was known have all of it asked for anew', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  // As a change it overlaps what is known; as the whole table it is right.
  response = { serialNum: '7', cardRangeData: [rangeOf('40'), rangeOf('52')] }
  assert.equal(await outcomeAfterRefresh(unknown), 'enrolled')
  assert.deepEqual(
    requests.map(({ serialNumber }) => serialNumber),
    [null, '1', null],
  )
  clock.advance(dayMs)
  response = nothingNew
  assert.equal(await outcomeAfterRefresh(unknown), 'enrolled')
  assert.deepEqual(requests.at(-1), { url: one, serialNumber: '7' })
})

it('a table that makes no sense at all is none', async () => {
  response = { cardRangeData: [rangeOf('4'), rangeOf('40')] }
  assert.equal(await outcomeOf(known), 'not_known')
})

it('what was known holds while the directory server is away, which is asked again after a minute', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  response = null
  requests = []
  assert.equal(await outcomeAfterRefresh(known), 'enrolled')
  assert.equal(await outcomeOf(unknown), 'not_enrolled')
  const whileAway = requests.length
  assert.ok(whileAway > 0)
  clock.advance(minuteMs - 1)
  assert.equal(await outcomeOf(known), 'enrolled')
  assert.equal(requests.length, whileAway)
  clock.advance(1)
  response = { serialNum: '2', cardRangeData: [rangeOf('5')] }
  assert.equal(await outcomeAfterRefresh(unknown), 'enrolled')
  assert.equal(await outcomeOf(known), 'enrolled')
})
