import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { newUuid } from '../../kit/security/uuid.ts'
import { cavvFor } from '../../sandbox/index.ts'
import { jsonOf } from '../../testing/till/browser.ts'
import { resultsRequest, startChallenge } from '../../testing/till/challenge.ts'
import { testCheckout } from '../../testing/till/checkout.ts'

const checkout = await testCheckout()
const { services, clock, bank } = checkout
const browser = checkout.browser()

const agreed = { amount: 10_000, currency: 'TRY' }
const authenticationValue = cavvFor(agreed, Buffer.from('of tests'))
const unproven = { transStatus: 'N', transStatusReason: '01', eci: '07', authenticationValue: undefined }

async function bring(url: string, message: object | string) {
  const text = typeof message === 'string' ? message : JSON.stringify(message)
  const answer = await browser.postText(url, text)
  await checkout.settle()
  return jsonOf(answer)
}

const statusOf = async (id: number) => (await checkout.result(id)).payment_status_text

describe('a message to the results address', () => {
  it('with status Y is acknowledged, and the card is charged', async () => {
    const challenged = await startChallenge(checkout)
    const rres = await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue }))
    assert.deepEqual(rres, {
      messageType: 'RRes',
      messageVersion: '2.3.1',
      threeDSServerTransID: challenged.serverTransId,
      acsTransID: challenged.acsTransId,
      dsTransID: challenged.dsTransId,
      resultsStatus: '01',
    })
    assert.equal(await statusOf(challenged.id), 'success')
  })

  it('sent several times at the same time charges once', async () => {
    const challenged = await startChallenge(checkout)
    const message = resultsRequest(challenged, { authenticationValue })
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => bring(challenged.resultsUrl, message)))
    for (const { resultsStatus } of answers) assert.equal(resultsStatus, '01')
    assert.equal(await statusOf(challenged.id), 'success')
    assert.equal((await bank.line(String(challenged.attemptId)))?.taken, 10_000)
    assert.equal(await bankCallCount(challenged.attemptId), 1)
  })

  it('with status N is final, even if a Y follows', async () => {
    const challenged = await startChallenge(checkout)
    await bring(challenged.resultsUrl, resultsRequest(challenged, unproven))
    await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue }))
    const { payment_status_text, transaction_code } = await checkout.result(challenged.id)
    assert.deepEqual([payment_status_text, transaction_code], ['waiting', '3DS-N-01'])
    assert.equal(await bankCallCount(challenged.attemptId), 0)
  })

  const strange: [string, object | string, string][] = [
    ['with another threeDSServerTransID', { threeDSServerTransID: newUuid(systemRandom) }, '301'],
    ['with another acsTransID', { acsTransID: newUuid(systemRandom) }, '301'],
    ['with another dsTransID', { dsTransID: newUuid(systemRandom) }, '301'],
    ['in version 2.1.0', { messageVersion: '2.1.0' }, '102'],
    ['in a version that was not agreed on', { messageVersion: '2.2.0' }, '203'],
    ['with status C', { transStatus: 'C' }, '203'],
    ['with status I', { transStatus: 'I' }, '203'],
    ['without a cryptogram', { authenticationValue: undefined }, '201'],
    ['with the ECI of a failure', { eci: '07' }, '203'],
    ['of another message type', { messageType: 'ARes' }, '101'],
    ['with a critical extension', { messageExtension: [extension()] }, '202'],
    ['that is not JSON', '{', '101'],
    ['with a repeated element', '{"messageType":"RReq","messageType":"RReq"}', '204'],
  ]
  for (const [name, other, code] of strange) {
    it(`${name} is refused with ${code} and changes nothing`, async () => {
      const challenged = await startChallenge(checkout)
      const message =
        typeof other === 'string' ? other : resultsRequest(challenged, { authenticationValue, ...other })
      const erro = await bring(challenged.resultsUrl, message)
      assert.deepEqual([erro.messageType, erro.errorCode, erro.errorComponent], ['Erro', code, 'S'])
      assert.equal(await stateOf(challenged.attemptId), 'challenging')
      // The correct RReq still counts.
      await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue }))
      assert.equal(await statusOf(challenged.id), 'success')
    })
  }

  it('at the address of another payment, another purpose or an invented one is refused as an unknown transaction', async () => {
    const challenged = await startChallenge(checkout)
    const other = await startChallenge(checkout)
    const message = resultsRequest(challenged, { authenticationValue })
    const { pageUrl } = checkout
    const returnToken = challenged.challengeUrl.slice(challenged.challengeUrl.lastIndexOf('/') + 1)
    for (const url of [
      other.resultsUrl,
      `${pageUrl}/3ds/results/${returnToken}`,
      `${pageUrl}/3ds/results/made-up`,
    ]) {
      assert.equal((await bring(url, message)).errorCode, '301')
    }
    assert.equal(await stateOf(challenged.attemptId), 'challenging')
    assert.equal(await stateOf(other.attemptId), 'challenging')
  })

  it('after the payer has submitted another card, or the page has expired, is acknowledged and charges nothing', async () => {
    const superseded = await startChallenge(checkout)
    await browser.submit(superseded.path, '5400360000000003')
    const expired = await startChallenge(checkout)
    clock.advance(31 * 60_000)
    for (const challenged of [superseded, expired]) {
      const rres = await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue }))
      assert.equal(rres.resultsStatus, '01')
      assert.equal(await bankCallCount(challenged.attemptId), 0)
      assert.equal(await bank.line(String(challenged.attemptId)), undefined)
    }
  })

  it('with a cryptogram for another amount is declined by the issuer', async () => {
    const challenged = await startChallenge(checkout)
    const cheaper = cavvFor({ ...agreed, amount: 100 }, Buffer.from('of tests'))
    await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue: cheaper }))
    const { payment_status_text, transaction_code } = await checkout.result(challenged.id)
    assert.deepEqual([payment_status_text, transaction_code], ['waiting', '1A'])
  })
})

describe('a CRes from the browser', () => {
  const cresOf = (challenged: { serverTransId: string; acsTransId: string }, other: object = {}) =>
    Buffer.from(
      JSON.stringify({
        messageType: 'CRes',
        messageVersion: '2.3.1',
        threeDSServerTransID: challenged.serverTransId,
        acsTransID: challenged.acsTransId,
        challengeCompletionInd: 'Y',
        transStatus: 'Y',
        ...other,
      }),
    ).toString('base64url')

  it('with a forged Y charges nothing, and the attempt times out', async () => {
    const challenged = await startChallenge(checkout)
    await browser.postForm(challenged.form)
    await browser.postForm({ action: challenged.challengeUrl, fields: { cres: cresOf(challenged) } })
    await checkout.settle()
    assert.equal(await stateOf(challenged.attemptId), 'challenging')
    clock.advance((services.config.resultSeconds + 1) * 1000)
    await checkout.processAuthentications()
    const { payment_status_text, transaction_code } = await checkout.result(challenged.id)
    assert.deepEqual([payment_status_text, transaction_code], ['waiting', '3DS-TIMEOUT'])
    assert.equal(await bankCallCount(challenged.attemptId), 0)
  })

  it('with a Y after the bank’s N charges nothing', async () => {
    const challenged = await startChallenge(checkout)
    await bring(challenged.resultsUrl, resultsRequest(challenged, unproven))
    await browser.postForm({ action: challenged.challengeUrl, fields: { cres: cresOf(challenged) } })
    assert.equal(await statusOf(challenged.id), 'waiting')
    assert.equal(await bankCallCount(challenged.attemptId), 0)
  })

  it('of another transaction, or an unreadable one, changes nothing and gets a page with 200', async () => {
    const challenged = await startChallenge(checkout)
    const posts: Record<string, string>[] = [
      { cres: cresOf(challenged, { threeDSServerTransID: newUuid(systemRandom) }) },
      { cres: cresOf(challenged, { acsTransID: newUuid(systemRandom) }) },
      { cres: '%%%' },
      { cres: 'A'.repeat(100_000) },
      {},
    ]
    for (const fields of posts) {
      const page = await browser.postForm({ action: challenged.challengeUrl, fields })
      assert.equal(page.status, 200)
      assert.equal(await returnedOf(challenged.attemptId), null)
    }
  })

  it('replayed after the end changes nothing', async () => {
    const challenged = await startChallenge(checkout)
    await bring(challenged.resultsUrl, resultsRequest(challenged, { authenticationValue }))
    for (let time = 0; time < 3; time++)
      await browser.postForm({ action: challenged.challengeUrl, fields: { cres: cresOf(challenged) } })
    assert.equal(await statusOf(challenged.id), 'success')
    assert.equal(await bankCallCount(challenged.attemptId), 1)
  })
})

function extension() {
  return { name: 'made up', id: 'A000000802-001', criticalityIndicator: true, data: {} }
}

async function stateOf(attemptId: number): Promise<string> {
  const { state } = await services.sql.one<{ state: string }>(
    sql`select state from authentications where attempt_id = ${attemptId}`,
  )
  return state
}

async function returnedOf(attemptId: number): Promise<Date | null> {
  const { at } = await services.sql.one<{ at: Date | null }>(
    sql`select returned_at as at from authentications where attempt_id = ${attemptId}`,
  )
  return at
}

/** Number of authorization calls to the bank. */
async function bankCallCount(attemptId: number): Promise<number> {
  const { count } = await services.sql.one<{ count: number }>(
    sql`select count(*)::int as count from bank_calls where attempt_id = ${attemptId} and operation = 'authorize'`,
  )
  return count
}
