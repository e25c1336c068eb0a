// The service with the test notes, in its own process that tests can kill at any moment. A note titled "hang"
// stops between its key and its effect; the process prints a line when it is there.

import { openLog } from '../../kit/runtime/log.ts'
import { environment, readConfig } from '../../server/config.ts'
import { startService } from '../../server/start.ts'
import { createNotesTable, noteRoutes } from './notes.ts'

const config = readConfig(environment())
const { log } = openLog({ level: 'warn', format: 'json' })
const routes = noteRoutes(async (title) => {
  if (title !== 'hang') return
  process.stdout.write('hanging\n')
  await new Promise(() => undefined)
})
const { services } = await startService(config, log, { web: true, work: true, routes })
await createNotesTable(services.sql)
process.stdout.write('ready\n')
