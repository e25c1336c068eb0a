import { freePorts } from '../bench/environment.ts'
import { openCitus } from '../testing/harness/citus-nodes.ts'
import { installedPostgres } from '../testing/harness/environment.ts'

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

await using cluster = await openCitus(installedPostgres(), await freePorts(1 + workers), isDurable)
process.stdout.write(`${cluster.coordinator.url}\n`)
await ending.promise
