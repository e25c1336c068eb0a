import assert from 'node:assert/strict'
import { beforeEach, it } from 'node:test'
import { SecretPan } from '../../kit/money/card.ts'
import type { HttpClient } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import { runAfterPendingIo } from '../../kit/runtime/clock.ts'
import type { Log } from '../../kit/runtime/log.ts'
import { ProcessState } from '../../kit/runtime/process-state.ts'
import { TaskGroup } from '../../kit/runtime/task-group.ts'
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

/** Content of the directory server's next answers. With null it does not answer. */
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
    processState: new ProcessState(),
    tasks: new TaskGroup(),
  }
})

/** Enrolment outcome as returned immediately. A refresh that it starts has finished when this resolves. */
async function outcomeOf(number: string, url = one): Promise<string> {
  const pan = SecretPan.of(number)
  assert.ok(pan)
  const { outcome } = await cardEnrolmentOf(services, { live: false }, url, pan)
  await new Promise<void>(runAfterPendingIo)
  return outcome
}

/** Enrolment outcome after a background refresh. */
async function outcomeAfterRefresh(number: string): Promise<string> {
  await outcomeOf(number)
  return outcomeOf(number)
}

it('each directory server is asked once a day', async () => {
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

it('lookups at the same time share one request and all get the answer', async () => {
  const outcomes = await Promise.all([known, known, unknown, known].map((number) => outcomeOf(number)))
  assert.deepEqual(outcomes, ['enrolled', 'enrolled', 'not_enrolled', 'enrolled'])
  assert.equal(requests.length, 1)
  clock.advance(dayMs)
  response = nothingNew
  await Promise.all([known, known, known].map((number) => outcomeOf(number)))
  assert.equal(requests.length, 2)
})

it('an outdated table is used immediately and refreshed in the background', async () => {
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

it('a missing answer is not cached: the next lookup asks again', async () => {
  response = null
  assert.equal(await outcomeOf(known), 'not_known')
  response = wholeTable
  assert.equal(await outcomeOf(known), 'enrolled')
})

it('changes are merged into the known table', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  response = { serialNum: '2', cardRangeData: [rangeOf('5')] }
  assert.equal(await outcomeAfterRefresh(unknown), 'enrolled')
  assert.equal(await outcomeOf(known), 'enrolled')
  assert.deepEqual(requests.at(-1), { url: one, serialNumber: '1' })
})

it('changes that do not fit the known table lead to a request for the whole table', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  // Invalid as a change, because it overlaps the known ranges; valid as a whole table.
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

it('an invalid table is treated as no answer', async () => {
  response = { cardRangeData: [rangeOf('4'), rangeOf('40')] }
  assert.equal(await outcomeOf(known), 'not_known')
})

it('the known table stays in use while the directory server does not answer, and is requested again after a minute', async () => {
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

it('a refresh that fails by a bug is logged, and the known table stays in use', async () => {
  await outcomeOf(known)
  clock.advance(dayMs)
  const errors: unknown[] = []
  const log = { ...silentLog, error: (fields: { err: Error }) => errors.push(fields.err.message) } as Log
  services = { ...services, log, http: { send: () => Promise.reject(new Error('a bug')) } }
  assert.equal(await outcomeOf(known), 'enrolled')
  await services.tasks.drain()
  assert.deepEqual(errors, ['a bug'])
  clock.advance(minuteMs - 1)
  assert.equal(await outcomeOf(known), 'enrolled')
  assert.equal(errors.length, 1, 'it is repeated after a minute')
  clock.advance(1)
  await outcomeOf(known)
  await services.tasks.drain()
  assert.equal(errors.length, 2)
})
