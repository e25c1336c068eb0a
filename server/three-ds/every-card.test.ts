import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { RowOf } from '../../kit/runtime/table.ts'
import type { AuthenticationCard } from '../../sandbox/index.ts'
import { authenticationCards } from '../../sandbox/index.ts'
import { bankDifferences } from '../../testing/invariants/bank-differences.ts'
import { integrityViolations } from '../../testing/invariants/consistency.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { authentications } from './authentication.ts'

const checkout = await testCheckout()
const { services, clock } = checkout

const authenticationOf = (paymentId: number) =>
  services.sql.one<RowOf<typeof authentications>>(
    sql`select ${authentications.columns()} from authentications where payment_id = ${paymentId}`,
  )

/** Method completion indicator sent to the issuer. */
async function sentMethodCompletion(paymentId: number): Promise<unknown> {
  const found = await services.sql.maybe<{ body: Record<string, unknown> }>(
    sql`select body from traces where payment_id = ${paymentId} and kind = 'AReq'`,
  )
  return found?.body['threeDSCompInd']
}

/** Pays with a card and advances the clock until neither the bank nor the service has work left. */
async function payWith({ number, expected, behaviour: conduct }: AuthenticationCard): Promise<number> {
  const { id, path } = await checkout.open()
  const browser = checkout.browser()
  assert.equal((await browser.submit(path, number)).next, 'bank_frame')
  const opens = conduct.quirk !== 'page silent'
  const proving = browser.prove(path, { reaction: opens ? 'right code' : 'goes away' })
  // Only a card that times out needs the clock to advance.
  await (conduct.answer === 'timeout' ? checkout.passUntil(proving) : proving)
  await checkout.settle()
  const waits = [6, 31, services.config.resultSeconds + 1]
  for (const seconds of waits) {
    if ((await authenticationOf(id)).state !== 'challenging') break
    clock.advance(seconds * 1000)
    await checkout.processAuthentications()
  }
  assert.equal((await authenticationOf(id)).challengedAt !== null, expected.challenge === true)
  return id
}

/** Our names for the outcomes in the sandbox's table. */
function outcomeOf({ expected }: AuthenticationCard): (string | null)[] {
  switch (expected.status) {
    case 'none':
      return ['not_enrolled']
    case 'error':
      return ['error', 'timeout']
    case 'unheard':
      return ['timeout']
    // The POS did not request data sharing only, so the sandbox answers U.
    case 'I':
      return ['U']
    default:
      return [expected.status]
  }
}

describe('every test card of the directory server ends as its table states', () => {
  for (const card of authenticationCards) {
    it(`${card.number}: ${card.does.en}`, async () => {
      const id = await payWith(card)
      const row = await authenticationOf(id)
      const isProven = ['Y', 'A'].includes(card.expected.status)
      assert.ok(outcomeOf(card).includes(row.status), row.status ?? '')
      assert.equal(row.state, isProven ? 'proven' : 'refused')
      if (isProven) assert.equal(row.eci, card.expected.eci)
      assert.equal(row.proof, null, 'the cryptogram is gone')
      const { payment_status_text, transaction_code } = await checkout.result(id)
      assert.equal(payment_status_text, isProven ? 'success' : 'waiting')
      if (!isProven) assert.match(transaction_code, /^3DS-/)
      const { method = 'none' } = card.expected
      const expectedCompletion = { none: 'U', heard: 'Y', silent: 'N' }[method]
      if (row.methodUrl || method === 'none')
        assert.ok([expectedCompletion, undefined].includes((await sentMethodCompletion(id)) as string))
    })
  }

  it('the bank’s records hold the same charges as ours, and ours agree with each other', async () => {
    assert.deepEqual(await bankDifferences(checkout), [])
    assert.deepEqual(await integrityViolations(checkout), [])
  })
})
