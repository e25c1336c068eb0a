import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { parseEnv } from 'node:util'
import { makeHome } from '../testing/harness/embedded-home.ts'
import { freePorts, root, startProcess } from '../testing/harness/process.ts'
import { png } from '../testing/pictures/sample-pictures.ts'
import { payOverHttp } from '../testing/till/pay-over-http.ts'
import type { Sample } from './samples.ts'
import { assertAsShown, blockBelow, samplesIn } from './samples.ts'

const textOf = (page: string) => readFileSync(join(root, 'docs', 'integrate', `${page}.md`), 'utf8')

const samplesOf = (page: string) => samplesIn(textOf(page))

const endOfSample = '--- end of a sample ---'

/**
 * Joins all samples of a page into one shell script that stops at the first failure and prints only their
 * responses.
 */
function scriptOf(samples: readonly Sample[]): string {
  const quiet = 'curl() { command curl -sS --fail-with-body "$@"; }'
  const parts = samples.map(({ command }) => `${command}\necho; echo '${endOfSample}'`)
  return ['set -e', quiet, ...parts].join('\n')
}

/** Placeholder of a sample for an id of the reader's own data. */
const madeUpId = /_id\W+10000000000001\b/

/** Samples of the page at `/docs` that need no id, in page order, as a reader copies them. */
async function samplesOfPage(address: string, language: 'curl' | 'node'): Promise<string[]> {
  const page = await (await fetch(`${address}/docs`)).text()
  const samples = [
    ...page.matchAll(/<section class="entry operation"[^>]*data-path="([^"]+)".*?<\/section>/gs),
  ]
  return samples.flatMap(([section, path = '']) => {
    const code = new RegExp(`<pre data-language="${language}".*?</pre>`, 's').exec(section)?.[0] ?? ''
    const text = code
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/&#(\d+);/g, (_sign, number) => String.fromCharCode(number))
    return path.includes('{') || madeUpId.test(text) ? [] : [text]
  })
}

/** Payment that must exist before the samples of a page run. */
const begins: Readonly<Record<string, string>> = {
  refunds: 'amount=10000&currency=TRY',
  'pre-authorizations': 'amount=10000&currency=TRY&pre_auth=true',
}

/** Makes the payment that a page needs and returns the shell line that sets its id. */
async function paidFor(page: string, demo: Record<string, string>): Promise<string> {
  const form = begins[page]
  if (form === undefined) return ''
  const { API_URL: apiUrl = '', PAGE_URL: pageUrl = '', SECRET_KEY: secretKey = '' } = demo
  return `TRANSACTION=${await payOverHttp({ apiUrl, pageUrl, secretKey }, form)}\n`
}

/**
 * Delays the automatic refund review, so that it does not run before the samples have, even on a slow
 * machine.
 */
async function reviewLater(t: TestContext, env: Record<string, string>, merchantId: string): Promise<void> {
  const words = ['refund', 'policy', merchantId, '--delay-seconds', '3600']
  const command = startProcess(t, ['./vezne', ...words], env)
  assert.equal(await command.ended, 0, command.output())
}

/** Runs the events program of docs/integrate/events.md twice and returns the events that each run printed. */
async function followed(t: TestContext, home: string): Promise<string[][]> {
  const program = blockBelow(textOf('events'), 'following', 'js').text
  const rounds: string[][] = []
  for (let round = 0; round < 2; round++) {
    const words = [process.execPath, `--env-file=${home}/demo.env`, '--input-type=module', '-e', program]
    const following = startProcess(t, words, {}, home)
    assert.equal(await following.ended, 0, following.output())
    rounds.push(following.output().split('\n').filter(Boolean))
  }
  return rounds
}

it('the samples of docs/integrate and /docs run in order and get the documented responses', async (t) => {
  const home = makeHome(t)
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['npm', 'start'], env)
  await service.waitForLine('"msg":"ready"')

  const demo = parseEnv(readFileSync(join(home, 'demo.env'), 'utf8')) as Record<string, string>
  // The sample that sends an image reads it from the folder in which it runs.
  writeFileSync(join(home, 'image.png'), await png())
  await reviewLater(t, env, demo['MERCHANT_ID'] ?? '')

  const [firstCall, keepToken, ...others] = samplesOf('tokens')
  assert.ok(firstCall && keepToken && others.length === 0)
  const { API_PORT: receiverPort } = await freePorts()
  const counts: Record<string, number> = {}
  for (const page of [
    'tokens',
    'customers',
    'products',
    'payments',
    'three-d-secure',
    'search',
    'bin-lookup',
    'commissions',
    'balance',
    'refunds',
    'pre-authorizations',
    'events',
    'webhooks',
  ]) {
    const samples = page === 'tokens' ? [firstCall, keepToken] : [keepToken, ...samplesOf(page)]
    counts[page] = samples.filter(({ answer }) => answer).length
    const written = `. "${home}/demo.env"\n${await paidFor(page, demo)}${scriptOf(samples)}`
    // Another program may use port 3000 of this machine.
    const script = written.replaceAll('localhost:3000', `localhost:${receiverPort}`)
    const shell = startProcess(t, ['sh', '-c', script], env, home)
    assert.equal(await shell.ended, 0, `${page}: ${shell.output()}`)
    const outputs = shell.output().split(endOfSample)
    for (const [index, { answer }] of samples.entries()) {
      if (answer) assertAsShown((outputs[index] ?? '').trim(), answer)
    }
  }
  const [followedEvents = [], later = []] = await followed(t, home)
  const kinds = followedEvents.map((line) => line.split(' ')[1])
  assert.deepEqual(kinds.slice(0, 3), ['payment.succeeded', 'refund.created', 'payment.pre_authorized'])
  assert.deepEqual(
    later.filter((line) => followedEvents.includes(line)),
    [],
    'no event comes twice',
  )
  const address = `http://localhost:${env.API_PORT}`
  const curls = (await samplesOfPage(address, 'curl')).map((command) => ({ command, answer: undefined }))
  const [forToken = '', ...calls] = await samplesOfPage(address, 'node')
  assert.deepEqual([curls.length, calls.length], [13, 12])
  const shell = ['sh', '-c', `. "${home}/demo.env"\n${scriptOf(curls)}`]
  const nodes = calls.map((call) => {
    const check = 'if (!response.ok) throw new Error(JSON.stringify(answer))'
    const script = [forToken, call, check].join('\n')
    return [process.execPath, `--env-file=${home}/demo.env`, '--input-type=module', '-e', script]
  })
  for (const command of [shell, ...nodes]) {
    const pasted = startProcess(t, command, env, home)
    assert.equal(await pasted.ended, 0, `/docs: ${pasted.output()}`)
  }
  const shown = {
    tokens: 1,
    customers: 2,
    products: 2,
    payments: 2,
    'three-d-secure': 0,
    search: 1,
    'bin-lookup': 1,
    commissions: 1,
    balance: 2,
    refunds: 2,
    'pre-authorizations': 2,
    events: 1,
    webhooks: 7,
  }
  assert.deepEqual(counts, shown, 'what is shown is compared')
  assert.equal(await service.end('SIGINT'), 0)
})
