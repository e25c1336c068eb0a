import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiAnswer, GatePage } from '../../testing/connectors/nestpay-shop.ts'
import { NestpayShop, passcodeOn } from '../../testing/connectors/nestpay-shop.ts'
import type { TestBank } from '../../testing/harness/bank.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { CardFault } from '../cards/fault.ts'
import { cards } from '../index.ts'
import type { CallbackTrick, NestpayCard } from './cards.ts'
import { nestpayCards } from './cards.ts'
import { hashOf } from './hash.ts'

interface Stage {
  shop: NestpayShop
  bank: TestBank
  clock: TestClock
}

const { sql } = await testDatabase()
let shops = 700_655_000_200

/** A bank and a shop that is not enrolled yet. */
async function stageOnTest(): Promise<Stage> {
  const clock = new TestClock()
  const bank = await testBank({ sql, clock })
  return { shop: new NestpayShop(bank.address, String(++shops)), bank, clock }
}

/** Fields that differ from a correct callback, by trick. */
const differences: Record<CallbackTrick, Record<string, string | undefined>> = {
  'wrong hash': {},
  'other amount': { amount: '124.45' },
  'other order': { oid: 'a-2' },
  'other currency': { currency: '840' },
  'other installments': { taksit: '3' },
  doubled: {},
  'no status': { mdStatus: undefined },
  never: {},
  latin5: { merchantName: 'Işıklı Çiçekçilik Ürünleri Ltd. Şti.', encoding: 'ISO-8859-9' },
  'used xid': {},
}

const outcomes = {
  paid: 'Approved',
  half: 'Approved',
  disbelieved: 'Approved',
  refused: 'Error',
  unsure: 'Error',
  silence: undefined,
}

async function through(
  shop: NestpayShop,
  number: string,
): Promise<{ page: GatePage; isChallenged: boolean }> {
  const page = await shop.open(number, 'a')
  if (!page.action?.startsWith('/')) return { page, isChallenged: false }
  return { page: await shop.post(page.action, [['code', passcodeOn(page)]]), isChallenged: true }
}

/** Asserts that the gate's callback matches the description of the card. */
function assertCallback({ mdStatus, trick }: NestpayCard, page: GatePage, { storeKey }: NestpayShop): void {
  const { fields, action, html, policy } = page
  const honest = { amount: '123.45', oid: 'a', currency: '949', taksit: '', mdStatus }
  const expectedFields = { ...honest, ...(trick ? differences[trick] : {}) }
  for (const [name, value] of Object.entries(expectedFields)) assert.equal(fields.get(name), value, name)
  assert.equal(action, `https://shop.example/${['1', '2', '3', '4'].includes(mdStatus) ? 'ok' : 'fail'}`)
  assert.equal(fields.get('HASH') === hashOf(fields, storeKey), trick !== 'wrong hash')
  assert.match(html, new RegExp(`accept-charset="${trick === 'latin5' ? 'ISO-8859-9' : 'UTF-8'}"`))
  assert.equal(html.includes('fetch('), trick === 'doubled')
  assert.equal(policy.includes('connect-src'), trick === 'doubled')
}

describe('every card of the gate behaves as its description states', () => {
  for (const card of nestpayCards) {
    it(`${card.number}: ${card.does.en}`, async () => {
      const { shop } = await stageOnTest()
      const { page, isChallenged } = await through(shop, card.number)
      assert.equal(isChallenged, card.isChallenged)
      if (card.trick === 'never') return assert.equal(page.action, undefined)
      assertCallback(card, page, shop)
      // This merchant verifies nothing, so the answer shows whether the bank would charge.
      const answer = await shop.charge(page.fields, 'a')
      assert.equal(answer.get('Response'), card.trick === 'no status' ? 'Approved' : outcomes[card.expected])
      if (card.trick === 'used xid') assert.equal(answer.get('ERRORCODE'), 'CORE-2127')
    })
  }

  it('a card without a rule is challenged', async () => {
    const { shop } = await stageOnTest()
    for (const number of ['5451030000000000', '5400360000000003', '4355084355084358']) {
      const { page, isChallenged } = await through(shop, number)
      assert.ok(isChallenged)
      assert.equal(page.fields.get('mdStatus'), '1')
      assert.equal(page.fields.get('eci'), number.startsWith('4') ? '05' : '02')
    }
  })
})

/** Asserts that the answer to a charge has the fault. */
async function assertAnswered({ answer }: CardFault, clock: TestClock, charge: () => Promise<ApiAnswer>) {
  if (typeof answer === 'object') {
    const late = charge()
    await clock.asleep(1)
    clock.advance(answer.afterMs)
    assert.equal((await late).get('Response'), 'Approved')
  } else if (answer === 'lost') await assert.rejects(charge, TypeError)
  else if (answer === 'failure') await assert.rejects(charge, /500/)
  else if (answer === 'page' || answer === 'garbled') {
    assert.doesNotMatch((await charge()).text, /<\/CC5Response>/)
  } else assert.equal((await charge()).get('OrderId'), answer === 'other reference' ? 'a-2' : 'a')
}

/** Asserts that the bank knows the charge from the time, and with the amount, that the fault sets. */
async function assertKnown(
  { done, statusFailsForMs = 0, extraMinor = 0 }: CardFault,
  { shop, bank, clock }: Stage,
) {
  if (statusFailsForMs > 0) {
    await assert.rejects(() => shop.status('a'), TypeError)
    clock.advance(statusFailsForMs)
  }
  if (done) assert.equal((await shop.status('a')).get('ErrMsg'), 'No record found for a')
  const isKnown = (await bank.book()).some(({ terminal }) => terminal === shop.clientId)
  assert.equal(isKnown, done !== 'never')
  if (done === 'never') return
  if (done) clock.advance(done.afterMs)
  assert.equal((await shop.status('a')).get('CAPTURE_AMT'), String(12_345 + extraMinor))
}

describe('every card of the issuer behaves at the NestPay API as it does at the acquirer', () => {
  const minuteMs = 60_000

  for (const { number, does, declines, fault } of cards) {
    // Faults of modifications are tested in modification-cards.test.ts.
    if ((!declines && !fault) || fault?.modificationFault) continue
    it(`${number}: ${does.en}`, async () => {
      const stage = await stageOnTest()
      const { page, isChallenged } = await through(stage.shop, number)
      assert.ok(!isChallenged)
      const charge = () => stage.shop.charge(page.fields, 'a')
      if (declines) assert.equal((await charge()).get('ProcReturnCode'), declines)
      if (!fault) return
      await assertAnswered(fault, stage.clock, charge)
      await assertKnown(fault, stage)
    })
  }

  it('cards with faulty voids and refunds fail in the same way', async () => {
    const word = async (answer: ReturnType<NestpayShop['void']>) => {
      const response = await answer
      return response.get('ProcReturnCode') === '99'
        ? response.get('ERRORCODE')
        : response.get('ProcReturnCode')
    }
    const undone = async (name: string) => {
      const stage = await stageOnTest()
      const number = cards.find(({ fault }) => fault?.name === name)?.number ?? ''
      await stage.shop.pay(number, 'a').catch(() => undefined)
      stage.clock.advance(61 * minuteMs)
      return stage
    }
    const forGood = await undone('for-good')
    assert.equal(await word(forGood.shop.void('a')), '12')
    const once = await undone('void-fails-once')
    assert.deepEqual([await word(once.shop.void('a')), await word(once.shop.void('a'))], ['96', '00'])
    const lost = await undone('void-lost')
    await assert.rejects(() => lost.shop.void('a'), TypeError)
    assert.equal((await lost.shop.status('a')).get('TRANS_STAT'), 'V')
    const settled = await undone('void-settled')
    assert.equal(await word(settled.shop.void('a')), 'CORE-2008')
    assert.equal((await settled.shop.status('a')).get('TRANS_STAT'), 'S')
    assert.equal(await word(settled.shop.credit('a', '123.45')), '00')
    const stuck = await undone('stuck')
    assert.equal(await word(stuck.shop.void('a')), '96')
    stuck.clock.advance(24 * 60 * minuteMs)
    assert.equal(await word(stuck.shop.credit('a', '1.00')), '96')
  })
})
