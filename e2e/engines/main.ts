import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { inspect, parseArgs } from 'node:util'
import { exitWithError } from '../../scripts/test/exit-with-error.ts'
import { makeTestRunFolder } from '../../scripts/test/folder.ts'
import { findBrowser } from '../find-browser.ts'
import { measureBrowser } from '../measure-browser.ts'
import { startRunningService } from '../running-service.ts'

/**
 * Makes the most important payments in Chromium, Firefox and WebKitGTK, and prints a table. An engine that is
 * not on this machine is named, and fails nothing.
 *
 * - `--install` installs missing engines with apt-get, if this process is root.
 * - `--pictures FOLDER` saves pictures of the pages; `--dark` makes them dark.
 */
const { values: options } = parseArgs({
  options: { install: { type: 'boolean' }, dark: { type: 'boolean' }, pictures: { type: 'string' } },
})
if (options.pictures !== undefined) mkdirSync(options.pictures, { recursive: true })
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())

const folder = makeTestRunFolder()
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// The browser unpacks itself there.
process.env['TMPDIR'] = folder
const browser = await measureBrowser(await findBrowser())
const stage = await startRunningService(folder)
Object.assign(process.env, browser.env, stage.env)
// Imported after the environment is set, because its modules read it while loading.
const { runEngines } = await import('./run-engines.ts')
const { signal } = interruption
const table = await Promise.race([runEngines({ ...options, env: process.env, signal }), aborted(signal)])
const trouble = await stage.end().then(
  () => '',
  (error: unknown) => inspect(error),
)
// The end of this process kills browsers that an interruption left in the middle of a page.
if (table === undefined) exitWithError('The run was interrupted.')
process.stdout.write(`\n${table.text}${trouble}\n`)
process.exit(table.isGood && trouble === '' ? 0 : 1)

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort')
}
