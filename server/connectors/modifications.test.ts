import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { TestCard } from '../../sandbox/index.ts'
import { cards } from '../../sandbox/index.ts'
import type { ConnectorFixture, OpenConnectorFixture } from '../../testing/connectors/connector-fixture.ts'
import { connectorsUnderTest, hasSandboxTwin } from '../../testing/connectors/connectors-under-test.ts'
import { connectorFixtures } from '../../testing/connectors/fixtures.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { longIt } from '../../testing/harness/tier.ts'
import type {
  Bank,
  BankAnswer,
  BankModificationRequest,
  BankRefundRequest,
  ChargeStatus,
  Connector,
} from './index.ts'

const dayMs = 24 * 3_600_000
const timeoutMs = 45_000
/** Longest delay of a request to the bank. */
const pauseMs = 90_000

const plain = '5451030000000018'
/** Excludes cards with a wrong amount: the tests of verification cover them. */
const faulty = cards.filter(({ fault }) => fault?.modificationFault && !fault.modificationFault.shortMinor)

interface Stage extends OpenConnectorFixture {
  bank: Required<Pick<Bank, 'preAuthorize' | 'capture' | 'void' | 'refund'>> & Bank
  amountMinor: number
  /** Advances to the next day, at the same hour. */
  nextDay(): void
}

for (const connector of connectorsUnderTest()) {
  const fixture = connectorFixtures[connector.name]
  assert.ok(fixture)
  describe(`the modifications of the connector ${connector.name}`, async () => {
    const stage = await openStage(connector, fixture)

    it('a query reports held, captured, partly refunded and undone charges', async () => {
      await assertChargeStatuses(stage)
    })

    it('a modification that was done without an answer is recognised when repeated, and not done again', async () => {
      await assertKnownAgain(stage)
    })

    // One of two twin connectors is enough. `npm test` runs these cards with one connector only.
    const inTier = connector.name === 'sandbox' ? it : longIt
    for (const card of hasSandboxTwin(connector) ? [] : faulty) {
      inTier(`${card.fault?.name}: repeated requests do each modification once`, async () => {
        await assertModifications(stage, card)
      })
    }
  })
}

/** One bank for all tests of a connector: they use different references, and time moves on. */
async function openStage(connector: Connector, fixture: ConnectorFixture): Promise<Stage> {
  const open = await fixture.open((await testDatabase()).sql)
  const { clock } = open
  const tools = { http: networkHttpClient(clock), clock, random: systemRandom, log: silentLog }
  const bank = connector.open(tools, { ...open.access(), timeoutMs })
  const { preAuthorize, capture, void: undo, refund } = bank
  assert.ok(preAuthorize && capture && undo && refund)
  const beganMs = clock.now().getTime()
  const nextDay = () => clock.advance(dayMs - ((clock.now().getTime() - beganMs) % dayMs))
  return { ...open, bank: bank as Stage['bank'], amountMinor: fixture.amountMinor, nextDay }
}

const modificationOf = (reference: string, amountMinor: number): BankModificationRequest => ({
  reference,
  amountMinor,
  currency: 'TRY',
  bankReferences: {},
})

const wordOf = (answer: BankAnswer) => (answer.outcome === 'declined' ? answer.reason : answer.outcome)

const question = (reference: string) => ({ reference, currency: 'TRY' })

async function charge({ bank, chargeBy }: Stage, number: string, reference: string, preAuth = false) {
  const made = await chargeBy(number, reference, { preAuth })
  const answer = await (preAuth ? bank.preAuthorize(made) : bank.authorize(made))
  assert.equal(answer.outcome, 'approved', reference)
}

async function assertChargeStatuses(stage: Stage): Promise<void> {
  const { bank, amountMinor, nextDay } = stage
  const stands = async (reference: string) => {
    const found = await bank.inquire(question(reference))
    return 'echoed' in found ? `${found.status} ${found.echoed.amountMinor}` : found.status
  }
  const modification = (reference: string, amount = amountMinor) => modificationOf(reference, amount)
  for (const reference of ['captured', 'released', 'undone']) {
    await charge(stage, plain, reference, true)
    assert.equal(await stands(reference), `held ${amountMinor}`)
  }
  await bank.void(modification('released'))
  assert.equal(await stands('released'), 'undone')
  for (const reference of ['captured', 'undone']) {
    await bank.capture(modification(reference, 10_000))
    assert.equal(await stands(reference), 'taken 10000', 'what was taken of what was held')
  }
  await bank.void(modification('undone', 10_000))
  assert.equal(await stands('undone'), 'undone')
  nextDay()
  assert.equal(await stands('captured'), 'taken 10000')
  await bank.refund({ ...modification('captured', 4_000), refundKey: 'one', priorRefundedMinor: 0 })
  assert.equal(await stands('captured'), 'taken 10000', 'after a part the whole')
  nextDay()
  assert.equal(await stands('captured'), 'taken 10000')
  await bank.refund({ ...modification('captured', 6_000), refundKey: 'two', priorRefundedMinor: 4_000 })
  assert.equal(await stands('captured'), 'undone')
  assert.equal(await stands('never'), 'absent')
}

async function assertKnownAgain(stage: Stage): Promise<void> {
  const { bank, amountMinor, nextDay, line } = stage
  const number = faulty.find(({ fault }) => fault?.name === 'modification-lost')?.number ?? ''
  const twice = async (ask: () => Promise<BankAnswer>) => [wordOf(await ask()), wordOf(await ask())]
  nextDay()
  for (const reference of ['again-c', 'again-r']) await charge(stage, number, reference, true)
  for (const reference of ['again-v', 'again-p']) await charge(stage, number, reference)
  const capture = modificationOf('again-c', 10_000)
  assert.deepEqual(await twice(() => bank.capture(capture)), ['unknown', 'approved'])
  const less = await bank.capture({ ...capture, amountMinor: 9_999 })
  assert.equal(less.outcome, 'declined', 'another amount was not captured')
  for (const reference of ['again-r', 'again-v']) {
    const undo = () => bank.void(modificationOf(reference, amountMinor))
    assert.deepEqual(await twice(undo), ['unknown', 'nothing_to_undo'])
    assert.equal((await bank.inquire(question(reference))).status, 'undone')
  }
  nextDay()
  const part = { ...modificationOf('again-p', 4_500), refundKey: 'one', priorRefundedMinor: 0 }
  const before = await bank.inquireRefund?.(part)
  assert.deepEqual(await twice(() => bank.refund(part)), ['unknown', 'approved'])
  const after = await bank.inquireRefund?.(part)
  if (bank.inquireRefund) assert.deepEqual([before?.status, after?.status], ['not_refunded', 'refunded'])
  const lines = await Promise.all(['c', 'r', 'v', 'p'].map((letter) => line(`again-${letter}`)))
  assert.deepEqual(
    lines.map((found) => found?.operations),
    [
      ['held', 'captured'],
      ['held', 'voided'],
      ['authorized', 'voided'],
      ['authorized', 'refunded'],
    ],
  )
}

/** Modification under test: how to request it and how to find out if it is done. */
interface TestModification {
  modification: BankModificationRequest
  ask(): Promise<BankAnswer>
  /** Undefined if unknown. */
  isDone(): Promise<boolean | undefined>
}

const statusMatches =
  (
    bank: Bank,
    { reference }: BankModificationRequest,
    is: (status: ChargeStatus) => boolean,
  ): TestModification['isDone'] =>
  async () => {
    const found = await bank.inquire(question(reference))
    return found.status === 'unknown' ? undefined : is(found)
  }

function capturing({ bank }: Stage, modification: BankModificationRequest): TestModification {
  const isTaken = (found: ChargeStatus) =>
    found.status === 'taken' && found.echoed.amountMinor === modification.amountMinor
  return {
    modification,
    ask: () => bank.capture(modification),
    isDone: statusMatches(bank, modification, isTaken),
  }
}

function voiding({ bank }: Stage, modification: BankModificationRequest): TestModification {
  const isUndone = ({ status }: ChargeStatus) => status === 'undone'
  return {
    modification,
    ask: () => bank.void(modification),
    isDone: statusMatches(bank, modification, isUndone),
  }
}

/** Without `inquireRefund` a repeated request is safe. */
function refunding({ bank }: Stage, modification: BankRefundRequest): TestModification {
  const isDone = async () => {
    const { status } = (await bank.inquireRefund?.(modification)) ?? { status: 'not_refunded' }
    return status === 'unknown' ? undefined : status === 'refunded'
  }
  return { modification, ask: () => bank.refund(modification), isDone }
}

/** Requests at most `tries` times, until it is known to be done. Returns whether it is. */
async function fulfil(
  { clock }: Stage,
  card: TestCard,
  wanted: TestModification,
  tries = 3,
): Promise<boolean> {
  const { reference, amountMinor, currency } = wanted.modification
  for (let time = 0; time < tries; time++) {
    const answer = await awaited(clock, card, wanted.ask())
    const request = { reference, amountMinor, currency }
    const isAsRequested =
      answer.outcome === 'approved' && isDeepStrictEqual({ ...request, ...answer.echoed }, request)
    if (isAsRequested) return true
    let isDone: boolean | undefined
    do {
      clock.advance(pauseMs)
      isDone = await wanted.isDone()
    } while (isDone === undefined)
    if (isDone) return true
  }
  return false
}

/** Waits for a slow bank, at most for the timeout. */
async function awaited(
  clock: OpenConnectorFixture['clock'],
  { fault }: TestCard,
  asking: Promise<BankAnswer>,
) {
  const answer = fault?.modificationFault?.answer
  if (typeof answer === 'object') {
    // Two sleepers: the caller and the bank.
    const bothSleep = clock.asleep(2).then(() => true)
    const isSlow = await Promise.race([bothSleep, asking.then(() => false)])
    if (isSlow) clock.advance(Math.min(answer.afterMs, timeoutMs))
  }
  return asking
}

async function assertModifications(stage: Stage, card: TestCard): Promise<void> {
  const { line, amountMinor, nextDay } = stage
  const name = card.fault?.name ?? ''
  const isBroken = name === 'modification-broken'
  const assertDone = async (
    wanted: TestModification,
    modifications: string[],
    [held, taken, refunded]: number[],
  ) => {
    const { reference } = wanted.modification
    assert.equal(await fulfil(stage, card, wanted), !isBroken, reference)
    const found = await line(reference)
    assert.ok(found)
    if (isBroken) return assert.equal(found.operations.length, 1)
    assert.deepEqual([found.held, found.taken, found.refunded], [held, taken, refunded], reference)
    assert.deepEqual(found.operations, modifications)
  }
  nextDay()
  const [capture, release, undo, whole, parts] = ['c', 'r', 'v', 'w', 'p'].map(
    (letter) => `${name}-${letter}`,
  )
  assert.ok(capture && release && undo && whole && parts)
  await charge(stage, card.number, capture, true)
  await assertDone(capturing(stage, modificationOf(capture, 10_000)), ['held', 'captured'], [0, 10_000, 0])
  await charge(stage, card.number, release, true)
  await assertDone(voiding(stage, modificationOf(release, amountMinor)), ['held', 'voided'], [0, 0, 0])
  await charge(stage, card.number, undo)
  await assertDone(voiding(stage, modificationOf(undo, amountMinor)), ['authorized', 'voided'], [0, 0, 0])
  await charge(stage, card.number, whole)
  const all = { ...modificationOf(whole, amountMinor), refundKey: 'all', priorRefundedMinor: 0 }
  const gaveBack = stage.bank.inquireRefund ? ['authorized', 'voided'] : ['authorized', 'refunded']
  await assertDone(refunding(stage, all), gaveBack, [0, 0, stage.bank.inquireRefund ? 0 : amountMinor])
  await charge(stage, card.number, parts)
  nextDay()
  const one = { ...modificationOf(parts, 4_500), refundKey: 'one', priorRefundedMinor: 0 }
  await assertDone(refunding(stage, one), ['authorized', 'refunded'], [0, amountMinor - 4_500, 4_500])
  const two = { ...modificationOf(parts, amountMinor - 4_500), refundKey: 'two', priorRefundedMinor: 4_500 }
  if (!isBroken)
    await assertDone(refunding(stage, two), ['authorized', 'refunded', 'refunded'], [0, 0, amountMinor])
}
