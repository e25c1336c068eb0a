import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { findCards } from '../../testing/harness/card-search.ts'
import { runTypedCommand } from '../../testing/harness/command-line.ts'
import { typedPayer } from '../../testing/harness/payer.ts'
import { testCheckout } from '../../testing/till/checkout.ts'
import { changePos } from '../pos/change-pos.ts'

const checkout = await testCheckout({ connector: 'sandbox' })
const { services } = checkout

const frictionless = '4000000000002701'
const unavailable = '4000000000002313'
const notEnrolled = '4000000000002990'
const dataOnly = '4000000000002024'
const challenge = '4000000000002503'

async function set(settings: Record<string, string>): Promise<void> {
  const { id: pos } = await services.sql.one<{ id: number }>(
    sql`select id from pos_credentials where state = 'active'`,
  )
  await changePos(services, { pos, settings }, undefined)
}

async function payWith(number: string, form?: string) {
  const { id, path } = await checkout.open(form)
  const browser = checkout.browser()
  await browser.submit(path, number)
  await browser.prove(path, { reaction: 'right code' })
  await checkout.settle()
  const { payment_status_text: status, transaction_code: code } = await checkout.result(id)
  return { id, path, status, code }
}

/** Stored trace of the AReq sent for a payment. */
async function areqOf(paymentId: number): Promise<Record<string, unknown>> {
  const { body } = await services.sql.one<{ body: Record<string, unknown> }>(
    sql`select body from traces where payment_id = ${paymentId} and kind = 'AReq'`,
  )
  return body
}

describe('the 3-D Secure settings of a POS', () => {
  it('without accepted statuses, an unproven outcome is refused and the bank is not called', async () => {
    await set({})
    for (const [number, code] of [
      [unavailable, '3DS-U-'],
      [notEnrolled, '3DS-NOT-ENROLLED'],
    ] as const) {
      const { status, code: declineCode } = await payWith(number)
      assert.equal(status, 'waiting')
      assert.ok(declineCode.startsWith(code), declineCode)
    }
  })

  it('with U and not_enrolled accepted, the bank is called without a proof and decides itself', async () => {
    await set({ accepts: 'U not_enrolled' })
    for (const number of [unavailable, notEnrolled]) {
      const { status, code } = await payWith(number)
      assert.deepEqual([status, code], ['waiting', '1A'])
    }
  })

  it('with I accepted and challenge indicator 06, data is shared only, the bank is called and the payment succeeds', async () => {
    await set({ accepts: 'I', challenge: '06' })
    const { status } = await payWith(dataOnly)
    assert.equal(status, 'success')
  })

  it('no accepted status lets a refused cardholder pay', async () => {
    await set({ accepts: 'U I not_enrolled' })
    for (const number of ['4000000000002925', '4000000000002537']) {
      assert.equal((await payWith(number)).status, 'waiting')
    }
    await set({})
  })

  it('a challenge indicator of the POS is sent in the AReq and leads to a challenge', async () => {
    await set({ challenge: '04' })
    const { id, status } = await payWith(frictionless)
    assert.equal(status, 'success')
    assert.equal((await areqOf(id))['threeDSRequestorChallengeInd'], '04')
    const { at } = await services.sql.one<{ at: Date | null }>(
      sql`select challenged_at as at from authentications where payment_id = ${id}`,
    )
    assert.ok(at)
    await set({})
  })
})

describe('the AReq to the directory server', () => {
  it('is sent once, even if the browser reports its data several times at the same time', async () => {
    const { id, path } = await checkout.open()
    const browser = checkout.browser()
    await browser.submit(path, challenge)
    await Promise.all(
      [1, 2, 3, 4, 5].map(() => browser.prove(path, { reaction: 'goes away' }, { runsMethod: false })),
    )
    const { count } = await services.sql.one<{ count: number }>(
      sql`select count(*)::int as count from traces where payment_id = ${id} and kind = 'AReq'`,
    )
    assert.equal(count, 1)
  })

  it('leaves the card sealed during a challenge: no database row and no log line shows it', async () => {
    const { id, path } = await checkout.open()
    const browser = checkout.browser()
    await browser.submit(path, challenge)
    await browser.prove(path, { reaction: 'goes away' }, { runsMethod: false })
    const { isChallenged } = await services.sql.one<{ isChallenged: boolean }>(sql`
      select a.state = 'challenging' as "isChallenged" from authentications a
      join sealed_cards c on c.merchant_id = a.merchant_id and c.attempt_id = a.attempt_id
      where a.payment_id = ${id}`)
    assert.ok(isChallenged)
    assert.deepEqual(await findCards(services.sql, checkout.lines), [])
  })

  it('holds the amount, the merchant and the browser data; its stored trace holds no card number', async () => {
    const { id } = await payWith(frictionless)
    const areq = await areqOf(id)
    const { purchaseAmount, purchaseCurrency, purchaseExponent, browserColorDepth, browserTZ } = areq
    assert.deepEqual(
      [purchaseAmount, purchaseCurrency, purchaseExponent, browserColorDepth, browserTZ],
      ['10000', '949', '2', '24', '-180'],
    )
    assert.equal(areq['acctNumber'], '400000******2701')
    assert.equal(areq['cardExpiryDate'], '***')
  })

  it('holds the payer’s e-mail and phone, given by the merchant or typed on the page; its stored trace masks both', async (t) => {
    const { http } = services
    const requests: Record<string, unknown>[] = []
    services.http = {
      send: (request) => {
        if (request.url.endsWith('/directory')) requests.push(JSON.parse(request.body ?? '{}'))
        return http.send(request)
      },
    }
    t.after(() => {
      services.http = http
    })
    const form = 'name=I%C5%9F%C4%B1k&lastname=Y%C4%B1ld%C4%B1z&email=isik@example.com&phone=%2B905551112233'
    const token = await checkout.token()
    const customer = await checkout.call({ method: 'POST', url: '/v1/customers', token, form })
    for (const [started, email, subscriber] of [
      [`amount=10000&currency=TRY&customer_id=${customer.json.id}`, 'isik@example.com', '5551112233'],
      [undefined, typedPayer.email, '5321234567'],
    ] as const) {
      const { id } = await payWith(frictionless, started)
      const areq = await areqOf(id)
      assert.deepEqual([areq['email'], areq['mobilePhone']], ['***', '***'])
      const sent = requests.find(({ messageType }) => messageType === 'AReq')
      assert.deepEqual([sent?.['email'], sent?.['mobilePhone']], [email, { cc: '90', subscriber }])
      requests.length = 0
    }
  })
})

describe('the commands that show operators how a cardholder was authenticated', () => {
  it('list the authentications and the messages, without card numbers', async () => {
    const { id } = await payWith(frictionless)
    const list = await runTypedCommand(services, ['authentication', 'list', String(id)])
    assert.match(list, /3-D Secure server\s+proven\s+Y\s+05\s+2\.3\.1\s+issuer/)
    const traces = await runTypedCommand(services, ['trace', 'list', String(id)])
    assert.match(traces, /AReq to the directory/)
    assert.match(traces, /ARes from the directory/)
    assert.ok(!traces.includes(frictionless))
    const refused = await payWith('4000000000002925')
    const why = await runTypedCommand(services, ['authentication', 'list', String(refused.id)])
    assert.match(why, /refused\s+N 01/)
  })

  it('report that a payment has no authentications and no messages', async () => {
    const { id } = await checkout.open()
    assert.match(await runTypedCommand(services, ['authentication', 'list', String(id)]), /^No card/)
    assert.match(await runTypedCommand(services, ['trace', 'list', String(id)]), /^No messages/)
  })
})
