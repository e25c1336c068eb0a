// Delivers events in real time until it is killed. For every message from its parent it reports its memory
// usage, after a garbage collection if it was started with --expose-gc.

import { systemClock } from '../../kit/runtime/clock.ts'
import { openLog } from '../../kit/runtime/log.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/database/pool.ts'
import { DueJobs, repeatJob } from '../../server/instances/index.ts'
import { deliveryJob, webhookJobs } from '../../server/webhooks/index.ts'
import { newInstance } from '../harness/new-instance.ts'

const [databaseUrl = '', secret = ''] = process.argv.slice(2)
const { log } = openLog({ level: 'warn', format: 'json', descriptor: 2 })
const { sql } = openDatabase({ url: databaseUrl }, 10, log)
const services = newInstance({ config: readConfig({ VEZNE_SECRET: secret }), clock: systemClock, log }, sql)
process.on('message', () => {
  globalThis.gc?.()
  process.send?.(process.memoryUsage())
})
const never = new AbortController().signal
await Promise.all([
  ...webhookJobs.map((job) => repeatJob(job, services, never)),
  new DueJobs(services, [deliveryJob]).run(never),
])
