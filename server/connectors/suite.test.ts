import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import type { HttpClient, HttpRequest, HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse, networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { ConnectorFixture, OpenConnectorFixture } from '../../testing/connectors/connector-fixture.ts'
import { connectorsUnderTest } from '../../testing/connectors/connectors-under-test.ts'
import { connectorFixtures } from '../../testing/connectors/fixtures.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { Bank, BankAnswer, BankApproval, Connector } from './index.ts'
import { connectors, declineReasons } from './index.ts'

const { sql: database } = await testDatabase()

/** Change of a response on its way. */
type Mishap = (came: HttpResponse, request: HttpRequest) => HttpResponse

interface Stage extends OpenConnectorFixture {
  bank: Bank
  sent: HttpRequest[]
  lines: string[]
  answers: unknown[]
  /** Applies the change to every response from now on. */
  suffer(mishap: Mishap | undefined): void
}

async function stageOf(connector: Connector, fixture: ConnectorFixture, elsewhere?: string): Promise<Stage> {
  const open = await fixture.open(database)
  const network = networkHttpClient(open.clock)
  const sent: HttpRequest[] = []
  const lines: string[] = []
  const answers: unknown[] = []
  let mishap: Mishap | undefined
  const http: HttpClient = {
    send: async (request) => {
      sent.push(request)
      const came = await network.send(request)
      return mishap ? mishap(came, request) : came
    },
  }
  const note = (fields: object, text: string) => lines.push(JSON.stringify([fields, text]))
  const log = { debug: note, info: note, warn: note, error: note }
  const { clock, access } = open
  const bank = connector.open({ http, clock, random: systemRandom, log }, access(elsewhere))
  const suffer = (next: Mishap | undefined) => {
    mishap = next
  }
  return { ...open, bank: keeping(bank, answers), sent, lines, answers, suffer }
}

/** Wraps a bank so that every answer is kept for the search for secrets. */
function keeping(bank: Bank, answers: unknown[]): Bank {
  return new Proxy(bank, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return async (...input: unknown[]) => {
        const answer: unknown = await value.apply(target, input)
        answers.push(answer)
        return answer
      }
    },
  })
}

const wordOf = (answer: BankAnswer | undefined) =>
  answer?.outcome === 'declined' ? answer.reason : (answer?.outcome ?? 'cannot')

const question = (reference: string) => ({ reference, currency: 'TRY' })

const modificationOf = (fixture: ConnectorFixture, reference: string) => {
  const { amountMinor, currency } = fixture
  return { reference, amountMinor, currency, bankReferences: {} }
}

/** Server that is no bank and gives every request this answer. */
async function stranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const mishaps: Record<string, Mishap> = {
  'an empty body': (came) => ({ ...came, body: Buffer.alloc(0) }),
  'half an answer': (came) => ({ ...came, body: came.body.subarray(0, came.body.length / 2) }),
  'an HTML page': (came) => ({
    ...came,
    headers: new Headers({ 'content-type': 'text/html' }),
    body: Buffer.from('<h1>Bakım çalışması</h1>'),
  }),
  'the status 500': (came) => ({ ...came, status: 500 }),
  'the status 302': (came) => ({ ...came, status: 302, headers: new Headers({ location: '/' }) }),
  'the status 404': (came) => ({ ...came, status: 404 }),
  'unreadable bytes': (came) => ({ ...came, body: Buffer.from([0xff, 0xfe, 0x00, 0x31]) }),
  'a repeated field': (came) => ({
    ...came,
    body: Buffer.from(withFirstFieldRepeated(came.body.toString('latin1'))),
  }),
  'a broken connection': () => {
    throw new NoHttpResponse('ECONNRESET', { mayHaveArrived: true })
  },
}

/** Repeats the first field, in JSON or XML. */
function withFirstFieldRepeated(answer: string): string {
  return answer.startsWith('{')
    ? answer.replace(/"\w+":[^,}]+/, '$&,$&')
    : answer.replace(/<(\w+)>[^<]*<\/\1>/, '$&$&')
}

it('every connector has its own name and a fixture, and names its secrets', () => {
  assert.deepEqual(Object.keys(connectorFixtures).toSorted(), connectors.map(({ name }) => name).toSorted())
  for (const { mode, secrets, issueSecrets } of connectors) {
    assert.ok(mode === 'test' || mode === 'live')
    assert.ok(secrets.length > 0)
    const issued = Object.keys(issueSecrets?.(systemRandom) ?? {})
    if (issueSecrets) assert.deepEqual(issued.toSorted(), secrets.map(({ name }) => name).toSorted())
    else assert.equal(mode, 'live', 'of the sandbox everybody gets secrets')
  }
})

for (const connector of connectorsUnderTest()) {
  const fixture = connectorFixtures[connector.name]
  if (fixture) describe(`the connector ${connector.name}`, () => suite(connector, fixture))
}

function suite(connector: Connector, fixture: ConnectorFixture): void {
  charging(connector, fixture)
  failing(connector, fixture)
  undoing(connector, fixture)
  keepingQuiet(connector, fixture)
}

/** True if the approval names this amount or none. */
const isShown = ({ echoed }: BankApproval, amountMinor: number) =>
  (echoed.amountMinor ?? amountMinor) === amountMinor

function charging(connector: Connector, fixture: ConnectorFixture): void {
  it('sends nothing when opened', async () => {
    const { sent } = await stageOf(connector, fixture)
    assert.equal(sent.length, 0)
  })

  it('returns an approval with the echoed terms and references; the bank’s records and the query agree', async () => {
    const { bank, taken, chargeThat } = await stageOf(connector, fixture)
    const charge = await chargeThat('approve', 'r1')
    assert.equal((await bank.inquire(question('r1'))).status, 'absent')
    const answer = await bank.authorize(charge)
    assert.ok(answer.outcome === 'approved')
    const { reference, amountMinor, currency } = charge
    const request = { reference, amountMinor, currency }
    assert.deepEqual(answer.echoed, Object.fromEntries(fixture.shows.map((name) => [name, request[name]])))
    assert.ok(Object.keys(answer.bankReferences).length > 0)
    assert.equal(await taken('r1'), charge.amountMinor)
    assert.deepEqual(await bank.inquire(question('r1')), { status: 'taken', ...fixture.repeats(answer) })
  })

  it('returns a decline with our reason and the bank’s code; the query reports declined or absent', async () => {
    const { bank, taken, chargeThat } = await stageOf(connector, fixture)
    const answer = await bank.authorize(await chargeThat('decline', 'r1'))
    assert.ok(answer.outcome === 'declined' && declineReasons.includes(answer.reason) && answer.code !== '')
    assert.ok(!(await taken('r1')))
    const status = await bank.inquire(question('r1'))
    assert.ok(status.status === 'declined' || status.status === 'absent')
  })

  it('charges once for the same reference, also with requests at the same time', async () => {
    const { bank, taken, chargeThat } = await stageOf(connector, fixture)
    const charge = await chargeThat('approve', 'r1')
    const words = (await Promise.all([1, 2, 3, 4].map(() => bank.authorize(charge)))).map(wordOf)
    assert.deepEqual(words.toSorted(), ['approved', ...Array(3).fill('duplicate_reference')])
    assert.equal(await taken('r1'), charge.amountMinor)
  })

  it('passes on the amount and the reference that the bank names', async () => {
    for (const about of ['amount', 'reference'] as const) {
      const { bank, suffer, chargeThat } = await stageOf(connector, fixture)
      suffer((came) => ({ ...came, body: Buffer.from(fixture.lie(came.body.toString(), about)) }))
      const charge = await chargeThat('approve', 'r1')
      const answer = await bank.authorize(charge)
      const { reference = charge.reference, amountMinor = charge.amountMinor } =
        answer.outcome === 'approved' ? answer.echoed : {}
      const isAsRequested = reference === charge.reference && amountMinor === charge.amountMinor
      const isSilent = about === 'amount' && !fixture.shows.includes('amountMinor')
      assert.ok(answer.outcome !== 'approved' || !isAsRequested || isSilent, about)
      const status = await bank.inquire(question('r1'))
      const isTaken = status.status === 'taken' && status.echoed.amountMinor === charge.amountMinor
      assert.ok(!isTaken, about)
    }
  })

  it('does not accept a decline of another charge', async () => {
    const { bank, suffer, chargeThat } = await stageOf(connector, fixture)
    suffer((came) => ({ ...came, body: Buffer.from(fixture.lie(came.body.toString(), 'reference')) }))
    assert.equal(wordOf(await bank.authorize(await chargeThat('decline', 'r1'))), 'unknown')
  })

  it('does not treat an answer that both approves and declines as a decline', async () => {
    for (let index = 0; index < fixture.contradictions('').length; index++) {
      const { bank, suffer, chargeThat } = await stageOf(connector, fixture)
      const contradict: Mishap = (came) => ({
        ...came,
        body: Buffer.from(fixture.contradictions(came.body.toString())[index] ?? ''),
      })
      suffer(contradict)
      const charge = await chargeThat('approve', 'r1')
      assert.notEqual((await bank.authorize(charge)).outcome, 'declined', `in the way ${index}`)
      assert.notEqual((await bank.inquire(question('r1'))).status, 'declined', `in the way ${index}`)
    }
  })
}

function failing(connector: Connector, fixture: ConnectorFixture): void {
  it('returns a decline, not unknown, if the bank cannot be connected to', async () => {
    const nobody = await closedPort()
    const { bank, chargeThat } = await stageOf(connector, fixture, nobody)
    assert.equal(wordOf(await bank.authorize(await chargeThat('approve', 'r1'))), 'bank_not_reached')
    const modification = modificationOf(fixture, 'r1')
    for (const answer of [
      bank.void?.(modification),
      bank.capture?.(modification),
      bank.refund?.({ ...modification, refundKey: '1', priorRefundedMinor: 0 }),
    ]) {
      assert.ok(['bank_not_reached', 'cannot'].includes(wordOf(await answer)))
    }
    assert.equal((await bank.inquire(question('r1'))).status, 'unknown')
  })

  for (const [name, mishap] of Object.entries(mishaps)) {
    it(`returns unknown for ${name} instead of an answer, whatever was requested`, async () => {
      const { bank, suffer, taken, chargeThat } = await stageOf(connector, fixture)
      suffer(mishap)
      assert.equal(wordOf(await bank.authorize(await chargeThat('approve', 'r1'))), 'unknown')
      assert.equal((await bank.inquire(question('r1'))).status, 'unknown')
      suffer(undefined)
      assert.equal((await bank.inquire(question('r1'))).status, 'taken')
      suffer(mishap)
      for (const answer of [
        bank.preAuthorize?.(await chargeThat('approve', 'r2', { preAuth: true })),
        bank.void?.(modificationOf(fixture, 'r1')),
      ]) {
        assert.ok(['unknown', 'cannot'].includes(wordOf(await answer)))
      }
      suffer(undefined)
      if (bank.void) assert.equal(await taken('r1'), 0)
    })
  }

  it('returns unknown for an endless answer and for none in time', async () => {
    const endless = await stranger((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(' '.repeat(2 * 1024 * 1024))
    })
    const talking = await stageOf(connector, fixture, endless)
    assert.equal(wordOf(await talking.bank.authorize(await talking.chargeThat('approve', 'r1'))), 'unknown')
    const arrived = Promise.withResolvers<void>()
    const silent = await stageOf(connector, fixture, await stranger(() => arrived.resolve()))
    const answer = silent.bank.authorize(await silent.chargeThat('approve', 'r1'))
    await arrived.promise
    silent.clock.advance(45_000)
    assert.equal(wordOf(await answer), 'unknown')
    assert.deepEqual(
      silent.sent.map(({ timeoutMs }) => timeoutMs),
      [45_000],
    )
  })
}

/** Address at which no server listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return `http://127.0.0.1:${port}`
}

function undoing(connector: Connector, fixture: ConnectorFixture): void {
  it('captures a hold once, and has no method for an unsupported operation', async () => {
    const { bank, taken, chargeThat } = await stageOf(connector, fixture)
    assert.equal(bank.preAuthorize === undefined, bank.capture === undefined)
    if (!bank.preAuthorize || !bank.capture) return
    assert.equal(
      wordOf(await bank.preAuthorize(await chargeThat('approve', 'r1', { preAuth: true }))),
      'approved',
    )
    assert.equal((await bank.inquire(question('r1'))).status, 'held')
    assert.equal(await taken('r1'), 0)
    const modification = modificationOf(fixture, 'r1')
    assert.equal(
      (await bank.capture({ ...modification, amountMinor: modification.amountMinor + 1 })).outcome,
      'declined',
    )
    const answer = await bank.capture({ ...modification, amountMinor: modification.amountMinor - 5 })
    assert.ok(answer.outcome === 'approved' && isShown(answer, modification.amountMinor - 5))
    assert.equal((await bank.capture(modification)).outcome, 'declined')
    assert.equal(await taken('r1'), modification.amountMinor - 5)
  })

  it('voids a charge once, and declines a void of nothing with nothing_to_undo', async () => {
    const { bank, taken, chargeThat } = await stageOf(connector, fixture)
    if (!bank.void) return
    await bank.authorize(await chargeThat('approve', 'r1'))
    assert.equal(wordOf(await bank.void(modificationOf(fixture, 'r1'))), 'approved')
    assert.equal(await taken('r1'), 0)
    assert.deepEqual(await bank.inquire(question('r1')), { status: 'undone' })
    for (const reference of ['r1', 'never']) {
      assert.equal(wordOf(await bank.void(modificationOf(fixture, reference))), 'nothing_to_undo')
    }
  })

  it('declines a void after the bank’s day with already_settled, and refunds instead', async () => {
    const { bank, taken, clock, chargeThat } = await stageOf(connector, fixture)
    if (!bank.void || !bank.refund) return
    await bank.authorize(await chargeThat('approve', 'r1'))
    clock.advance(24 * 3_600_000)
    assert.equal(wordOf(await bank.void(modificationOf(fixture, 'r1'))), 'already_settled')
    assert.equal(
      wordOf(await bank.refund({ ...modificationOf(fixture, 'r1'), refundKey: '1', priorRefundedMinor: 0 })),
      'approved',
    )
    assert.equal(await taken('r1'), 0)
  })

  it('makes a repeated refund once, and never refunds more than the charge', async () => {
    const { bank, taken, clock, chargeThat } = await stageOf(connector, fixture)
    if (!bank.refund) return
    await bank.authorize(await chargeThat('approve', 'r1'))
    clock.advance(24 * 3_600_000)
    const modification = modificationOf(fixture, 'r1')
    const [first, rest] = [45, modification.amountMinor - 45]
    for (let time = 0; time < 2; time++) {
      const answer = await bank.refund({
        ...modification,
        amountMinor: first,
        refundKey: 'one',
        priorRefundedMinor: 0,
      })
      assert.ok(answer.outcome === 'approved' && isShown(answer, first))
    }
    assert.equal(await taken('r1'), rest)
    const second = { ...modification, refundKey: 'two', priorRefundedMinor: first }
    assert.equal((await bank.refund({ ...second, amountMinor: rest + 1 })).outcome, 'declined')
    assert.equal((await bank.refund({ ...second, amountMinor: rest })).outcome, 'approved')
    assert.deepEqual(await bank.inquire(question('r1')), { status: 'undone' })
  })
}

function keepingQuiet(connector: Connector, fixture: ConnectorFixture): void {
  it('reaches the bank only by the HTTP client that it is given', async () => {
    const { access, clock, taken, chargeThat } = await fixture.open(database)
    const wall: HttpClient = {
      send: async () => {
        throw new NoHttpResponse('ECONNREFUSED', { mayHaveArrived: false })
      },
    }
    const silent = { debug() {}, info() {}, warn() {}, error() {} }
    const bank = connector.open({ http: wall, clock, random: systemRandom, log: silent }, access())
    assert.equal(wordOf(await bank.authorize(await chargeThat('approve', 'r1'))), 'bank_not_reached')
    assert.equal((await bank.inquire(question('r1'))).status, 'unknown')
    assert.equal(await taken('r1'), undefined)
  })

  it('puts no card number, security code or secret into an answer, an address or the log', async () => {
    const { bank, suffer, answers, lines, sent, chargeThat } = await stageOf(connector, fixture)
    for (const [index, mishap] of [undefined, ...Object.values(mishaps), echo].entries()) {
      suffer(mishap)
      for (const will of ['approve', 'decline'] as const) {
        const reference = `${will}-${index}`
        await bank.authorize(await chargeThat(will, reference))
        await bank.inquire(question(reference))
        await bank.void?.(modificationOf(fixture, reference))
      }
    }
    assert.ok(answers.length > 20)
    const output = JSON.stringify([answers, lines])
    for (const secret of fixture.unspeakable) assert.ok(!output.includes(secret))
    const addresses = JSON.stringify(sent.map(({ url }) => url))
    for (const secret of fixture.unspeakable) assert.ok(!addresses.includes(secret))
  })
}

/** A bank that returns the request. */
const echo: Mishap = (came, { body = '' }) => ({ ...came, body: Buffer.from(body) })
