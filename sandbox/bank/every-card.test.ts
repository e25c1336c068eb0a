import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { systemRandom } from '../../kit/security/random.ts'
import type { Bank, BankAnswer, ChargeStatus } from '../../server/connectors/index.ts'
import { connectorByName } from '../../server/connectors/index.ts'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import type { TestBank } from '../../testing/harness/bank.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { WatchedClock } from '../../testing/harness/clock.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { chargeWith } from '../../testing/harness/payer.ts'
import { cards } from '../index.ts'

const amount = 12_345
const minuteMs = 60_000

interface Stage {
  clock: WatchedClock
  bank: Bank
  book: TestBank
}

/** Steps that check a card. Answers are one word: `approved`, `unknown`, or the reason of a decline. */
type Script = (stage: Stage, reference: string, number: string) => Promise<void>

const wordOf = (answer: BankAnswer) => (answer.outcome === 'declined' ? answer.reason : answer.outcome)
const stateOf = (answer: ChargeStatus) => answer.status

async function modify(
  { bank }: Stage,
  what: 'capture' | 'void' | 'refund',
  reference: string,
): Promise<string> {
  const terms = {
    reference,
    amountMinor: amount,
    currency: 'TRY',
    bankReferences: {},
    refundKey: 'all',
    priorRefundedMinor: 0,
  }
  const answer = await bank[what]?.(terms)
  return answer ? wordOf(answer) : 'cannot'
}

const charging = async ({ bank }: Stage, number: string, reference: string) =>
  wordOf(await bank.authorize(chargeWith(number, reference)))

async function chargeStatus({ bank }: Stage, reference: string): Promise<string> {
  return stateOf(await bank.inquire({ reference, currency: 'TRY' }))
}

async function taken({ book }: Stage, reference: string): Promise<number | undefined> {
  return (await book.line(reference))?.taken
}

const approved: Script = async (stage, reference, number) => {
  assert.equal(await charging(stage, number, reference), 'approved')
  assert.equal(await chargeStatus(stage, reference), 'taken')
  assert.equal(await taken(stage, reference), amount)
}

const declinedAs =
  (reason: string): Script =>
  async (stage, reference, number) => {
    assert.equal(await charging(stage, number, reference), reason)
    assert.equal(await chargeStatus(stage, reference), 'declined')
    assert.equal(await taken(stage, reference), 0)
  }

/** The charge gets no answer. The money is taken `afterMs` later, and an inquiry shows it from then on. */
const takenUnknown =
  (afterMs = 0): Script =>
  async (stage, reference, number) => {
    assert.equal(await charging(stage, number, reference), 'unknown')
    if (afterMs > 0) {
      assert.equal(await chargeStatus(stage, reference), 'absent')
      stage.clock.advance(afterMs - 1)
      assert.equal(await chargeStatus(stage, reference), 'absent')
      assert.equal(await modify(stage, 'void', reference), 'nothing_to_undo')
      assert.equal(await taken(stage, reference), 0)
      assert.equal(await charging(stage, number, reference), 'duplicate_reference')
      stage.clock.advance(1)
    }
    assert.equal(await chargeStatus(stage, reference), 'taken')
    assert.equal(await taken(stage, reference), amount)
  }

const nothingTaken: Script = async (stage, reference, number) => {
  assert.equal(await charging(stage, number, reference), 'unknown')
  stage.clock.advance(200 * minuteMs)
  assert.equal(await chargeStatus(stage, reference), 'absent')
  assert.equal(await taken(stage, reference), undefined)
}

const answeredAfter =
  (seconds: number, expected: string): Script =>
  async (stage, reference, number) => {
    const asleep = stage.clock.someoneSleeps(seconds * 1000)
    const charge = charging(stage, number, reference)
    await asleep
    stage.clock.advance(Math.min(seconds, 45) * 1000)
    assert.equal(await charge, expected)
    assert.equal(await chargeStatus(stage, reference), 'taken')
    assert.equal(await taken(stage, reference), amount)
  }

const otherAmount =
  (extra: number): Script =>
  async (stage, reference, number) => {
    const answer = await stage.bank.authorize(chargeWith(number, reference))
    assert.ok(answer.outcome === 'approved' && answer.echoed.amountMinor === amount + extra)
    assert.equal(await taken(stage, reference), amount + extra)
  }

const otherReference: Script = async (stage, reference, number) => {
  const answer = await stage.bank.authorize(chargeWith(number, reference))
  assert.ok(answer.outcome === 'approved' && answer.echoed.reference === `${reference}-2`)
  assert.equal(await taken(stage, reference), amount)
}

const forGood: Script = async (stage, reference, number) => {
  await approved(stage, reference, number)
  for (const what of ['void', 'refund'] as const) {
    assert.equal(await modify(stage, what, reference), 'invalid_transaction')
  }
  await stage.bank.preAuthorize?.(chargeWith(number, `${reference}-held`))
  assert.equal(await modify(stage, 'capture', `${reference}-held`), 'invalid_transaction')
  assert.equal(await taken(stage, reference), amount)
}

/** Inquiries get no answer for this long. */
const silentFor = async (stage: Stage, number: string, reference: string, minutes: number) => {
  assert.equal(await charging(stage, number, reference), 'unknown')
  stage.clock.advance(minutes * minuteMs - 1)
  assert.equal(await chargeStatus(stage, reference), 'unknown')
  assert.equal(await taken(stage, reference), amount)
}

const silent: Script = async (stage, reference, number) => {
  await silentFor(stage, number, reference, 10)
  stage.clock.advance(1)
  assert.equal(await chargeStatus(stage, reference), 'taken')
}

/**
 * Reverses the charge. Arguments: the answers to the voids, then to the refunds, and the amount that stays
 * taken.
 */
const reversing =
  (voids: string[], refunds: string[], left: number): Script =>
  async (stage, reference, number) => {
    await silentFor(stage, number, reference, 61)
    for (const expected of voids) assert.equal(await modify(stage, 'void', reference), expected)
    for (const expected of refunds) assert.equal(await modify(stage, 'refund', reference), expected)
    assert.equal(await taken(stage, reference), left)
    stage.clock.advance(1)
    assert.equal(await chargeStatus(stage, reference), left === 0 ? 'undone' : 'taken')
  }

const scripts: Record<string, Script> = {
  '5400360000000003': approved,
  '5451030000000000': approved,
  '5406670000000009': forGood,
  '4111111111111129': declinedAs('insufficient_funds'),
  '4129111111111111': declinedAs('do_not_honour'),
  '4128111111111112': declinedAs('invalid_transaction'),
  '4127111111111113': declinedAs('lost_card'),
  '4126111111111114': declinedAs('stolen_card'),
  '4125111111111115': declinedAs('expired_card'),
  '4124111111111116': declinedAs('wrong_cvc'),
  '4123111111111117': declinedAs('not_permitted_to_holder'),
  '4122111111111118': declinedAs('not_permitted_to_terminal'),
  '4121111111111119': declinedAs('suspected_fraud'),
  '4120111111111110': declinedAs('pick_up_card'),
  '4130111111111118': declinedAs('other'),
  '4190000000000101': takenUnknown(),
  '4190000000000119': nothingTaken,
  '4190000000000127': takenUnknown(90_000),
  '4190000000000135': takenUnknown(100 * minuteMs),
  '4190000000000200': answeredAfter(30, 'approved'),
  '4190000000000218': answeredAfter(120, 'unknown'),
  '4190000000000309': takenUnknown(),
  '4190000000000317': takenUnknown(),
  '4190000000000325': takenUnknown(),
  '4190000000000333': nothingTaken,
  '4190000000000408': otherAmount(100),
  '5451030000000406': otherAmount(100),
  '5451030000000414': otherAmount(-100),
  '4190000000000416': otherReference,
  '4190000000000507': silent,
  '4190000000000606': reversing(['unknown', 'nothing_to_undo'], ['nothing_to_undo'], 0),
  '4190000000000614': reversing(['other', 'approved', 'nothing_to_undo'], [], 0),
  '4190000000000622': reversing(['already_settled', 'already_settled'], ['approved', 'approved'], 0),
  '4190000000000630': reversing(['other', 'other'], ['other', 'other'], amount),
}

async function stageOn(sql: BatchingSql): Promise<Stage> {
  const clock = new WatchedClock()
  const book = await testBank({ sql, clock })
  const tools = { http: networkHttpClient(clock), clock, random: systemRandom, log: silentLog }
  const secrets = { terminal: '42', password: 'long enough' }
  const access = { sandboxUrl: book.address, settings: {}, secrets, timeoutMs: 45_000 }
  const bank = connectorByName('sandbox')?.open(tools, access)
  assert.ok(bank)
  return { clock, book, bank }
}

describe('every test card behaves as its description states', async () => {
  const { sql } = await testDatabase()
  for (const [index, { number, does, fault }] of cards.entries()) {
    it(`${number}: ${does.en}`, async () => {
      // Faults of modifications are tested in modification-cards.test.ts.
      const script = fault?.modificationFault ? approved : scripts[number]
      assert.ok(script, 'a card has a script')
      await script(await stageOn(sql), `card-${index}`, number)
    })
  }
})
