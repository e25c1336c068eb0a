import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '../kit/runtime/log.ts'
import { readConfig } from '../server/config.ts'
import { goAheadMessage } from '../server/sandbox-pid-file.ts'
import { serverPid } from '../testing/harness/embedded-home.ts'
import { Child } from './child.ts'
import { freePorts, removeFolder, serviceSettings, startDatabase, startService } from './environment.ts'
import { runCommand } from './installations.ts'
import type { ServiceTask } from './payers.ts'

const timeoutMs = 30_000

/** A merchant who has POS at the sandbox bank, and its webhook, if it has one. */
export interface PaidMerchant {
  secretKey: string
  webhookSecret: string | undefined
}

/**
 * An installation of one checkout: the service on the embedded PostgreSQL. The sandbox bank has a PostgreSQL of
 * its own, because the bank is not part of an installation.
 */
export interface WholeInstallation extends AsyncDisposable {
  root: string
  databaseUrl: string
  /** Settings of the service on the embedded PostgreSQL. */
  settings: Record<string, string>
  addresses: Pick<ServiceTask, 'apiUrl' | 'pageUrl'>
  withWebhook: PaidMerchant
  withoutWebhook: PaidMerchant
  /** Processes whose processor time is measured, besides the service. */
  databasePid: number
  bankPid: number
  bankDatabasePid: number
}

/** Opens an installation without its service: counting comes first, with another program. */
export async function openWholeInstallation(
  root: string,
  webhookUrl: string,
  signal: AbortSignal,
): Promise<WholeInstallation> {
  await using scope = new AsyncDisposableStack()
  const { log } = openLog({ level: 'warn', format: 'json', stream: process.stderr })
  const [home, bankHome] = [newFolder(scope), newFolder(scope)]
  const databaseUrl = await startDatabase(home, scope, log, 'visitor')
  const bankUrl = await startDatabase(bankHome, scope, log)
  signal.throwIfAborted()
  const [demoPort, bankPort] = await freePorts(2)
  const { DATABASE_URL: _url, ...common } = await serviceSettings(home, databaseUrl)
  const [apiUrl, pageUrl] = [
    `http://127.0.0.1:${common['API_PORT']}`,
    `http://127.0.0.1:${common['PAGE_PORT']}`,
  ]
  const settings = {
    ...common,
    ...{ API_URL: apiUrl, PAGE_URL: pageUrl, DEMO_PORT: String(demoPort) },
    SANDBOX_URL: `http://127.0.0.1:${bankPort}`,
  }
  for (const url of [databaseUrl, bankUrl])
    await runCommand(['migrate'], { ...settings, DATABASE_URL: url }, root)
  const bankSettings = { ...settings, DATABASE_URL: bankUrl, SANDBOX_PORT: String(bankPort) }
  const bank = scope.use(new Child('server/main.ts', ['sandbox'], bankSettings, root))
  const ready = bank.message(timeoutMs)
  bank.send(goAheadMessage)
  await ready
  const merchants = await createMerchants(root, { ...settings, DATABASE_URL: databaseUrl }, webhookUrl)
  const opened = scope.move()
  return {
    root,
    databaseUrl,
    settings,
    addresses: { apiUrl, pageUrl },
    ...merchants,
    databasePid: serverPid(home),
    bankPid: bank.pid,
    bankDatabasePid: serverPid(bankHome),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function newFolder(scope: AsyncDisposableStack): string {
  return scope.adopt(mkdtempSync(join(tmpdir(), 'vezne-bench-')), removeFolder)
}

/** Starts the service with its background jobs, as operators do. */
export function startWhole({ settings, root }: WholeInstallation, signal: AbortSignal): Promise<Child> {
  return startService(settings, signal, { command: 'start', root })
}

/** Runs the code of that checkout, whose tables can differ from ours. */
async function createMerchants(
  root: string,
  settings: Record<string, string>,
  webhookUrl: string,
): Promise<Pick<WholeInstallation, 'withWebhook' | 'withoutWebhook'>> {
  const load = (path: string) => import(join(root, path))
  const { openServices }: typeof import('../server/services.ts') = await load('server/services.ts')
  const { createMerchant }: typeof import('../server/merchants/index.ts') =
    await load('server/merchants/index.ts')
  const { ensureDemoPos }: typeof import('../server/pos/index.ts') = await load('server/pos/index.ts')
  const { seedWebhook }: typeof import('../testing/seed/webhook.ts') = await load('testing/seed/webhook.ts')
  const { log } = openLog({ level: 'warn', format: 'json', stream: process.stderr })
  const services = await openServices(readConfig(settings), log, 'visitor')
  try {
    const create = async (name: string) => {
      const { merchant, secretKey } = await createMerchant(services, { name, live: false })
      await ensureDemoPos(services, merchant)
      return { merchant, secretKey }
    }
    const [hooked, plain] = [await create('With a webhook'), await create('Without a webhook')]
    const { secret } = await seedWebhook(services, hooked.merchant, webhookUrl)
    return {
      withWebhook: { secretKey: hooked.secretKey, webhookSecret: secret },
      withoutWebhook: { secretKey: plain.secretKey, webhookSecret: undefined },
    }
  } finally {
    await services.close()
  }
}
