import assert from 'node:assert/strict'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { after, it } from 'node:test'
import type { Page } from 'playwright-core'
import type { QuickStart } from '../scripts/quick-start.ts'
import { followQuickStart, withoutTransactionId } from '../scripts/quick-start.ts'
import type { ServiceProcess } from '../testing/harness/process.ts'
import { freePorts, root, startProcess } from '../testing/harness/process.ts'
import { answerChallenge, bankFrame } from './bank.ts'
import { closeBrowser, openContext } from './browser.ts'
import type { Shop } from './shop.ts'
import { apiUrl, makeShop, pageUrl, runVezne, startPayment } from './shop.ts'
import { until } from './until.ts'
import { payerDetails } from './visit.ts'
import { watchWindow } from './watch.ts'

after(closeBrowser)

const { HOME_FOLDER: home } = JSON.parse(process.env['E2E'] ?? '{}')

interface Followed {
  steps: QuickStart
  origin: string
  shop: Shop
  server: ServiceProcess
}

/** Follows docs/integrate/quick-start.md up to the payment, with a new merchant. */
async function follow(t: TestContext): Promise<Followed> {
  const shop = await makeShop('--name', 'Kahveci')
  const publicKey =
    /pk_test_\w+/.exec(await runVezne('key', 'create', shop.id, '--scope', 'public'))?.[0] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'quick-start-'))
  symlinkSync(join(root, 'vezne'), join(folder, 'vezne'))
  const { API_PORT: port } = await freePorts()
  const keys = { MERCHANT_ID: shop.id, SECRET_KEY: shop.secretKey, PUBLIC_KEY: publicKey }
  const steps = followQuickStart(folder, { API_URL: apiUrl, PAGE_URL: pageUrl, ...keys }, port)
  const words = ['sh', '-ec', `${steps.origin}\n${steps.webhook}`]
  const shell = startProcess(t, words, { VEZNE_HOME: home }, folder)
  assert.equal(await shell.ended, 0, shell.output())
  const server = startProcess(t, ['sh', '-c', `exec ${steps.shop}`], {}, folder)
  await server.waitForLine('Open http')
  return { steps, origin: `http://localhost:${port}`, shop, server }
}

/** Waits until the page allows the origin, at most five seconds. */
async function countsFor(shop: Shop, origin: string): Promise<void> {
  const { url } = await startPayment({}, shop)
  await until(
    async () => (await fetch(url)).headers.get('content-security-policy')?.includes(origin),
    () => `the page does not allow ${origin} yet`,
  )
}

/** Types the payer's details and a card into the framed payment page, and answers the bank. */
async function payInFrame(page: Page, open: () => Promise<unknown>): Promise<void> {
  const shown = page.waitForEvent('framenavigated', (frame) => frame.url().startsWith(`${pageUrl}/p/`))
  await open()
  const frame = await shown
  await frame.waitForLoadState()
  const card = { number: '5400360000000003', expiry: '12/30', cvc: '123', holder: 'Işık Öztürk' }
  for (const [name, value] of Object.entries({ ...payerDetails, email: 'isik@example.com', ...card }))
    await frame.fill(`#${name}`, value)
  await frame.click('button[type=submit]')
  await answerChallenge(await bankFrame(page))
}

it('the quick start leads to a paid payment in the reader’s own page and to an event at their server', async (t) => {
  const { steps, origin, shop, server } = await follow(t)
  await countsFor(shop, origin)
  const context = await openContext({ language: 'en' })
  const watched = await watchWindow(context, [])
  const page = await context.newPage()
  await payInFrame(page, () => page.goto(origin))
  await page.getByRole('heading', { name: 'Paid. Thank you.' }).waitFor()
  await server.waitForLine('webhook: payment.succeeded')
  await server.waitForLine('checked: ')
  assert.deepEqual(
    server.output().split('\n').map(withoutTransactionId).toSorted(),
    steps.shopOutput.toSorted(),
  )
  await context.close()
  assert.deepEqual((await watched()).wrong, [])
})
