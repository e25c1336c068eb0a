import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// Parsed and compiled code is kept between starts, which makes them several times faster. It must be on before the
// rest of the program is loaded, hence the import below that waits for it.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled'))

// Whoever read our output may have gone; that is no reason to end, and nobody is left to be told.
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
