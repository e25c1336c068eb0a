import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../bench/environment.ts'
import { CitusNode } from '../testing/harness/citus-nodes.ts'
import { installedPostgres } from '../testing/harness/environment.ts'
import { connectNodes } from '../testing/harness/servers.ts'

/**
 * Runs a Citus cluster of a coordinator and two workers for tests, and prints its address, until it is
 * interrupted. It needs a PostgreSQL with Citus: the one that `pg_config` names, or that in the folder PG_BIN.
 *
 * - `--durable` keeps commits as a real server does, for measurements.
 */
const isDurable = process.argv.includes('--durable')
const workers = 2
const ending = Promise.withResolvers<void>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.resolve())

await using scope = new AsyncDisposableStack()
// The account of PostgreSQL must be able to enter the folder.
const folder = scope.adopt(mkdtempSync('/tmp/vezne-citus-'), (path) => rmSync(path, { recursive: true }))
chmodSync(folder, 0o711)
const nodes: CitusNode[] = []
for (const [index, port] of (await freePorts(1 + workers)).entries())
  nodes.push(
    scope.use(await CitusNode.open(installedPostgres(), join(folder, `node-${index}`), port, isDurable)),
  )
const [coordinator = '', ...others] = nodes.map(({ url }) => url)
await connectNodes(coordinator, others)
process.stdout.write(`${coordinator}\n`)
await ending.promise
