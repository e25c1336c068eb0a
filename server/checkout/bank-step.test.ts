import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPages } from '../../testing/till/page.ts'

const page = await testPages()
const stepOf = async (path: string) => (await page.get(`${path}/step`)).json

describe('the bridge', () => {
  it('may frame and post to any bank, may only be framed by us, and holds no card', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '5400360000000003')
    const { headers, text } = await page.get(`${path}/bank`)
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; base-uri 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src http: https:; form-action http: https:; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /reports; report-to reports",
    )
    assert.doesNotMatch(text, /540036|0003/)
  })

  it('as the frame of the bank’s page offers to start again, because the card is not stored', async () => {
    const { path } = await page.open()
    const { text, headers } = await page.get(`${path}/bank?own=1&lang=en`)
    assert.match(text, /data-own="true"/)
    assert.ok(text.includes(`<a href="${path}" target="_top">Restart in full window</a>`))
    assert.doesNotMatch(text, /full=1/)
    assert.equal(
      headers['content-security-policy'],
      (await page.get(`${path}/bank`)).headers['content-security-policy'],
    )
  })

  it('allows https banks only if the page itself uses https', async () => {
    const { path } = await page.open()
    const before = page.services.config
    page.services.config = { ...before, pageUrl: 'https://pay.example' }
    const policy = String((await page.get(`${path}/bank`)).headers['content-security-policy'])
    page.services.config = before
    assert.match(policy, /frame-src https:; form-action https:;/)
  })
})

it('the bridge uses the language of the page, and is 404 for an unknown merchant', async () => {
  const { path } = await page.open()
  const english = { 'accept-language': 'en' }
  assert.match((await page.get(`${path}/bank?lang=tr`, english)).text, /<html lang="tr">/)
  assert.match((await page.get(`${path}/bank`, english)).text, /<html lang="en">/)
  const nobodys = Buffer.from(path.slice('/p/'.length), 'base64url')
  nobodys.writeUIntBE(99_999_999_999_999, 0, 6)
  assert.equal((await page.get(`/p/${nobodys.toString('base64url')}/bank`)).status, 404)
})

it('the bridge does not reveal a merchant’s origins or colour at an invented address', async () => {
  const { path } = await page.open()
  const madeUp = Buffer.from(path.slice('/p/'.length), 'base64url').fill(0, 12)
  for (const registered of [{ origins: ['https://shop.example'] }, { colour: '#e30a17' }]) {
    await page.setMerchant(registered)
    const [known, unknown] = [
      await page.get(`${path}/bank`),
      await page.get(`/p/${madeUp.toString('base64url')}/bank`),
    ]
    await page.setMerchant({})
    assert.match(`${known.headers['content-security-policy']} ${known.text}`, /shop\.example|e30a17/)
    assert.equal(unknown.status, 404)
    assert.doesNotMatch(
      `${unknown.headers['content-security-policy']} ${unknown.text}`,
      /shop\.example|e30a17/,
    )
  }
})

describe('the next step', () => {
  it('is over before a card is submitted and after the payment', async () => {
    const { path } = await page.open()
    assert.deepEqual(await stepOf(path), { step: 'over' })
    await page.sendCard(path, '5200000000002235')
    assert.deepEqual(await stepOf(path), { step: 'authenticate' })
    await page.prove(path)
    assert.deepEqual(await stepOf(path), { step: 'over' })
    assert.equal((await page.get(`${path}/status`)).json.view, 'paid')
  })

  it('waits for the bank’s answer for at most two seconds', async () => {
    const { services, clock } = page
    const [quick, slow] = [await page.open(), await page.open()]
    for (const { path } of [quick, slow]) await page.sendCard(path, '5200000000002235')
    const prove = async ({ path }: typeof quick) => (await page.post(`${path}/authenticate`, {})).json
    assert.deepEqual(await prove(quick), { step: 'over' })
    const { http } = services
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    services.http = {
      send: async (request) => {
        if (request.url.endsWith('/sale')) {
          asked.resolve()
          await answered.promise
        }
        return http.send(request)
      },
    }
    const authenticationPhase = prove(slow)
    await asked.promise
    clock.advance(2_000)
    const seen = [await authenticationPhase, (await page.get(`${slow.path}/status`)).json.view]
    services.http = http
    answered.resolve()
    await services.tasks.drain()
    assert.deepEqual(seen, [{ step: 'wait' }, 'asking'])
    assert.equal((await page.get(`${slow.path}/status`)).json.view, 'paid')
  })

  it('is the 3DS Method and then the challenge, and reading it changes nothing', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '4000000000002503')
    const method = await stepOf(path)
    assert.deepEqual([method.step, method.timeoutMs], ['method', 10_000])
    assert.match(method.url, /method/)
    assert.equal((await page.prove(path)).step, 'challenge')
    const challenge = await stepOf(path)
    assert.deepEqual([await stepOf(path), await stepOf(path)], [challenge, challenge])
  })

  it('of a challenge tells the ACS the size of the frame', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '5200000000002151')
    await page.prove(path)
    const windowSizeFor = async (query: string) => {
      const { fields } = (await page.get(`${path}/step${query}`)).json
      return JSON.parse(Buffer.from(fields.creq, 'base64url').toString()).challengeWindowSize
    }
    assert.equal(await windowSizeFor('?width=500&height=600'), '03')
    assert.equal(await windowSizeFor('?width=600&height=400'), '04')
    assert.equal(await windowSizeFor('?width=360&height=700'), '05')
    for (const nonsense of ['', '?width=x&height=1', '?width=-1', '?width=NaN&height=Infinity'])
      assert.equal(await windowSizeFor(nonsense), '05')
  })

  it('is challenge or wait if several requests authenticate at the same time', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '5200000000002151')
    const steps = await Promise.all([page.prove(path), page.prove(path), page.prove(path)])
    assert.ok(steps.every(({ step }) => step === 'challenge' || step === 'wait'))
    assert.equal((await stepOf(path)).step, 'challenge')
  })

  it('starts an authentication only for the page’s own script', async () => {
    const { path } = await page.open()
    await page.sendCard(path, '5200000000002235')
    const facts = { language: 'tr' }
    assert.equal((await page.postForm(`${path}/authenticate`, facts)).status, 403)
    const headers = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await page.post(`${path}/authenticate`, facts, headers)).status, 403)
    assert.deepEqual(await stepOf(path), { step: 'authenticate' })
  })

  it('is 404 at an unknown page', async () => {
    const nowhere = `/p/${'A'.repeat(38)}`
    assert.equal((await page.get(`${nowhere}/step`)).status, 404)
    assert.equal((await page.get(`${nowhere}/bank`)).status, 404)
    assert.equal((await page.get(`${nowhere}/status`)).status, 404)
    assert.equal((await page.post(`${nowhere}/authenticate`, {})).status, 404)
  })
})

describe('the carrier', () => {
  const world = '5451030000000109'

  it('is empty, runs no script, and can only post to the bank of its attempt', async () => {
    const { path } = await page.open()
    const { next, carrier, form } = (await page.sendCard(path, world)).json
    assert.equal(next, 'bank_form')
    assert.ok(carrier.startsWith(`${path}/carrier/`))
    const { status, text, headers } = await page.get(carrier)
    assert.equal(status, 200)
    const host = new URL(form.action).origin
    assert.equal(
      headers['content-security-policy'],
      `default-src 'none'; base-uri 'none'; form-action ${host}; frame-ancestors 'self'; report-uri /reports; report-to reports`,
    )
    assert.match(text, /<body>\s*<\/body>/)
    assert.doesNotMatch(text, /<script|<form|545103/)
  })

  it('gets its card from one response, and no page holds the card', async () => {
    const { path } = await page.open()
    const { form, carrier } = (await page.sendCard(path, world)).json
    assert.ok(Object.values(form.fields).includes(world))
    for (const url of [path, `${path}/status`, `${path}/step`, `${path}/bank`, carrier])
      assert.doesNotMatch((await page.get(url)).text, /545103/, url)
    const { canGoOn, takesCard, notice } = (await page.get(`${path}/status`)).json
    assert.deepEqual([canGoOn, takesCard], [false, true])
    assert.match(notice.join(' '), /henüz tamamlanmadı/)
    assert.deepEqual(await stepOf(path), { step: 'over' })
  })

  it('is 404 for an attempt of our own 3DS Server and for one of another payment', async () => {
    const other = (await page.sendCard((await page.open()).path, world)).json.carrier.split('/').at(-1)
    const { path } = await page.open()
    await page.sendCard(path, '5400360000000003')
    for (const attempt of [other, '1', 'x', '99999999999999'])
      assert.equal((await page.get(`${path}/carrier/${attempt}`)).status, 404, attempt)
  })
})
