import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { backendOf } from '../../testing/harness/backend.ts'
import {
  eventLines,
  eventRows,
  modificationLines,
  postingLines,
} from '../../testing/invariants/payment-rows.ts'
import { bonusCard, preAuthForm, refundActions, unrefundableCard } from '../../testing/till/refunds.ts'
import { testTill } from '../../testing/till/till.ts'
import { createMerchant, setMerchantState } from '../merchants/index.ts'

const till = await testTill()
const { services, merchant } = till
const { sql: database } = services
const backend = backendOf(till)
const { paid, refunded, statusOf } = refundActions(till)
const url = '/v1/transaction/resolve-pre-auth'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const english = { 'accept-language': 'en' }

const held = (pan = bonusCard) => paid(pan, preAuthForm)

const resolve = (id: number, status: string | boolean, headers: Record<string, string> = english) =>
  backend.form(url, { transaction_id: String(id), status: String(status) }, headers)

async function resolved(id: number, status: boolean): Promise<void> {
  const answer = await resolve(id, status)
  assert.equal(answer.status, 200, answer.text)
}

/** Lets the service ask the bank. */
const carriedOut = () => till.pass(0)

async function lineOf(paymentId: number) {
  const { id } = await database.one<{ id: number }>(
    sql`select id from payment_attempts where payment_id = ${paymentId} and state = 'approved'`,
  )
  const line = await till.bank.line(String(id))
  return { held: line?.held, taken: line?.taken, operations: line?.operations }
}

describe('200', () => {
  it('the answer is the envelope without data, in both languages', async () => {
    for (const [language, message] of [
      ['tr', 'Ön provizyon güncelleme isteği alındı.'],
      ['en', 'The request to update the pre-authorization was received.'],
    ] as const) {
      const { status, json } = await resolve(await held(), true, { 'accept-language': language })
      assert.equal(status, 200)
      assert.deepEqual(json, { status: true, message, errors: [], error_code: null, data: null })
    }
  })

  for (const [status, kind] of [
    ['true', 'capture'],
    ['1', 'capture'],
    ['false', 'release'],
    ['0', 'release'],
  ] as const) {
    it(`${status} is a ${kind}, sent as a form and as JSON`, async () => {
      const [form, json] = [await held(), await held()]
      assert.equal((await resolve(form, status)).status, 200)
      const body = { transaction_id: json, status: JSON.parse(status) }
      assert.equal((await backend.json(url, body)).status, 200)
      for (const id of [form, json])
        assert.deepEqual(await modificationLines(database, id), [`${kind} doing`])
    })
  }

  it('true captures the hold: the status is held until the bank has answered, then paid', async () => {
    const id = await held()
    assert.deepEqual(await statusOf(id), [3, 2])
    await resolved(id, true)
    assert.deepEqual(await statusOf(id), [3, 2])
    till.clock.advance(1_000)
    await carriedOut()
    const result = await till.result(id)
    assert.deepEqual([result.payment_status_text, result.transaction_status_text], ['success', 'completed'])
    assert.deepEqual([result.pre_auth, result.transaction_code], [true, '00'])
    assert.notEqual(
      result.end_at,
      (await eventRows(database, id))[0]?.data.end_at,
      'it ended when it was taken',
    )
    assert.deepEqual(await lineOf(id), { held: 0, taken: 10_000, operations: ['held', 'captured'] })
    assert.deepEqual(await eventLines(database, id), ['1 payment.pre_authorized', '2 pre_auth.completed'])
    assert.deepEqual((await eventRows(database, id))[1]?.data, result)
  })

  it('false releases the hold: the status is held until the bank has answered, then failed', async () => {
    const id = await held()
    await resolved(id, false)
    assert.deepEqual(await statusOf(id), [3, 2])
    await carriedOut()
    assert.deepEqual(await statusOf(id), [2, 3])
    assert.deepEqual(await lineOf(id), { held: 0, taken: 0, operations: ['held', 'voided'] })
    assert.deepEqual(await eventLines(database, id), ['1 payment.pre_authorized', '2 pre_auth.failed'])
    assert.deepEqual(await postingLines(database, id), [])
  })

  it('the balance is credited at the capture, without the commission, and not before', async () => {
    const id = await held()
    assert.deepEqual(await postingLines(database, id), [])
    await resolved(id, true)
    assert.deepEqual(await postingLines(database, id), [])
    await carriedOut()
    assert.deepEqual(await postingLines(database, id), [
      'payment 9821 balance → receivable',
      'commission 179 commission → receivable',
    ])
  })

  it('the requester and the time of the resolution are stored', async () => {
    const id = await held()
    await resolved(id, true)
    const row = await database.one<{ resolved_by: string; at: Date }>(
      sql`select resolved_by, resolved_at as at from payments where id = ${id}`,
    )
    const { id: keyId } = await database.one<{ id: number }>(
      sql`select id from merchant_keys where merchant_id = ${merchant.id} and scope = 'secret'`,
    )
    assert.deepEqual(row, { resolved_by: `key ${keyId}`, at: till.clock.now() })
  })

  it('a lost answer is found by a query: executed once, with one event', async () => {
    for (const [status, then] of [
      [true, [1, 2]],
      [false, [2, 3]],
    ] as const) {
      const id = await held('4190000000000705')
      await resolved(id, status)
      await carriedOut()
      assert.deepEqual(await statusOf(id), [3, 2], 'nobody knows yet')
      await till.pass(2 * minuteMs)
      assert.deepEqual(await statusOf(id), then)
      assert.equal((await lineOf(id)).operations?.length, 2)
      assert.equal((await eventLines(database, id)).length, 2)
    }
  })
})

describe('a bank that refuses a capture', () => {
  it('makes the payment fail without a credit, and a release that fails needs manual review', async () => {
    const id = await held(unrefundableCard)
    await resolved(id, true)
    await carriedOut()
    const result = await till.result(id)
    assert.deepEqual([result.payment_status, result.transaction_status], [2, 3])
    assert.deepEqual([result.transaction_code, result.transaction_message], ['12', 'Geçersiz işlem'])
    assert.deepEqual(await eventLines(database, id), ['1 payment.pre_authorized', '2 pre_auth.failed'])
    assert.deepEqual(await postingLines(database, id), [])
    assert.deepEqual(await modificationLines(database, id), [
      'capture refused by capture',
      'release doing by void',
    ])
    await till.pass(3 * hourMs)
    const { needsReview } = await database.one<{ needsReview: boolean }>(sql`select
      needs_review_at is not null as "needsReview" from modifications where payment_id = ${id} and kind = 'release'`)
    assert.ok(needsReview)
    assert.match(till.lines.join('\n'), new RegExp(`"payment":${id}.*a modification is still unsettled`))
    assert.equal((await eventLines(database, id)).length, 2, 'the merchant gets one event')
  })

  it('is asked to release the hold until it does', async () => {
    const id = await held('4190000000000820')
    await resolved(id, true)
    await till.pass(3 * hourMs)
    assert.deepEqual(await statusOf(id), [2, 3])
    const [capture, release] = await modificationLines(database, id)
    assert.deepEqual([capture, release], ['capture refused by capture', 'release doing by void'])
    // The bank works again.
    await database.run(sql`update sandbox.charges set fault = null where reference in (
      select reference from payment_attempts where payment_id = ${id})`)
    await till.pass(2 * hourMs)
    assert.deepEqual((await modificationLines(database, id))[1], 'release done by void')
    assert.deepEqual(await lineOf(id), { held: 0, taken: 0, operations: ['held', 'voided'] })
    assert.equal((await eventLines(database, id)).length, 2)
  })
})

describe('Idempotency-Key', () => {
  it('a repeated request gets the same answer and has no second effect', async () => {
    const id = await held()
    const headers = { ...english, 'idempotency-key': `resolve ${id}` }
    const first = await resolve(id, true, headers)
    await carriedOut()
    const again = await resolve(id, true, headers)
    assert.deepEqual(
      [first.status, again.text, again.headers['idempotency-replayed']],
      [200, first.text, 'true'],
    )
    assert.equal((await resolve(id, false, headers)).json.error_code, 951)
    assert.deepEqual(await modificationLines(database, id), ['capture done by capture'])
  })
})

describe('403', () => {
  it('a token of a public key cannot resolve a pre-authorization', async () => {
    const token = await till.token(till.publicKey)
    const form = `transaction_id=${await held()}&status=true`
    const { status, json } = await till.call({ method: 'POST', url, token, form })
    assert.deepEqual([status, json.error_code], [403, 912])
  })

  it('a suspended merchant cannot resolve a pre-authorization', async () => {
    const id = await held()
    const token = await till.token()
    await setMerchantState(services, merchant.id, 'suspended')
    const { status, json } = await till.call({
      method: 'POST',
      url,
      token,
      form: `transaction_id=${id}&status=1`,
    })
    await setMerchantState(services, merchant.id, 'active')
    assert.deepEqual([status, json.error_code], [403, 913])
    assert.deepEqual(await statusOf(id), [3, 2])
  })
})

describe('409', () => {
  const notHeld: Record<string, () => Promise<number>> = {
    'an ordinary payment': () => paid(),
    'one that is open': () => till.start(preAuthForm),
    'one that the bank is being asked for': () => held('4190000000000101'),
    'one that has failed': async () => {
      const id = await till.start(preAuthForm)
      for (let attempt = 1; attempt <= 5; attempt++) await till.pay(id, '4111111111111129')
      return id
    },
    'one that has expired': async () => {
      const id = await till.start(preAuthForm)
      await till.pass(31 * minuteMs)
      return id
    },
  }
  for (const [what, inState] of Object.entries(notHeld)) {
    it(`940 for ${what}`, async () => {
      const id = await inState()
      const before = await statusOf(id)
      for (const [language, message] of [
        ['tr', 'Bu işlem, tamamlanmış bir ön provizyon değil.'],
        ['en', 'This transaction is not a completed pre-authorization.'],
      ] as const) {
        const { status, json } = await resolve(id, true, { 'accept-language': language })
        assert.deepEqual([status, json.error_code, json.message], [409, 940, message])
      }
      assert.deepEqual([await statusOf(id), await modificationLines(database, id)], [before, []])
    })
  }

  it('941 for a second request of either kind, before and after the bank’s answer', async () => {
    for (const first of [true, false]) {
      const id = await held()
      await resolved(id, first)
      const codes = async () =>
        Promise.all([true, false].map(async (status) => (await resolve(id, status)).json.error_code))
      assert.deepEqual(await codes(), [941, 941])
      await carriedOut()
      assert.deepEqual(await codes(), [941, 941])
      assert.equal((await modificationLines(database, id)).length, 1)
    }
  })

  it('941 in both languages', async () => {
    const id = await held()
    await resolved(id, true)
    for (const [language, message] of [
      ['tr', 'Bu ön provizyon daha önce sonuçlandırıldı.'],
      ['en', 'This pre-authorization is already resolved.'],
    ] as const) {
      const { status, json } = await resolve(id, true, { 'accept-language': language })
      assert.deepEqual([status, json.error_code, json.message], [409, 941, message])
    }
  })

  it('941 after a capture and refund, and after a refused capture', async () => {
    const [givenBack, refused] = [await held(), await held(unrefundableCard)]
    await resolved(givenBack, true)
    await resolved(refused, true)
    await carriedOut()
    await refunded(givenBack)
    assert.deepEqual(await statusOf(givenBack), [4, 2])
    for (const id of [givenBack, refused]) assert.equal((await resolve(id, false)).json.error_code, 941)
  })
})

describe('422', () => {
  it('901 for all missing and invalid parameters together', async () => {
    const id = String(await held())
    for (const [fields, names] of [
      [{}, ['status', 'transaction_id']],
      [{ transaction_id: id }, ['status']],
      [{ transaction_id: id, status: '' }, ['status']],
      [{ transaction_id: id, status: 'yes' }, ['status']],
      [{ transaction_id: id, status: '2' }, ['status']],
      [{ transaction_id: id, status: 'TRUE' }, ['status']],
      [{ transaction_id: 'x', status: 'true' }, ['transaction_id']],
      [{ transaction_id: '99999999999999', status: 'true' }, ['transaction_id']],
      [{ transaction_id: '99999999999999', status: 'x' }, ['status', 'transaction_id']],
    ] as const) {
      const { status, json } = await backend.form(url, fields, english)
      assert.deepEqual([status, json.error_code], [422, 901])
      assert.deepEqual(Object.keys(json.errors).toSorted(), names, JSON.stringify(fields))
    }
    assert.deepEqual(await statusOf(Number(id)), [3, 2])
  })

  it('901 for another merchant’s transaction, exactly as for an unknown one', async () => {
    const neighbour = await createMerchant(services, { name: 'Komşu' })
    const token = await till.token(neighbour.secretKey)
    const send = (id: number) =>
      till.call({ method: 'POST', url, token, form: `transaction_id=${id}&status=true`, headers: english })
    const id = await held()
    const [theirs, nobodys] = [await send(id), await send(99_999_999_999_999)]
    assert.deepEqual([theirs.status, theirs.text], [422, nobodys.text])
    assert.deepEqual(theirs.json.errors, { transaction_id: ['There is no transaction with this ID.'] })
    assert.deepEqual(await statusOf(id), [3, 2])
  })
})
