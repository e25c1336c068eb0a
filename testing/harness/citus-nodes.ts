import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../kit/runtime/clock.ts'
import { makeFolderFor } from '../../server/database/embedded/cluster.ts'
import { chooseOsAccount, runAs, spawnOptionsOf } from '../../server/database/embedded/os-account.ts'
import { ask, connectNodes } from './servers.ts'

const settings = {
  shared_preload_libraries: 'citus',
  timezone: 'UTC',
  max_connections: '300',
  max_prepared_transactions: '300',
  // Each database of a Citus has one, which finds deadlocks between servers. Tests have many databases.
  max_worker_processes: '100',
  'citus.node_conninfo': 'sslmode=disable',
}

/** For tests: commits do not survive a power cut. They survive the end of the server. */
const undurable = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' }

/** A PostgreSQL server on this machine that can be a node of a Citus cluster. */
export class CitusNode implements AsyncDisposable {
  /** Address of its database `postgres`. */
  readonly url: string
  readonly #bin: string
  readonly #data: string
  readonly #words: readonly string[]
  readonly #account
  #server: ChildProcess | undefined

  private constructor(bin: string, data: string, port: number, isDurable: boolean) {
    this.#bin = bin
    this.#data = data
    this.#account = chooseOsAccount(data)
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const set = Object.entries({ ...settings, ...(isDurable ? {} : undurable) })
    this.#words = [
      ...['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
      ...set.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]
  }

  /** Creates a server in a folder that does not exist yet, and starts it. It ends with its scope. */
  static async open(bin: string, data: string, port: number, isDurable: boolean): Promise<CitusNode> {
    const node = new CitusNode(bin, data, port, isDurable)
    makeFolderFor(node.#account, data)
    const words = ['--pgdata', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C']
    const { ok, output } = await runAs(node.#account, join(bin, 'initdb'), words)
    if (!ok) throw new Error(`initdb in ${bin} failed: ${output}`)
    await node.start()
    return node
  }

  get pid(): number {
    return this.#server?.pid ?? 0
  }

  /** Starts the server, also again, and waits until it accepts connections. */
  async start(): Promise<void> {
    const server = spawn(join(this.#bin, 'postgres'), this.#words, {
      ...spawnOptionsOf(this.#account),
      detached: true,
      stdio: 'ignore',
    })
    this.#server = server
    while (!(await this.#isUp())) {
      if (server.exitCode !== null || server.pid === undefined)
        throw new Error(`PostgreSQL in ${this.#bin} does not start: is Citus installed for it?`)
      await systemClock.sleep(50)
    }
  }

  /** Ends the server and all its processes at once, as a crash does: its next start recovers. */
  async crash(): Promise<void> {
    const server = this.#server
    if (!server?.pid || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    process.kill(server.pid, 'SIGQUIT')
    await gone
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crash()
    rmSync(this.#data, { recursive: true, force: true })
  }

  async #isUp(): Promise<boolean> {
    return ask(this.url, ['select 1']).then(
      () => true,
      () => false,
    )
  }
}

/** A Citus on this machine: a coordinator without shards, and its workers. */
export interface CitusCluster extends AsyncDisposable {
  coordinator: CitusNode
  workers: readonly CitusNode[]
}

/** Starts a Citus with a node on each port, the coordinator on the first. It ends with its scope. */
export async function openCitus(
  bin: string,
  ports: readonly number[],
  isDurable: boolean,
): Promise<CitusCluster> {
  await using opening = new AsyncDisposableStack()
  const folder = opening.adopt(mkdtempSync('/tmp/vezne-citus-'), (path) => rmSync(path, { recursive: true }))
  // The account of PostgreSQL must be able to enter the folder.
  chmodSync(folder, 0o711)
  const nodes: CitusNode[] = []
  for (const [index, port] of ports.entries())
    nodes.push(opening.use(await CitusNode.open(bin, join(folder, `node-${index}`), port, isDurable)))
  const [coordinator, ...workers] = nodes
  if (!coordinator) throw new Error('a Citus needs a port for its coordinator')
  await connectNodes(
    coordinator.url,
    workers.map(({ url }) => url),
  )
  const scope = opening.move()
  return { coordinator, workers, [Symbol.asyncDispose]: () => scope.disposeAsync() }
}
