import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import type { HtmlForm } from '../../testing/till/browser.ts'
import { formsIn } from '../../testing/till/browser.ts'
import { testCheckout } from '../../testing/till/checkout.ts'

const checkout = await testCheckout({ connector: 'sandbox-nestpay' })
const { services, clock, bank } = checkout
const world = '5451030000000000'
const quick = '5451030000000018'

const statusOf = async (id: number) => (await checkout.result(id)).payment_status_text

interface Sent {
  id: number
  path: string
  attemptId: number
  form: HtmlForm
}

/** A payment whose payer is about to post the form to the bank. */
async function sentWith(number: string, form?: string): Promise<Sent> {
  const { id, path } = await checkout.open(form)
  const answer = await checkout.browser().submit(path, number)
  assert.equal(answer.next, 'bank_form', JSON.stringify(answer))
  const attemptId = Number(answer.carrier.slice(answer.carrier.lastIndexOf('/') + 1))
  return { id, path, attemptId, form: answer.form }
}

/** Form that the bank's page lets the browser post back, after a yes without a challenge. */
async function returnOf({ form }: Sent): Promise<HtmlForm> {
  const page = await checkout.browser().postForm(form)
  const [back] = formsIn(page.body.toString(), form.action)
  assert.ok(back)
  assert.ok(back.action.startsWith(`${checkout.pageUrl}/return/`))
  return back
}

async function bankCallCount(attemptId: number): Promise<number> {
  const { count } = await services.sql.one<{ count: number }>(
    sql`select count(*)::int as count from bank_calls where attempt_id = ${attemptId} and operation = 'authorize'`,
  )
  return count
}

describe('a return from the bank’s page', () => {
  it('after the right code charges the card, and redirects the browser to its page with GET', async () => {
    const sent = await sentWith(world)
    const page = await checkout.browser().answer(sent.form, { reaction: 'right code' })
    assert.equal(page.status, 200)
    assert.equal(await statusOf(sent.id), 'success')
    assert.equal((await bank.line(String(sent.attemptId)))?.taken, 10_000)
  })

  it('after wrong codes or a cancellation charges nothing, and the payer can try again', async () => {
    for (const reaction of ['wrong codes', 'cancel'] as const) {
      const sent = await sentWith(world)
      await checkout.browser().answer(sent.form, { reaction })
      const { payment_status_text, transaction_code } = await checkout.result(sent.id)
      assert.deepEqual([payment_status_text, transaction_code], ['waiting', '3DS-0'])
      assert.equal(await bankCallCount(sent.attemptId), 0)
      assert.equal((await checkout.pageState(sent.path)).takesCard, true)
    }
  })

  it('sent several times, at the same time and later, calls the bank once', async () => {
    const sent = await sentWith(quick)
    const back = await returnOf(sent)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => checkout.browser().postForm(back)))
    for (const { status, headers } of [...answers, await checkout.browser().postForm(back)])
      assert.deepEqual([status, headers.get('location')], [303, `${checkout.pageUrl}${sent.path}#back`])
    assert.equal(await statusOf(sent.id), 'success')
    assert.equal(await bankCallCount(sent.attemptId), 1)
  })

  it('gets 503 at the deadline if the bank is slow; the bank’s late answer is still recorded', async () => {
    const sent = await sentWith(quick)
    const back = await returnOf(sent)
    const { http } = services
    const approved = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    services.http = {
      send: async (request) => {
        const answer = await http.send(request)
        approved.resolve()
        await released.promise
        return answer
      },
    }
    const answer = checkout.browser().postForm(back)
    await approved.promise
    services.http = http
    clock.advance(120_000)
    checkout.pageDeadlines.cancelLate()
    assert.equal((await answer).status, 503)
    assert.equal(await statusOf(sent.id), 'waiting')
    released.resolve()
    await checkout.settle()
    assert.equal(await statusOf(sent.id), 'success')
    assert.equal(await bankCallCount(sent.attemptId), 1)
  })

  it('of another payment, or at the address of another payment, changes neither payment', async () => {
    const one = await sentWith(quick)
    const other = await sentWith(quick)
    const [ofOne, ofOther] = [await returnOf(one), await returnOf(other)]
    await checkout.browser().postForm({ ...ofOne, action: ofOther.action })
    await checkout.browser().postForm({ ...ofOther, action: ofOne.action })
    for (const { id, attemptId } of [one, other]) {
      assert.equal(await statusOf(id), 'waiting')
      assert.equal(await bankCallCount(attemptId), 0)
    }
    await checkout.browser().postForm(ofOne)
    assert.equal(await statusOf(one.id), 'success')
  })

  it('with any altered field changes nothing', async () => {
    const sent = await sentWith(quick)
    const back = await returnOf(sent)
    for (const name of Object.keys(back.fields)) {
      const fields = { ...back.fields, [name]: `${back.fields[name]}1` }
      await checkout.browser().postForm({ ...back, fields })
    }
    const less = Object.entries(back.fields).filter(([name]) => name !== 'mdStatus')
    await checkout.browser().postForm({ ...back, fields: Object.fromEntries(less) })
    await checkout.browser().postForm({ ...back, fields: {} })
    assert.equal(await bankCallCount(sent.attemptId), 0)
    await checkout.browser().postForm(back)
    assert.equal(await statusOf(sent.id), 'success')
  })

  it('after the page has expired charges nothing', async () => {
    const sent = await sentWith(quick)
    const back = await returnOf(sent)
    clock.advance(31 * 60_000)
    await checkout.browser().postForm(back)
    assert.equal(await bankCallCount(sent.attemptId), 0)
    assert.equal((await checkout.pageState(sent.path)).view, 'expired')
  })

  it('after the payer has submitted another card charges nothing on the first card', async () => {
    const sent = await sentWith(quick)
    const back = await returnOf(sent)
    await checkout.browser().submit(sent.path, world)
    await checkout.browser().postForm(back)
    assert.equal(await bankCallCount(sent.attemptId), 0)
  })

  it('at an invented address gets 404', async () => {
    const back = await returnOf(await sentWith(quick))
    for (const returnToken of ['x', 'a.b', back.action.slice(-60)]) {
      const page = await checkout.browser().postForm({ ...back, action: `/return/${returnToken}` })
      assert.equal(page.status, 404)
    }
  })

  it('of a pre-authorization creates a hold', async () => {
    const sent = await sentWith(quick, 'amount=10000&currency=TRY&pre_auth=true')
    await checkout.browser().postForm(await returnOf(sent))
    assert.equal(await statusOf(sent.id), 'pre_authorized')
    const line = await bank.line(String(sent.attemptId))
    assert.deepEqual([line?.held, line?.taken], [10_000, 0])
  })
})

describe('a card submitted to the bank’s page', () => {
  it('is never sealed, and is in no page except the form for the bank', async () => {
    const browser = checkout.browser()
    const { path } = await checkout.open()
    await browser.submit(path, world)
    const { count } = await services.sql.one<{ count: number }>(
      sql`select count(*)::int as count from sealed_cards`,
    )
    assert.equal(count, 0)
    await browser.get(path)
    await browser.get(`${path}/status`)
    const later = browser.pages.slice(1).join('\n')
    assert.ok(browser.pages[0]?.includes(world))
    assert.ok(!later.includes(world))
  })

  it('is masked in the stored messages', async () => {
    const sent = await sentWith(quick)
    await checkout.browser().postForm(await returnOf(sent))
    const traces = await services.sql.many<{ kind: string; body: Record<string, unknown> }>(
      sql`select kind, body from traces where payment_id = ${sent.id} order by id`,
    )
    assert.deepEqual(
      traces.map(({ kind }) => kind),
      ['form', 'return'],
    )
    assert.ok(!JSON.stringify(traces).includes(quick))
    assert.equal(traces[0]?.body['oid'], sent.form.fields['oid'])
  })
})
