import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchingSql } from '../../server/database/batching-sql.ts'
import { testBank } from '../../testing/harness/bank.ts'
import { WatchedClock } from '../../testing/harness/clock.ts'
import { testDatabase } from '../../testing/harness/database.ts'
import type { AcsPage, RequestorMessage } from '../../testing/three-ds/requestor.ts'
import { testRequestor } from '../../testing/three-ds/requestor.ts'
import { isCavvFor } from '../bank/cavv.ts'
import { cards } from '../cards/cards.ts'
import type { AuthenticationCard } from '../index.ts'
import { authenticationCards } from '../index.ts'

const agreed = { amount: 125_000, currency: 'TRY' }

async function stageOn(sql: BatchingSql) {
  const clock = new WatchedClock()
  const bank = await testBank({ sql, clock })
  return { ...(await testRequestor(bank)), clock, bank }
}

type Stage = Awaited<ReturnType<typeof stageOn>>

/** Types the right code and returns the next page. */
async function confirmed({ open, answer }: Stage, response: RequestorMessage): Promise<AcsPage> {
  assert.equal(response['transStatus'], 'C')
  assert.equal(response['acsChallengeMandated'], 'Y')
  assert.equal(response['authenticationType'], '02')
  const page = await open(response)
  return answer(page, page.codes[0] ?? '')
}

/** Asserts that a response or results have the expected status, ECI, CAVV and reason. */
function assertMessage(
  message: RequestorMessage | undefined,
  { expected }: Pick<AuthenticationCard, 'expected'>,
): void {
  const { transStatus, eci, authenticationValue, transStatusReason } = message ?? {}
  assert.deepEqual([transStatus, eci], [expected.status, expected.eci])
  const hasValue = ['Y', 'A', 'I'].includes(expected.status)
  if (hasValue) assert.ok(isCavvFor(agreed, String(authenticationValue)))
  else assert.equal(authenticationValue, undefined)
  assert.equal(transStatusReason !== undefined, !hasValue)
}

async function walk(on: Stage, card: AuthenticationCard): Promise<void> {
  const { number, behaviour, expected } = card
  const indicator = behaviour.answer === 'I' ? { threeDSRequestorChallengeInd: '06' } : {}
  const request = on.request(number, indicator)
  const sleeping = on.clock.someoneSleeps(15_000)
  const responding = on.send(request)
  if (behaviour.answer === 'timeout') {
    await sleeping
    on.clock.advance(15_000)
  }
  const response = await responding
  if (behaviour.answer === 'error' || behaviour.answer === 'timeout' || behaviour.answer === 'not enrolled') {
    const code = { error: '404', timeout: '402', 'not enrolled': '305' }[behaviour.answer]
    assert.deepEqual([response['messageType'], response['errorCode']], ['Erro', code])
    return
  }
  assert.equal(response['messageType'], 'ARes')
  if (behaviour.quirk === 'answer of another') {
    assert.notEqual(response['threeDSServerTransID'], request['threeDSServerTransID'])
    return
  }
  assert.equal(response['threeDSServerTransID'], request['threeDSServerTransID'])
  if (behaviour.quirk === 'answer mangled') {
    assert.equal(String(response['authenticationValue']).length, 27)
    return
  }
  if (!expected.challenge) return assertMessage(response, card)
  await walkChallenge(on, card, response)
}

async function walkChallenge(on: Stage, card: AuthenticationCard, response: RequestorMessage): Promise<void> {
  const { results, bank, clock } = on
  const { quirk, meaning } = card.behaviour
  if (quirk === 'page silent') {
    const silent = on.open(response).then(
      () => 'shown',
      () => 'broken off',
    )
    clock.advance(30_000)
    await bank.processDue()
    assertMessage(results[0], card)
    await bank.close()
    assert.equal(await silent, 'broken off')
    return
  }
  const end = await confirmed(on, response)
  if (quirk === 'results late') {
    assert.ok(end.completion)
    clock.advance(4_999)
    await bank.processDue()
    assert.equal(results.length, 0)
    clock.advance(1)
    await bank.processDue()
  }
  if (quirk === 'results lost') {
    clock.advance(3_600_000)
    await bank.processDue()
    assert.equal(results.length, 0)
  } else assertMessage(results.at(-1), card)
  const count =
    quirk === 'results lost' ? 0 : quirk === 'results doubled' || quirk === 'results of another' ? 2 : 1
  assert.equal(results.length, count)
  const isStranger = results[0]?.['threeDSServerTransID'] !== response['threeDSServerTransID']
  if (count > 0) assert.equal(isStranger, quirk === 'results of another')
  if (quirk === 'results doubled') assert.deepEqual(results[0], results[1])
  const { messageType, transStatus, errorComponent } = end.completion ?? {}
  if (quirk === 'completion lost') assert.equal(end.action, undefined)
  else if (meaning === 'error') assert.deepEqual([messageType, errorComponent], ['Erro', 'A'])
  else {
    const status = meaning === 'Y' || quirk === 'completion lies' ? 'Y' : 'N'
    assert.deepEqual([messageType, transStatus], ['CRes', status])
  }
}

describe('every authentication card behaves as its description states', async () => {
  const { sql } = await testDatabase()
  for (const card of authenticationCards) {
    it(`${card.number}: ${card.does.en}`, async () => walk(await stageOn(sql), card))
  }

  it('cards with a decline or a fault are not challenged; all others are challenged and authenticated', async () => {
    const on = await stageOn(sql)
    for (const { number, declines, fault } of cards) {
      const { transStatus } = await on.send(on.request(number))
      assert.equal(transStatus, declines || fault ? 'Y' : 'C', number)
    }
    for (const number of ['5400360000000003', '4111111111111111', '378282246310005', '6501700000000006']) {
      await confirmed(on, await on.send(on.request(number)))
      const { transStatus, eci } = on.results.at(-1) ?? {}
      assert.deepEqual([transStatus, eci], ['Y', /^[56]/.test(number) ? '02' : '05'], number)
    }
  })
})
