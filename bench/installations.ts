import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../kit/runtime/log.ts'
import { readConfig } from '../server/config.ts'
import { goAheadMessage } from '../server/sandbox-pid-file.ts'
import { openServices } from '../server/services.ts'
import { CitusNode } from '../testing/harness/citus-nodes.ts'
import { installedPostgres } from '../testing/harness/environment.ts'
import { ask, connectNodes, urlOfDatabase } from '../testing/harness/servers.ts'
import { Child, ownRoot } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import { freePorts, serviceSettings, startService } from './environment.ts'
import { loggedSettings } from './remote-messages.ts'
import { merchantWithTransactions } from './transactions.ts'

export const shardCount = 32
const merchantCount = 24
const timeoutMs = 30_000

/** A database with its merchants, on which a service runs while it is measured. */
export interface BenchInstallation {
  name: 'plain' | 'citus'
  /** The single server, or the coordinator and its workers. */
  nodes: CitusNode[]
  /** Folder of the first node's data. */
  dataFolder: string
  settings: Record<string, string>
  /** Database of the sandbox bank, on a server of its own: the bank is not part of an installation. */
  bankUrl: string
  /** One per merchant, each with a POS and a thousand transactions. */
  merchants: BenchEnvironment[]
  secretKeys: string[]
}

interface Tools {
  generator: Child
  signal: AbortSignal
}

/** Starts a PostgreSQL and a Citus on this machine, with merchants. They end with the scope. */
export async function openInstallations(
  scope: AsyncDisposableStack,
  tools: Tools,
): Promise<[plain: BenchInstallation, citus: BenchInstallation]> {
  // The account of PostgreSQL must be able to enter the folder.
  const home = scope.adopt(mkdtempSync('/tmp/vezne-bench-'), (path) => rmSync(path, { recursive: true }))
  chmodSync(home, 0o711)
  const bank = await openNode(scope, join(home, 'bank'))
  const open = async (name: BenchInstallation['name'], workers: number) => {
    await ask(bank.url, [`create database ${name}`])
    const bankUrl = urlOfDatabase(bank.url, name)
    return openInstallation(scope, { name, workers, home: join(home, name), bankUrl }, tools)
  }
  return [await open('plain', 0), await open('citus', 2)]
}

async function openInstallation(
  scope: AsyncDisposableStack,
  given: { name: BenchInstallation['name']; workers: number; home: string; bankUrl: string },
  { generator, signal }: Tools,
): Promise<BenchInstallation> {
  const { name, workers, home, bankUrl } = given
  process.stderr.write(`starting ${name}\n`)
  const first = await openNode(scope, home)
  const others: CitusNode[] = []
  while (others.length < workers) others.push(await openNode(scope, `${home}-worker-${others.length + 1}`))
  const settings = await serviceSettings(home, first.url)
  await runCommand(['migrate'], settings)
  if (workers > 0) {
    await connectNodes(
      first.url,
      others.map(({ url }) => url),
    )
    await runCommand(['database', 'distribute', '--shards', String(shardCount)], settings)
    await ask(first.url, loggedSettings)
    await first.crash()
    await first.start()
  }
  signal.throwIfAborted()
  const { log } = openLog({ level: 'warn', format: 'json', stream: process.stderr })
  const services = scope.adopt(await openServices(readConfig(settings), log, 'visitor'), (open) =>
    open.close(),
  )
  const [service, page] = [portOf(settings, 'API_PORT'), portOf(settings, 'PAGE_PORT')]
  const sizes = { customers: 0, transactions: 0, transfers: 0 }
  const processes = { service, page, generator, signal, [Symbol.asyncDispose]: async () => undefined }
  const environment: BenchEnvironment = { databaseUrl: first.url, settings, services, ...processes, ...sizes }
  const merchants = Array.from({ length: merchantCount }, () => ({ ...environment }))
  const secretKeys: string[] = []
  for (const merchant of merchants) secretKeys.push((await merchantWithTransactions(merchant)).secretKey)
  return { name, nodes: [first, ...others], dataFolder: home, settings, bankUrl, merchants, secretKeys }
}

/** Starts a durable server. Without the extension in its database it is a plain PostgreSQL. */
async function openNode(scope: AsyncDisposableStack, folder: string): Promise<CitusNode> {
  const [port = 0] = await freePorts(1)
  return scope.use(await CitusNode.open(installedPostgres(), folder, port, true))
}

/** Runs a command of this checkout or of another one; throws if it fails. */
export async function runCommand(
  words: string[],
  settings: Record<string, string>,
  root = ownRoot,
): Promise<void> {
  await using command = new Child('server/main.ts', words, settings, root)
  const how = await command.ended
  if (how !== 'exit code 0') throw new Error(`vezne ${words.join(' ')} ended with ${how}`)
}

const portOf = (settings: Record<string, string>, name: string) => ({ port: Number(settings[name]), pid: 0 })

/**
 * Runs the service and the sandbox bank on an installation during the work. No other service runs then, so that
 * background jobs cost only their own installation.
 */
export async function withService<Result>(
  { settings, bankUrl, merchants: [environment] }: BenchInstallation,
  command: 'serve' | 'start',
  work: (service: Child) => Promise<Result>,
): Promise<Result> {
  if (!environment) throw new Error('an installation without merchants')
  await using service = await startService(settings, environment.signal, { command, root: ownRoot })
  await using sandbox = new Child('server/main.ts', ['sandbox'], { ...settings, DATABASE_URL: bankUrl })
  const ready = sandbox.message(timeoutMs)
  sandbox.send(goAheadMessage)
  await ready
  return await service.whileRunning(sandbox.whileRunning(work(service)))
}
