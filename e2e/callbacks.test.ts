import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ChallengeReply } from './bank.ts'
import { answerChallenge, payer } from './payer.ts'
import type { PayerVisit } from './visit.ts'
import { interceptionShift } from './watch.ts'

/** Return of the bank's page, as an observer of the browser sees it. */
interface Brought {
  url: string
  body: string
}

/**
 * Answers the challenge and returns the request that the browser posts to an address with this part. The
 * page's own status requests are held until then or until `until`: the page may learn the result from the
 * bank's server and would remove the frame too early.
 */
async function bringsBack(
  { page, bank }: PayerVisit,
  part: string,
  { what = 'right', until }: { what?: ChallengeReply; until?: Promise<unknown> } = {},
): Promise<Brought> {
  const frame = await bank()
  const posted = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes(part))
  await page.route(/\/(step|status)(\?|$)/, async (route) => {
    await (until ?? posted).catch(() => undefined)
    await route.continue().catch(() => undefined)
  })
  const [request] = await Promise.all([posted, answerChallenge(frame, what)])
  return { url: request.url(), body: request.postData() ?? '' }
}

/** Posts the return again, from outside the browser. */
async function bring({ url, body }: Brought): Promise<number> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-dest': 'document' }
  const response = await fetch(url, { method: 'POST', redirect: 'manual', headers, body })
  return response.status
}

for (const [way, number, part] of [
  ['our own 3-D Secure', '5200000000002151', '/3ds/challenge/'],
  ['the bank’s own page', '5451030000000109', '/return/'],
] as const) {
  describe(`returns from the bank, by ${way}`, { concurrency: 2 }, () => {
    it('repeated and simultaneous returns change nothing', async (t) => {
      const visit = await payer(t, { expected: interceptionShift })
      const { pay, sees, result, attempts } = visit
      await pay(number)
      const back = await bringsBack(visit, part)
      await sees('paid')
      const statuses = await Promise.all(Array.from({ length: 5 }, () => bring(back)))
      assert.deepEqual(new Set(statuses), new Set([303]))
      assert.equal((await result()).payment_status_text, 'success')
      assert.deepEqual(await attempts(), ['approved'])
    })

    it('several returns at the same time before any other message charge once', async (t) => {
      const visit = await payer(t, { expected: interceptionShift })
      const { pay, page, sees, attempts } = visit
      const many = Promise.withResolvers<number[]>()
      await page.context().route(`**${part}**`, async (route) => {
        const request = route.request()
        const same = { url: request.url(), body: request.postData() ?? '' }
        many.resolve(await Promise.all(Array.from({ length: 5 }, () => bring(same))))
        await route.continue()
      })
      await pay(number)
      await bringsBack(visit, part, { until: many.promise })
      assert.deepEqual(await many.promise, Array(5).fill(303))
      await sees('paid')
      assert.deepEqual(await attempts(), ['approved'])
    })

    it('the return of one payment does not pay another', async (t) => {
      const first = await payer(t, { expected: interceptionShift })
      const second = await payer(t, { expected: interceptionShift })
      await first.pay(number)
      const { url, body } = await bringsBack(first, part)
      await first.sees('paid')
      // A payer does not know another payment's address, but can post another body to their own address.
      await second.pay(number)
      const theirs = await bringsBack(second, part, { what: 'cancel' })
      await second.seesNotice(/4 deneme hakkınız kaldı/)
      assert.equal(await bring({ url: theirs.url, body }), 303)
      assert.equal(await bring({ url, body: theirs.body }), 303)
      assert.equal((await second.result()).payment_status_text, 'waiting')
      assert.deepEqual(await second.attempts(), ['declined'])
      assert.deepEqual(await first.attempts(), ['approved'])
    })

    it('a late return for an abandoned attempt changes nothing', async (t) => {
      // The bank's server reports the first attempt's result, and a notice changes while the second card is typed.
      const expected = interceptionShift
      const { pay, page, answers, sees, attempts, url } = await payer(t, { expected })
      const back = Promise.withResolvers<Brought>()
      await page.context().route(`**${part}**`, async (route) => {
        back.resolve({ url: route.request().url(), body: route.request().postData() ?? '' })
        await route.fulfill({ status: 204 })
      })
      await pay('5200000000002151' === number ? '4000000000003113' : number)
      await answers()
      const late = await back.promise
      await page.goto(url)
      await pay('5200000000002235')
      await sees('paid')
      assert.equal(await bring(late), 303)
      assert.deepEqual(await attempts(), ['abandoned', 'approved'])
    })

    it('an invented return address gets 404', async (t) => {
      const visit = await payer(t, { expected: interceptionShift })
      const { pay, sees, result } = visit
      await pay(number)
      const { url, body } = await bringsBack(visit, part, { what: 'cancel' })
      const bent = `${url.slice(0, -4)}${url.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
      assert.equal(await bring({ url: bent, body }), 404)
      assert.equal(await bring({ url: url.replace(part, '/return/x'), body }), 404)
      await sees('form')
      assert.equal((await result()).payment_status_text, 'waiting')
    })
  })
}
