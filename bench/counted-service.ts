// Runs the service of a checkout as `vezne start` does, for counting and not for measuring.
//
//   node counted-service.ts ROOT
//
// It differs in two points: its database can be behind a proxy that counts statements, and it counts its HTTP
// exchanges. Every message from its parent is answered with the counts so far. It ends with its parent.
import { subscribe } from 'node:diagnostics_channel'
import { join } from 'node:path'

export interface HttpCounts {
  /** Requests that came to the service. */
  inbound: number
  /** Requests that the service sent. */
  outbound: number
}

const [root = ''] = process.argv.slice(2)
const counts: HttpCounts = { inbound: 0, outbound: 0 }
subscribe('http.server.request.start', () => {
  counts.inbound += 1
})
for (const channel of ['http.client.request.start', 'undici:request:create'])
  subscribe(channel, () => {
    counts.outbound += 1
  })

const { environment, readConfig }: typeof import('../server/config.ts') = await load('server/config.ts')
const { openLog }: typeof import('../kit/runtime/log.ts') = await load('kit/runtime/log.ts')
const { startService }: typeof import('../server/start.ts') = await load('server/start.ts')
const config = readConfig(environment())
const { log } = openLog({ level: 'warn', format: 'json', stream: process.stderr })
const running = await startService(config, log, { web: true, work: true })
// Webhooks may use an address of this machine only on the embedded database. The real service runs on that.
running.services.config = { ...config, databaseUrl: undefined }

process.on('message', () => process.send?.(counts))
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => void running.stop().then(() => process.exit()))
process.send?.('ready')

function load(path: string) {
  return import(join(root, path))
}
