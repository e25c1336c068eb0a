import { existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { exitWithError } from '../scripts/test/exit-with-error.ts'
import { makeTestRunFolder } from '../scripts/test/folder.ts'
import { secondsText, TestReport } from '../scripts/test/report.ts'
import { runFiles } from '../scripts/test/run-files.ts'
import { longestFirst, saveTimes } from '../scripts/test/times.ts'
import { findBrowser } from './find-browser.ts'
import { measureBrowser } from './measure-browser.ts'
import { startRunningService } from './running-service.ts'

/**
 * Runs the tests of this folder in a real browser. `npm run e2e -- challenge` runs the files with that word
 * in their name.
 */
const root = join(import.meta.dirname, '..')
const selected = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const keepsTimes = process.argv.includes('--keep-times')
const flags = process.argv.slice(2).filter((word) => word.startsWith('-') && word !== '--keep-times')
const startedAt = performance.now()
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interruption.abort())

const files = longestFirst(
  globSync('e2e/*.test.ts', { cwd: root }).filter(
    (file) => selected.length === 0 || selected.some((word) => file.includes(word)),
  ),
)
if (files.length === 0) exitWithError(`No test file in e2e/ has ${selected.join(' or ')} in its name.`)
const report = new TestReport(files)
const folder = makeTestRunFolder()
try {
  // The browser unpacks itself there, once and before any test starts it.
  process.env['TMPDIR'] = folder
  const browser = await measureBrowser(await findBrowser())
  const { windowMs, atOnce: processes } = browser
  process.stdout.write(
    `${browser.env.E2E_BROWSER} opens a window in ${windowMs} ms: ${processes} files run at a time.\n`,
  )
  const stage = await startRunningService(folder)
  try {
    const env = { ...stage.env, ...browser.env, TMPDIR: folder }
    await runFiles({
      report,
      files,
      flags,
      env,
      folder,
      signal: interruption.signal,
      processes,
      processPerFile: true,
    })
  } finally {
    const endsAt = performance.now()
    const trouble = await stage.end().then(
      () => '',
      (error: unknown) => inspect(error),
    )
    const took = secondsText(performance.now() - endsAt)
    report.check('ledger, policies and log after the run', trouble === '', trouble, took)
    const complaints = report.failed > 0 ? stage.complaints() : []
    if (complaints.length > 0) process.stdout.write(`\nThe service logged:\n${complaints.join('\n')}\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(report.summary(secondsText(performance.now() - startedAt)))
if (keepsTimes) saveTimes(report.tookMs, (file) => existsSync(join(root, file)))
process.exit(report.failed > 0 || interruption.signal.aborted ? 1 : 0)
