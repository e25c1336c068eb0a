import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testPages } from '../../../testing/till/page.ts'

const page = await testPages()
const { page: end } = await page.open()
const at = `https://pay.example/p/${end}`

let senders = 0

/** Posts a report like a browser, each from its own IP address. Returns the status. */
async function report(body: unknown, from?: string): Promise<number> {
  senders += 1
  const { statusCode } = await page.pages.inject({
    method: 'POST',
    url: '/reports',
    remoteAddress: from ?? `203.0.113.${senders}`,
    headers: { 'content-type': 'application/reports+json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return statusCode
}

const loggedReports = () => page.lines.filter((line) => line.includes('reported a policy violation'))
const counted = async () => {
  const text = await page.services.metrics.registry.getSingleMetricAsString('vezne_policy_reports_total')
  return text.split('\n').filter((line) => line.startsWith('vezne_'))
}
const violation = (blockedURL: string, effectiveDirective = 'script-src-elem') => ({
  type: 'csp-violation',
  url: at,
  body: { documentURL: `${at}?number=4111111111111111`, blockedURL, effectiveDirective },
})

describe('204', () => {
  it('both report formats are counted, and logged with known names and without the page’s address', async () => {
    const old = {
      'document-uri': `${at}/bank`,
      'violated-directive': 'script-src-attr',
      'blocked-uri': 'inline',
    }
    assert.equal(await report({ 'csp-report': old }), 204)
    assert.equal(await report([violation('https://evil.example/x.js?card=4111111111111111')]), 204)
    const unsayable = ['https://4111111111111111.example/', `https://${'a.'.repeat(60)}example/`]
    for (const [index, blocked] of unsayable.entries())
      assert.equal(await report([violation(blocked, ['img-src', 'frame-src'][index])]), 204)
    const lines = loggedReports().map((line) => JSON.parse(line))
    assert.deepEqual(
      lines.map(({ level, policy, directive, blocked, route }) => [level, policy, directive, blocked, route]),
      [
        ['warn', 'csp', 'script-src-attr', 'inline', '/p/:token/bank'],
        ['warn', 'csp', 'script-src-elem', 'https://evil.example', '/p/:token'],
        ['warn', 'csp', 'img-src', 'other', '/p/:token'],
        ['warn', 'csp', 'frame-src', 'other', '/p/:token'],
      ],
    )
    assert.ok(
      (await counted()).includes('vezne_policy_reports_total{policy="csp",directive="script-src-attr"} 1'),
    )
    assert.ok(!loggedReports().some((line) => line.includes(end) || line.includes('4111')))
  })

  it('a repeated report is logged once, and again after an hour', async () => {
    const before = loggedReports().length
    for (let times = 0; times < 5; times++) await report([violation('https://again.example/')])
    assert.equal(loggedReports().length, before + 1)
    page.clock.advance(3_700_000)
    await report([violation('https://again.example/')])
    assert.equal(loggedReports().length, before + 2)
  })

  it('invented reports get known label values and a limited number of log lines', async () => {
    page.clock.advance(3_700_000)
    const before = loggedReports().length
    const made = Array.from({ length: 40 }, (_, index) =>
      violation(`https://made-up-${index}.example/`, 'made-up'),
    )
    await report(made)
    assert.ok((await counted()).some((line) => line.endsWith('{policy="csp",directive="other"} 20')))
    for (let sent = 0; sent < 5; sent++) await report(made.slice(0, 20))
    assert.equal(loggedReports().length, before + 10)
    for (const nonsense of ['', '[', 'null', '7', '[[],null,{}]', { type: {}, body: { blockedURL: {} } }])
      assert.equal(await report(nonsense), 204)
    assert.ok(!page.lines.some((line) => line.includes('4111')))
    assert.ok((await counted()).length < 20)
  })

  it('a limited number of reports of one sender is counted', async () => {
    const total = async () => (await counted()).reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    const before = await total()
    for (let sent = 0; sent < 30; sent++)
      assert.equal(await report([violation('inline')], '198.51.100.1'), 204)
    assert.equal(await total(), before + 20)
  })
})

describe('413', () => {
  it('a body over 16 KiB is refused', async () => {
    assert.equal(await report('x'.repeat(16 * 1024 + 1)), 413)
  })
})
