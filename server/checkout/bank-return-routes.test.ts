import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from '../../kit/runtime/sql.ts'
import { testPages } from '../../testing/till/page.ts'
import { sealReturnToken } from '../payments/addresses/return-token.ts'

const page = await testPages()
const inFrame = { 'sec-fetch-dest': 'iframe' }
const alone = { 'sec-fetch-dest': 'document' }

/** A payment with an open challenge, and the CRes that the bank's page would post after a yes. */
async function challenged() {
  const opened = await page.open()
  await page.sendCard(opened.path, '5400360000000003')
  const step = await page.prove(opened.path)
  if (step.step !== 'challenge') throw new Error(`the payer is not asked: ${step.step}`)
  const { attemptId } = await page.database.sql.one<{ attemptId: number }>(
    sql`select attempt_id as "attemptId" from payments where id = ${opened.id}`,
  )
  const returnTarget = { attemptId, page: opened.page }
  const challenge = `/3ds/challenge/${sealReturnToken(page.services, 'challenge', returnTarget)}`
  const creq = JSON.parse(Buffer.from(step.fields.creq, 'base64url').toString())
  const cresMessage = { ...creq, messageType: 'CRes', challengeCompletionInd: 'Y', transStatus: 'Y' }
  const cres = Buffer.from(JSON.stringify(cresMessage)).toString('base64url')
  return { ...opened, returnTarget, challenge, cres }
}

const step = async (path: string) => (await page.get(`${path}/step`)).json.step

describe('200', () => {
  it('in a frame, an empty page notifies the parent frame without showing the page’s address', async () => {
    const { challenge, cres, page: end } = await challenged()
    const { status, text, headers } = await page.postForm(challenge, { cres }, inFrame)
    assert.equal(status, 200)
    assert.match(text, /<body data-purpose="challenge">\s*<\/body>/)
    assert.match(text, /src="\/assets\/notice-\w{8}\.js"/)
    assert.equal(text.includes(end), false)
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; base-uri 'none'; script-src 'self'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /reports; report-to reports",
    )
  })

  it('a return from the bank’s page in a frame gets a page that notifies the bridge, or else goes on to the payment page', async () => {
    const { path, returnTarget } = await challenged()
    const url = `/return/${sealReturnToken(page.services, 'return', returnTarget)}`
    const { status, text, headers } = await page.postForm(url, { mdStatus: '1' }, inFrame)
    assert.equal(status, 200)
    const next = `${page.services.config.pageUrl}${path}#back`
    assert.ok(text.includes(`<body data-purpose="return" data-next="${next}">`), text)
    assert.match(text, /src="\/assets\/notice-\w{8}\.js"/)
    assert.match(String(headers['content-security-policy']), /script-src 'self'; form-action 'none'/)
  })

  it('a yes from the browser charges nothing: the service waits for the bank’s server', async () => {
    const { challenge, cres, path, id } = await challenged()
    const before = (await page.bank.book()).length
    await page.postForm(challenge, { cres }, inFrame)
    assert.equal(await step(path), 'wait')
    assert.equal((await page.result(id)).payment_status_text, 'waiting')
    assert.equal((await page.bank.book()).length, before)
  })

  it('a CRes of another transaction, or an unreadable one, leaves the challenge open', async () => {
    const { challenge, path } = await challenged()
    const other = await challenged()
    for (const cres of [other.cres, '', '%%%', Buffer.from('{}').toString('base64url'), 'A'.repeat(9_000)]) {
      assert.equal((await page.postForm(challenge, { cres }, inFrame)).status, 200)
      assert.equal(await step(path), 'challenge')
    }
    assert.equal((await page.postForm(challenge, {}, inFrame)).status, 200)
    assert.equal(await step(path), 'challenge')
  })

  it('repeated returns at the same time have the effect of one', async () => {
    const { challenge, cres, path, id } = await challenged()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => page.postForm(challenge, { cres }, inFrame)),
    )
    for (const { status } of answers) assert.equal(status, 200)
    assert.equal(await step(path), 'wait')
    assert.equal((await page.result(id)).payment_status_text, 'waiting')
  })

  it('a browser without Sec-Fetch-Dest gets a link to the page', async () => {
    const { challenge, cres, path } = await challenged()
    assert.ok((await page.postForm(challenge, { cres })).text.includes(`href="${path}" target="_top"`))
  })
})

describe('303', () => {
  it('a return in the payer’s own window is redirected to the payment page, with GET', async () => {
    const { challenge, cres, path, returnTarget } = await challenged()
    for (const [url, fields] of [
      [challenge, { cres }],
      [`/return/${sealReturnToken(page.services, 'return', returnTarget)}`, { mdStatus: '1' }],
    ] as const) {
      const { status, headers } = await page.postForm(url, fields, alone)
      assert.deepEqual([status, headers['location']], [303, `${page.services.config.pageUrl}${path}#back`])
    }
  })

  it('the 3DS Method notification reveals nothing about the page', async () => {
    const { path, returnTarget } = await challenged()
    const url = `/3ds/method/${sealReturnToken(page.services, 'method', returnTarget)}`
    for (const headers of [alone, {}]) {
      const answer = await page.postForm(url, {}, headers)
      assert.equal(answer.status, 200)
      assert.ok(!answer.text.includes(path.slice(3)))
    }
  })

  it('a return after the page has expired leads to the expired page', async () => {
    const { challenge, cres, path, id } = await challenged()
    page.clock.advance(60 * 60_000)
    assert.equal((await page.postForm(challenge, { cres }, alone)).status, 303)
    assert.equal((await page.get(`${path}/status`)).json.view, 'expired')
    await page.pass(1_000)
    assert.equal((await page.result(id)).transaction_status_text, 'expired')
  })
})

describe('404', () => {
  it('an invented address, or one for another purpose, is not found', async () => {
    const { returnTarget, cres, path } = await challenged()
    const wrong = sealReturnToken(page.services, 'results', returnTarget)
    const good = sealReturnToken(page.services, 'challenge', returnTarget)
    const bent = `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`
    for (const returnToken of ['x', wrong, bent, `${good}x`, '%2e%2e', returnTarget.page]) {
      for (const address of ['/3ds/challenge', '/3ds/method', '/return']) {
        const { status, text } = await page.postForm(`${address}/${returnToken}`, { cres }, alone)
        assert.equal(status, 404, `${address}/${returnToken}`)
        assert.match(text, /Sayfa bulunamadı/)
      }
    }
    assert.equal(await step(path), 'challenge')
  })
})
