// Holds the embedded PostgreSQL of a home in its own process, which tests can kill.
//
//   node embedded-holder.ts <home> service|visitor [leave]
//
// It prints one line of JSON when it is up or refused. It releases on SIGTERM; with `leave` it ends by
// itself.

import { systemClock } from '../../kit/runtime/clock.ts'
import { systemRandom } from '../../kit/security/random.ts'
import { startEmbeddedPostgres } from '../../server/database/embedded/index.ts'
import { silentLog as log } from './database.ts'

const [home = '', role, then] = process.argv.slice(2)

const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

try {
  const embedded = await startEmbeddedPostgres({
    home,
    role: role === 'visitor' ? 'visitor' : 'service',
    clock: systemClock,
    random: systemRandom,
    log,
  })
  if (then !== 'leave') {
    const idle = setInterval(() => undefined, 60_000)
    process.once('SIGTERM', () => {
      void embedded.release().then(() => clearInterval(idle))
    })
  }
  void embedded.databaseEnded.then((ended) => print({ ended }))
  print({ connection: embedded.connection })
} catch (error) {
  const { name, message } = error as Error
  print({ refused: name, message })
}
