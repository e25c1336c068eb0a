import { after } from 'node:test'
import { networkHttpClient } from '../../kit/outbound/http-client.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { processDueChallenges as processBankAuthentications } from '../../sandbox/index.ts'
import { connectorByName } from '../../server/connectors/index.ts'
import { RequestDeadlines } from '../../server/database/request-deadlines.ts'
import { pageApp } from '../../server/page.ts'
import { addPos } from '../../server/pos/add-pos.ts'
import { processDueAuthentications } from '../../server/three-ds/index.ts'
import { listenOnFreePort, TestBrowser } from './browser.ts'
import type { Till } from './till.ts'
import { testTill } from './till.ts'

/** A whole checkout: page, banks and their servers, each on a port, all on one clock. */
export interface Checkout extends Till {
  pageUrl: string
  /** Checked only when the test calls it. */
  pageDeadlines: RequestDeadlines
  browser(): TestBrowser
  /** Starts a payment; returns its id and the path of its page. */
  open(form?: string): Promise<{ id: number; path: string }>
  /** Waits for background work. */
  settle(): Promise<void>
  /** State that the page reports. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and fails where it differs
  pageState(path: string): Promise<any>
  /** Processes due authentications at the bank and here. */
  processAuthentications(): Promise<void>
}

export async function testCheckout(
  options: NonNullable<Parameters<typeof testTill>[0]> & { connector?: string } = {},
): Promise<Checkout> {
  const till = await testTill({ withBankPage: true, ...options })
  const { services, clock, merchant } = till
  const pageDeadlines = new RequestDeadlines('page', services)
  const frame = { readiness: async () => undefined, isClosing: () => false }
  const pages = pageApp(services, { ...frame, deadlines: pageDeadlines })
  after(async () => {
    await services.tasks.drain()
    await pages.close()
  })
  const pageUrl = await listenOnFreePort(pages)
  services.config = { ...services.config, pageUrl }
  if (options.connector) await onlyPos(till, options.connector)
  const browser = () => new TestBrowser(pageUrl)
  const tools = {
    sql: services.sql,
    clock,
    random: systemRandom,
    log: services.log,
    http: networkHttpClient(clock),
  }
  return {
    ...till,
    pageUrl,
    pageDeadlines,
    browser,
    open: async (form = 'amount=10000&currency=TRY') => {
      const token = await till.token()
      const answer = await till.call({ method: 'POST', url: '/v1/payment/3ds', token, form })
      if (answer.status !== 200) throw new Error(answer.text)
      const { transaction_id: id, payment_page_url: url } = answer.json.data
      return { id, path: new URL(url).pathname }
    },
    settle: () => services.tasks.drain(),
    pageState: async (path) => JSON.parse((await browser().get(`${path}/status`)).body.toString()),
    processAuthentications: async () => {
      await processBankAuthentications(tools)
      await processDueAuthentications(services)
      await services.tasks.drain()
    },
  }

  /** Adds a POS of this connector that takes every card, and turns off the demo merchant's other POS. */
  async function onlyPos({ services: all }: Till, connector: string): Promise<void> {
    await all.sql.run(sql`update pos_credentials set state = 'off' where merchant_id = ${merchant.id}`)
    const secrets = connectorByName(connector)?.issueSecrets?.(systemRandom) ?? {}
    const input = { name: connector, bank: 67, connector, currencies: ['TRY'], single_rate: 10_000 }
    await addPos(all, merchant, input, { secrets })
    await all.cache.refresh()
  }
}
