import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { parseEnv } from 'node:util'
import { systemClock } from '../../kit/runtime/clock.ts'
import { chargeSummaries } from '../../sandbox/index.ts'
import { findCards } from '../../testing/harness/card-search.ts'
import { silentLog } from '../../testing/harness/database.ts'
import { makeUsedHome } from '../../testing/harness/embedded-home.ts'
import { freePorts, startProcess } from '../../testing/harness/process.ts'
import { bankDifferences } from '../../testing/invariants/bank-differences.ts'
import { integrityViolations } from '../../testing/invariants/consistency.ts'
import { TestBrowser } from '../../testing/till/browser.ts'
import type { Environment } from '../config.ts'
import { readConfig } from '../config.ts'
import { openServices } from '../services.ts'

/** POS of the first card: our 3DS Server. POS of the second: the bank's page. Both ask for a code. */
const cards = { byUs: '5400360000000003', byTheBank: '5451030000000000' }

it('a service killed during challenges continues them after its restart and charges each payment once', async (t) => {
  const env = { ...(await freePorts()), VEZNE_HOME: await makeUsedHome(t) }
  const first = await started(t, env)
  const [one, other] = [await openPage(env), await openPage(env)]
  assert.equal((await one.browser.submit(one.path, cards.byUs)).next, 'bank_frame')
  await one.browser.prove(one.path, { reaction: 'waits' })
  const { next, form } = await other.browser.submit(other.path, cards.byTheBank)
  assert.equal(next, 'bank_form')
  const question = await other.browser.answer(form, { reaction: 'waits' })

  first.child.kill('SIGKILL')
  assert.equal(await first.ended, 'SIGKILL')
  await assert.rejects(one.browser.get(one.path))
  const second = await started(t, env)

  await one.browser.prove(one.path, { reaction: 'right code' })
  await other.browser.answerPage(question, form.action, { reaction: 'right code' })
  for (const { browser, path } of [one, other]) {
    while (!(await isPaid(browser, path))) await systemClock.sleep(50)
  }
  // The start banner shows a test card; the log lines must not.
  const logged = [first, second].flatMap((service) => service.output().split('\n').filter(isLogged))
  assert.deepEqual(await inspect(env, logged), {
    operations: [['authorized'], ['authorized']],
    differences: [],
    violations: [],
    cards: [],
  })
  assert.equal(await second.end(), 0)
})

async function started(t: TestContext, env: Environment) {
  const service = startProcess(t, [process.execPath, 'server/main.ts', 'start'], env)
  await service.waitForLine('"msg":"ready"')
  return service
}

/** Starts a payment of the demo merchant and opens its page. */
async function openPage(env: Environment): Promise<{ browser: TestBrowser; path: string }> {
  const demo = parseEnv(readFileSync(join(env['VEZNE_HOME'] ?? '', 'demo.env'), 'utf8'))
  const post = async (path: string, credential: string | undefined, body?: URLSearchParams) => {
    const headers = { authorization: `Bearer ${credential}` }
    const answer = await fetch(`${demo['API_URL']}${path}`, { method: 'POST', headers, body: body ?? null })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
    return ((await answer.json()) as any).data
  }
  const { access_token: token } = await post('/v1/token/get-token', demo['SECRET_KEY'])
  const terms = new URLSearchParams({ amount: '10000', currency: 'TRY' })
  const { payment_page_url: url } = await post('/v1/payment/3ds', token, terms)
  const { origin, pathname: path } = new URL(url)
  const browser = new TestBrowser(origin)
  await browser.get(path)
  return { browser, path }
}

async function isPaid(browser: TestBrowser, path: string): Promise<boolean> {
  const { view, isUnderWay } = JSON.parse((await browser.get(`${path}/status`)).body.toString())
  assert.ok(view === 'paid' || isUnderWay, view)
  return view === 'paid'
}

const isLogged = (line: string) => line.startsWith('{')

/**
 * Counts the bank's operations per charge, compares its charges with ours and our tables with each other, and
 * searches for card numbers.
 */
async function inspect(env: Environment, logged: readonly string[]) {
  const { sql, clock, close } = await openServices(readConfig(env), silentLog, 'visitor')
  try {
    const book = await chargeSummaries(sql, clock.now())
    return {
      operations: book.map(({ operations }) => operations),
      differences: await bankDifferences({ services: { sql }, bank: { book: async () => book } }),
      violations: await integrityViolations({ services: { sql, clock } }),
      cards: await findCards(sql, logged),
    }
  } finally {
    await close()
  }
}
