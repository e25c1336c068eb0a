import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../scripts/test/folder.ts'
import { runFiles } from '../scripts/test/run-files.ts'
import { findBrowser } from './find-browser.ts'
import { startStage } from './stage.ts'

/** Pays in a real browser, in every way that the tests of this folder know. `npm run e2e -- challenge` runs what has that in its name. */
const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('-'))
const told = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => told.abort())

/** What takes longest begins first. */
const isLong = (file: string) => Number(/every|states|steps/.test(file))

const files = globSync('e2e/*.test.ts', { cwd: root })
  .sort((one, other) => isLong(other) - isLong(one) || one.localeCompare(other))
  .filter((file) => wanted.length === 0 || wanted.some((word) => file.includes(word)))
const folder = makeFolder()
let isFine = false
try {
  // The browser unpacks itself there, once and before anybody starts it.
  process.env['TMPDIR'] = folder
  const E2E_BROWSER = await findBrowser()
  const stage = await startStage(folder)
  try {
    const env = { ...stage.env, E2E_BROWSER, TMPDIR: folder }
    const shares = files.map((file) => [file])
    isFine = await runFiles({ shares, flags, env, folder, signal: told.signal })
  } finally {
    await stage.end()
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(isFine ? 0 : 1)
