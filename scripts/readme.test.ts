import assert from 'node:assert/strict'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { it } from 'node:test'
import { parseEnv } from 'node:util'
import { makeHome } from '../testing/harness/embedded-home.ts'
import { freePorts, root, startProcess } from '../testing/harness/process.ts'
import { payOverHttp } from '../testing/till/pay-over-http.ts'
import { followQuickStart, withoutTransactionId } from './quick-start.ts'
import { assertAsShown, samplesIn } from './samples.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const quiet = (block: string) => block.replaceAll(/^curl /gm, 'curl -s ')

it('the steps of the README, the first requests and the quick start work in order with a new home', async (t) => {
  const blocks = samplesIn(read('README.md')).map(({ command }) => command)
  assert.deepEqual(blocks, ['npm start\n', 'npm test\n'], 'every block is run here')
  assert.match(read('.ci/run'), /^npm test$/m)
  const home = makeHome(t)
  const env = { ...(await freePorts()), VEZNE_HOME: home }
  const service = startProcess(t, ['sh', '-c', `exec ${blocks[0]}`], env)
  await service.waitForLine('"msg":"ready"')

  const folder = makeHome(t)
  symlinkSync(home, join(folder, '.vezne'))
  symlinkSync(join(root, 'vezne'), join(folder, 'vezne'))
  await t.test('the first requests', (each) => makeFirstRequests(each, folder, env))
  await t.test('the quick start', (each) => startQuickly(each, home, env))
  assert.equal(await service.end('SIGINT'), 0)
})

async function makeFirstRequests(t: TestContext, folder: string, env: Record<string, string>): Promise<void> {
  const samples = samplesIn(read('docs/integrate/first-requests.md'))
  const [token = '', ...rest] = samples.map(({ command }) => command)
  const curl = startProcess(t, ['sh', '-ec', quiet(token)], env, folder)
  assert.equal(await curl.ended, 0)
  const shown = samples[0]?.answer
  assert.ok(shown, 'it is shown what the first call answers')
  assertAsShown(curl.output(), shown)

  const { API_PORT: unused } = await freePorts()
  const calls = rest.map(quiet).join('\n').replace('localhost:3000', `localhost:${unused}`)
  const sameTerminal = `. .vezne/demo.env\n${calls}`
  const shop = startProcess(t, ['sh', '-ec', sameTerminal], env, folder)
  assert.equal(await shop.ended, 0)
  assert.match(shop.output(), /"name_lastname":"Ayşe Işık".*"formatted_price":"189,90".*\[\{"id".*"Işık"/s)
  assert.match(shop.output(), /"bank_name":"Garanti BBVA".*"installment":12,"commission_rate":13.89/s)
  assert.match(
    shop.output(),
    /"payment_page_url":"http:\/\/localhost:\d+\/p\/[\w-]{38}".*"payment_status_text":"waiting"/s,
  )
  // The payment is not paid here, so it cannot be refunded, and no event exists.
  assert.match(shop.output(), /"error_code":931,"data":null\}\[\]\{"id":.*"secret":"whsec_.{44}"\}\[\]$/)
}

async function startQuickly(t: TestContext, home: string, env: Record<string, string>): Promise<void> {
  const demo = parseEnv(readFileSync(join(home, 'demo.env'), 'utf8')) as Record<string, string>
  const { API_URL: apiUrl = '', PAGE_URL: pageUrl = '', SECRET_KEY: secretKey = '' } = demo
  const folder = makeHome(t)
  symlinkSync(join(root, 'vezne'), join(folder, 'vezne'))
  const { API_PORT: port } = await freePorts()
  const steps = followQuickStart(folder, demo, port)
  assert.equal(steps.start, 'npm start\n')
  const shell = startProcess(t, ['sh', '-ec', `${steps.origin}\n${steps.webhook}`], env, folder)
  assert.equal(await shell.ended, 0, shell.output())
  assert.match(
    shell.output(),
    new RegExp(`^origins +http://localhost:${env['DEMO_PORT']} http://localhost:${port}$`, 'm'),
  )
  const shop = startProcess(t, ['sh', '-c', `exec ${steps.shop}`], {}, folder)
  await shop.waitForLine('Open http')

  const page = await (await fetch(`http://localhost:${port}/`)).text()
  assert.ok(page.includes(demo['PUBLIC_KEY'] ?? '') && page.includes(`${pageUrl}/element.js`))
  assert.doesNotMatch(page, /sk_test|whsec/, 'no secret gets into a browser')
  const pay = (form: string) => payOverHttp({ apiUrl, pageUrl, secretKey }, form)
  const check = async (id: number) =>
    (await fetch(`http://localhost:${port}/paid?transaction_id=${id}`)).text()
  const id = await pay(`amount=${steps.amount}&currency=TRY`)
  await shop.waitForLine(`webhook: payment.succeeded ${id}`)
  assert.equal(await check(id), 'Paid. Thank you.')
  await shop.waitForLine(`checked: ${id}`)
  assert.deepEqual(shop.output().split('\n').map(withoutTransactionId), steps.shopOutput)
  assert.equal(await check(await pay('amount=100&currency=TRY')), 'Not paid.', 'somebody changed the price')
  const forged = await fetch(`http://localhost:${port}/webhooks`, { method: 'POST', body: '{}' })
  assert.equal(forged.status, 400)

  await shop.end('SIGTERM')
  const words = [process.execPath, '--input-type=module', '-e', steps.startedByServer]
  const server = startProcess(t, words, { ...demo, WEBHOOK_SECRET: 'none' }, folder)
  await server.waitForLine('Open http')
  const shownPayment = async () => {
    const shown = await (await fetch(`http://localhost:${port}/`)).text()
    return /payment_page_url: '(http:\/\/localhost:\d+\/p\/[\w-]{38})'/.exec(shown)?.[1]
  }
  const first = await shownPayment()
  assert.ok(first)
  assert.equal(await shownPayment(), first, 'a reload does not start a second payment')
}
