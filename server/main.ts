import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Keeps compiled code between starts, which makes them several times faster. It must be enabled before the
// rest of the program is loaded, hence the dynamic import below.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))

// The reader of our output may be gone. That is no reason to exit, and there is no one to report it to.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

const { runCommand } = await import('./commands.ts')
const { environment } = await import('./config.ts')
const code = await runCommand(process.argv.slice(2), {
  env: environment(),
  isTerminal: process.stdout.isTTY ?? false,
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
})
process.exit(code)
